import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveExecutable } from '../../src/subprocess/resolve-executable.js'

let root: string
const at = (...parts: string[]): string => join(root, ...parts)

beforeAll(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'resolve-executable-'))
  for (const folder of ['first', 'second', 'first/tool']) fs.mkdirSync(at(folder))
  fs.writeFileSync(at('first', 'plain'), '', { mode: 0o644 })
  fs.writeFileSync(at('second', 'plain'), '', { mode: 0o755 })
  fs.writeFileSync(at('second', 'tool'), '', { mode: 0o755 })
})

afterAll(() => fs.rmSync(root, { recursive: true }))

describe('a bare name', () => {
  it('is searched on PATH, over folders and files that cannot be executed', async () => {
    const env = { PATH: `${at('missing')}:${at('first')}:${at('second')}` }
    expect([await resolveExecutable('tool', env), await resolveExecutable('plain', env)]).toEqual([
      at('second', 'tool'),
      at('second', 'plain')
    ])
  })

  it('is found below a relative PATH entry, counted from the folder of the host', async () => {
    expect(await resolveExecutable('tool', { PATH: relative(process.cwd(), at('second')) })).toBe(at('second', 'tool'))
  })

  it.each([{ PATH: '/nowhere' }, { PATH: undefined }])('that is not there is told with %j', async (env) => {
    await expect(resolveExecutable('tool', env)).rejects.toThrow(/^command "tool" was not found on PATH$/)
  })
})

describe('a path', () => {
  it('that is absolute is only checked', async () => {
    expect(await resolveExecutable(at('second', 'tool'))).toBe(at('second', 'tool'))
  })

  it.each(['first/plain', 'first', 'nothing'])(
    'that is absolute and no executable file is refused: %s',
    async (name) => {
      await expect(resolveExecutable(at(name))).rejects.toThrow(
        `command ${JSON.stringify(at(name))} is not an executable file`
      )
    }
  )

  it.each(['./tool', 'second/tool'])('that is relative is refused: %s', async (path) => {
    await expect(resolveExecutable(path)).rejects.toThrow(
      `command ${JSON.stringify(path)} is a relative path; use an absolute path or a bare PATH name`
    )
  })

  it('that is empty is refused', async () => {
    await expect(resolveExecutable('')).rejects.toThrow('executable must be non-empty')
  })

  it.each([[5], ['a\0b']])('that is no usable text is refused: %j', async (command) => {
    await expect(resolveExecutable(command as string)).rejects.toThrow(/^command must /)
  })
})

describe('an aborted signal', () => {
  it('rejects with its reason before the search', async () => {
    const reason = new Error('enough')
    await expect(resolveExecutable('sh', undefined, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('rejects with its reason although the last candidate is the program', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const search = resolveExecutable(at('second', 'tool'), undefined, controller.signal)
    controller.abort(reason)
    await expect(search).rejects.toBe(reason)
  })
})
