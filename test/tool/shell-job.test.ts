// A command as a job at the moments that a real one passes too quickly: while it is being prepared, and between that and the
// first byte.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { ConfinedArgv } from '../../src/sandbox/types.js'
import { SandboxBashExecutor } from '../../src/shell/sandbox-bash.js'
import { prepareShellJob, type ShellJob } from '../../src/tool/index.js'
import { confinedBy, ScriptedProvider } from '../fixtures/sandbox/scripted-provider.js'

let context: Context
beforeEach(async () => {
  context = await createContext({ shell: { graceMs: 300 } })
})
afterEach(() => context.dispose())

/** A job whose preparation goes on until the test ends it. */
function preparing(command = 'echo ran') {
  let prepared: (argv: ConfinedArgv) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const sandbox = new ScriptedProvider()
  sandbox.answers = [
    () =>
      new Promise((resolve, reject) => {
        prepared = resolve
        fail = reject
      })
  ]
  const policy = { mode: 'read-only', workspaceRoot: '/' } as const
  const shell = new SandboxBashExecutor({ subprocess: context.subprocess, sandbox, policy, graceMs: 300 })
  const jobs = new LocalJobRegistry()
  let job: ShellJob | undefined
  const start = prepareShellJob(shell, { command, onExpiry: 'none' })
  const { id } = jobs.start({
    kind: 'bash',
    label: 'x',
    run: () => {
      job = start.start(({ sandbox }) => [`denied: ${sandbox?.denied}`])
      return job
    }
  })
  return {
    ...{ jobs, id, sandbox },
    result: () => (job as ShellJob).result(),
    ready: () => prepared(confinedBy(['bash', '-c', command], { argv: ['bash', '-c', command] })),
    fail: (error: Error) => fail(error)
  }
}

describe('a job that is being prepared', () => {
  it('has nothing to read yet, and everything afterwards', async () => {
    const { jobs, id, ready } = preparing('echo ran; echo err >&2')
    expect(jobs.read(id)).toMatchObject({ job: { state: 'running' }, stdout: '', stderr: '', more: false, notes: [] })
    ready()
    await jobs.wait(id)
    expect(jobs.read(id)).toMatchObject({ stdout: 'ran\n', stderr: 'err\n', notes: ['denied: false'] })
  })

  it('is killed at once when it is cancelled, and runs nothing even if it gets ready then', async () => {
    const { jobs, id, ready, result, sandbox } = preparing()
    jobs.kill(id, { reason: 'enough' })
    const ended = await jobs.wait(id)
    expect(ended).toMatchObject({ state: 'killed', detail: 'killed before exit' })
    expect(sandbox.asked[0]?.signal?.aborted).toBe(true)
    ready()
    await expect(result()).rejects.toMatchObject({ message: 'enough' })
    expect(jobs.read(id)).toMatchObject({ stdout: '', stderr: '' })
  })

  it('has failed, and was not killed, when its preparation fails', async () => {
    const { jobs, id, fail, result } = preparing()
    fail(new Error('no backend'))
    expect(await jobs.wait(id)).toMatchObject({ state: 'failed', detail: 'no backend' })
    await expect(result()).rejects.toMatchObject({ message: 'no backend' })
  })

  it('has failed when the runner of its sandbox has', async () => {
    const { jobs, id, ready } = preparing('echo "runner: no namespace" >&2; exit 125')
    ready()
    expect(await jobs.wait(id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('no namespace') })
  })
})

it('checks the request before there is a job', () => {
  const request = { command: 'x', timeoutMs: -1 }
  expect(() => prepareShellJob(context.shell, request)).toThrow(expect.objectContaining({ code: 'EINVAL' }))
})
