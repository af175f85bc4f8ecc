// A command puts something else in the place of what its policy names; the next command of the same context must not follow.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect } from 'vitest'
import { createContext } from '../../../src/context/create-context.js'
import type { SandboxOptions } from '../../../src/context/options.js'
import { needing, realBackends } from '../../fixtures/sandbox/real-backends.js'

const made: string[] = []

function makeFolder(parent: string): string {
  const folder = realpathSync(mkdtempSync(`${parent}/quiesce-replaced-`))
  made.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Told {
  readonly first: string
  readonly second: string
}

/** Two commands in one context: what each printed, or the code of the error of the second. */
async function twoCommands(cwd: string, sandbox: SandboxOptions, first: string, second: string): Promise<Told> {
  await using context = await createContext({ cwd, sandbox: { mode: 'workspace-write', ...sandbox } })
  const one = await context.shell.run({ command: first })
  try {
    const two = await context.shell.run({ command: second })
    return { first: one.stdout.text + one.stderr.text, second: two.stdout.text + two.stderr.text }
  } catch (error) {
    return { first: one.stdout.text + one.stderr.text, second: (error as { code: string }).code }
  }
}

describe.each(realBackends)('on %s', (backend) => {
  const test = needing(backend)
  const backends = [backend]

  test('a workspace below a temporary folder that became a link is no writable root any more', async () => {
    const place = makeFolder('/tmp')
    const outside = makeFolder('/var/tmp')
    const workspace = join(place, 'workspace')
    mkdirSync(workspace)
    const replace = `cd .. && mv workspace old && ln -s ${outside} workspace && echo replaced`
    const { first, second } = await twoCommands(workspace, { backends }, replace, 'echo x > planted; echo done')
    // A backend that keeps the folder from being renamed has nothing left to refuse.
    expect(second).toBe(first === 'replaced\n' ? 'SANDBOX_UNAVAILABLE' : 'done\n')
    expect(existsSync(join(outside, 'planted'))).toBe(false)
  })

  test('a writable root inside the workspace that became a link is none any more', async () => {
    const place = makeFolder('/var/tmp')
    const [workspace, outside] = [join(place, 'workspace'), join(place, 'outside')]
    for (const folder of [workspace, outside, join(workspace, 'inner')]) mkdirSync(folder)
    const sandbox = { backends, writableRoots: [join(workspace, 'inner')] }
    const replace = `mv inner old && ln -s ${outside} inner && echo replaced`
    const { first, second } = await twoCommands(workspace, sandbox, replace, `echo x > ${outside}/planted; echo done`)
    expect(second).toBe(first === 'replaced\n' ? 'SANDBOX_UNAVAILABLE' : 'done\n')
    expect(existsSync(join(outside, 'planted'))).toBe(false)
  })

  test('a link above a workspace that only the host can change is followed anew', async () => {
    const place = makeFolder('/var/tmp')
    for (const name of ['one', 'two']) mkdirSync(join(place, name))
    const link = join(place, 'current')
    symlinkSync('one', link)
    await using context = await createContext({ cwd: link, sandbox: { mode: 'workspace-write', backends } })
    await context.shell.run({ command: 'echo x > made' })
    rmSync(link)
    symlinkSync('two', link)
    await context.shell.run({ command: 'echo x > made' })
    expect([existsSync(join(place, 'one/made')), existsSync(join(place, 'two/made'))]).toEqual([true, true])
  })
})

describe.each(['native', 'bwrap'] as const)('on %s', (backend) => {
  needing(backend)('a hidden file stays hidden although its folder was renamed', async () => {
    const workspace = makeFolder('/var/tmp')
    mkdirSync(join(workspace, 'folder'))
    const hidden = join(workspace, 'folder/.env')
    writeFileSync(hidden, 'secret')
    const sandbox = { backends: [backend], hiddenPaths: [hidden] }
    const move = 'mv folder moved && mkdir folder && touch folder/.env; cat moved/.env'
    const { first, second } = await twoCommands(workspace, sandbox, move, 'cat moved/.env')
    expect(`${first}${second}`).not.toContain('secret')
    expect(second === 'SANDBOX_UNAVAILABLE' || second.includes('No such file')).toBe(true)
  })
})
