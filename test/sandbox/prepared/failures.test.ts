// A confinement that cannot be had is an error of the stage `sandbox`; the command runs nowhere then, least of all
// unconfined.

import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SubprocessError } from '../../../src/errors/subprocess-error.js'
import { loadAddon } from '../../../src/native/load.js'
import { prepareConfinement } from '../../../src/sandbox/prepared.js'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { NodeSubprocessRuntime } from '../../../src/subprocess/node/node-runtime.js'
import type { SubprocessSpawnSpec } from '../../../src/subprocess/types.js'
import { feature } from '../../setup/features.js'
import { longestTurn } from '../../setup/stall.js'
import { finished, success, until } from '../../subprocess/behaviour/observe.js'
import { bash } from '../../subprocess/specs.js'
import { confined, makeFolder, test } from './confined.js'

const withAddon = feature('the native addon', () => loadAddon() && true)

let runtime: NativeSubprocessRuntime
let folder: string

beforeAll(() => {
  runtime = new NativeSubprocessRuntime({ onWarning: () => {} })
  folder = makeFolder('failures')
})

afterAll(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true })
})

function script(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A command that would leave a file, below a runner that is none. */
function marking(name: string, runner: string, parts: Partial<SubprocessSpawnSpec> = {}): SubprocessSpawnSpec {
  const prefix = [runner, 'confine', '--rw', folder, '--']
  const argv = ['bash', '-c', `: > ${join(folder, `${name}.ran`)}`]
  return { ...bash(':', parts), argv: [...prefix, ...argv], confinement: prepareConfinement(prefix, argv) }
}

async function failureOf(name: string, runner: string, parts?: Partial<SubprocessSpawnSpec>): Promise<unknown> {
  const error: unknown = await runtime.spawn(marking(name, runner, parts)).done.catch((reason: unknown) => reason)
  expect(existsSync(join(folder, `${name}.ran`))).toBe(false)
  if (!(error instanceof SubprocessError)) throw error
  const { stage, code, syscall, message } = error
  return { stage, code, syscall, message }
}

describe('a program for the preparation', () => {
  withAddon('that is missing is named', async () => {
    expect(await failureOf('missing', '/does/not/exist')).toEqual({
      stage: 'sandbox',
      code: 'ENOENT',
      syscall: 'confine',
      message: 'cannot enter the sandbox (preparation: /does/not/exist): no such file or directory (ENOENT)'
    })
  })

  withAddon('that fails is quoted', async () => {
    expect(await failureOf('failing', script('failing', 'echo "failing: mounts: no" >&2; exit 125'))).toEqual({
      stage: 'sandbox',
      code: 'ENOTSUP',
      syscall: 'confine',
      message:
        'cannot enter the sandbox (preparation: failing: mounts: no): operation not supported on socket (ENOTSUP)'
    })
  })

  withAddon('that claims to have succeeded, or says what it must not, is not believed', async () => {
    expect(await failureOf('silent', script('silent', 'exit 0'))).toMatchObject({ stage: 'sandbox', code: 'ENOTSUP' })
    expect(await failureOf('lying', script('lying', 'echo full; echo full >&7'))).toMatchObject({
      stage: 'sandbox',
      code: 'EPROTO'
    })
  })

  withAddon('that hangs is ended with the deadline of the command, and holds up no event loop', async () => {
    const hanging = script('hanging', 'exec sleep 600')
    let failure: unknown
    const stall = await longestTurn(async () => {
      failure = await failureOf('hanging', hanging, { deadlineMs: 200 })
    })
    expect(failure).toMatchObject({ stage: 'sandbox', code: 'ETIMEDOUT' })
    expect(stall).toBeLessThan(150)
  })
})

describe('a confinement', () => {
  test('is there although the program was not found on the way into it', async () => {
    const prefix = [...confined(':').argv.slice(0, -3)]
    const argv = ['/does/not/exist']
    const spec = { ...bash(':'), argv: [...prefix, ...argv], confinement: prepareConfinement(prefix, argv) }
    await expect(runtime.spawn(spec).done).rejects.toMatchObject({
      stage: 'exec',
      code: 'ENOENT',
      path: '/does/not/exist',
      syscall: 'spawn /does/not/exist'
    })
  })

  test('has the working folder of its mounts, or says that there is none', async () => {
    const hidden = join(folder, 'hidden')
    mkdirSync(join(hidden, 'below'), { recursive: true })
    await expect(
      runtime.spawn(confined(':', ['--hide', hidden], { cwd: join(hidden, 'below') })).done
    ).rejects.toMatchObject({ stage: 'chdir', code: 'ENOENT', path: join(hidden, 'below') })
  })

  test('ends with its command by the deadline, with all that the command started', async () => {
    const handle = runtime.spawn(confined('setsid sleep 600 & sleep 600', [], { deadlineMs: 300, graceMs: 200 }))
    await handle.done
    expect(handle.facts.cause).toBe('deadline')
    if (handle.facts.range === 'cgroup') await until(() => handle.facts.quiescent)
  })

  test('is taken by no runtime that cannot enter it: the argv that confines itself runs there', async () => {
    const node = new NodeSubprocessRuntime({ onWarning: () => {} })
    const spec = confined(`: > ${join(folder, 'unconfined')} || echo refused`)
    expect(await finished(node.spawn(spec))).toMatchObject({ outcome: success, stdout: 'refused\n' })
    expect(existsSync(join(folder, 'unconfined'))).toBe(false)
    await node.dispose()
  })
})

describe('a spec', () => {
  const prefix = ['/runner', 'confine', '--']
  const confinement = prepareConfinement(prefix, ['true'])

  it('must not bring another command line than its confinement was made for', () => {
    for (const argv of [['true'], [...prefix, 'false'], [...prefix, 'true', 'x']]) {
      const spec = { ...bash(':'), argv, confinement }
      const node = new NodeSubprocessRuntime({ onWarning: () => {} })
      expect(() => node.spawn(spec)).toThrow(/^argv must be the one that came with its confinement/)
    }
  })

  it('must not bring a confinement of its own making', () => {
    const made = { argv: ['true'], order: '/runner\0', standsFor: () => true }
    const node = new NodeSubprocessRuntime({ onWarning: () => {} })
    expect(() => node.spawn({ ...bash(':'), confinement: made as never })).toThrow(
      /^confinement must come from a sandbox provider/
    )
  })
})
