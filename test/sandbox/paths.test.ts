import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { canonicalPath, isWithin } from '../../src/sandbox/canonical-path.js'
import { commonSecrets } from '../../src/sandbox/common-secrets.js'
import { writableRoots } from '../../src/sandbox/writable-roots.js'
import { usePlaces } from '../fixtures/sandbox/places.js'

const { workspace, outside } = usePlaces()
mkdirSync(join(outside, 'deep/er'), { recursive: true })
symlinkSync(join(outside, 'deep/er'), join(workspace, 'link'))

afterEach(() => vi.unstubAllEnvs())

describe('canonicalPath', () => {
  it('follows symbolic links before it folds what comes after them', () => {
    expect(canonicalPath(join(workspace, 'link'))).toBe(join(outside, 'deep/er'))
    expect(canonicalPath(`${workspace}/link/..`)).toBe(join(outside, 'deep'))
  })

  it('keeps the spelling of a path that leads nowhere', () => {
    expect(canonicalPath(`${workspace}/none/../x`)).toBe(`${workspace}/none/../x`)
  })
})

it('a path is within a folder by whole names only', () => {
  expect([isWithin('/a/b', '/a'), isWithin('/a', '/a'), isWithin('/ab', '/a'), isWithin('/ab', '/')]).toEqual([
    true,
    true,
    false,
    true
  ])
})

describe('writableRoots', () => {
  const temporary = [...new Set(['/tmp', tmpdir()].map((path) => realpathSync(path)))]

  it('are the workspace and the temporary folders in workspace-write, canonical, each once', () => {
    const roots = writableRoots({ mode: 'workspace-write', workspaceRoot: join(workspace, 'link') })
    expect(roots).toEqual([join(outside, 'deep/er'), ...temporary])
    expect(writableRoots({ mode: 'workspace-write', workspaceRoot: '/tmp', writableRoots: ['/tmp/.'] })).toEqual(
      temporary
    )
  })

  it('include those of the policy, and one that does not exist as it is spelled', () => {
    const own = [join(workspace, 'link'), '/no/such/root']
    const roots = writableRoots({ mode: 'workspace-write', workspaceRoot: workspace, writableRoots: own })
    expect(roots).toEqual([workspace, join(outside, 'deep/er'), '/no/such/root', ...temporary])
  })

  it('leave out a temporary folder that does not exist', () => {
    vi.stubEnv('TMPDIR', '/no/such/tmp')
    const roots = writableRoots({ mode: 'workspace-write', workspaceRoot: workspace })
    expect(roots).toEqual([workspace, realpathSync('/tmp')])
  })

  it.each(['read-only', 'danger-full-access'] as const)('are none in %s', (mode) => {
    expect(writableRoots({ mode, workspaceRoot: workspace, writableRoots: [outside] })).toEqual([])
  })
})

it('commonSecrets are absolute paths that a policy takes, each once', () => {
  expect(commonSecrets.filter((path) => !path.startsWith('/'))).toEqual([])
  expect(new Set(commonSecrets).size).toBe(commonSecrets.length)
  expect(commonSecrets).toEqual(expect.arrayContaining(['/etc/shadow', expect.stringMatching(/\/\.ssh$/)]))
})
