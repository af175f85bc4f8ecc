import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LimitUnavailableError } from '../../../src/errors/limit-unavailable.js'
import { NodeSubprocessRuntime } from '../../../src/subprocess/node/node-runtime.js'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import type { SubprocessLimits } from '../../../src/subprocess/types.js'
import { bash, specOf } from '../specs.js'
import { finished, success } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime
  let folder: string
  /** Whether the provider can set what each process is held to. */
  const setsLimits = provider.name !== 'node'

  beforeAll(() => {
    runtime = provider.create()
    expect(runtime instanceof NodeSubprocessRuntime).toBe(!setsLimits)
    folder = fs.mkdtempSync(join(tmpdir(), 'limits-test-'))
  })

  afterAll(async () => {
    await runtime.dispose()
    fs.rmSync(folder, { recursive: true })
  })

  const run = (script: string, limits: SubprocessLimits) => finished(runtime.spawn(bash(script, { limits })))

  const refusalOf = async (limits: SubprocessLimits) => {
    const witness = join(folder, 'witness')
    const handle = runtime.spawn(specOf(['touch', witness], { limits }))
    const error = (await handle.done.catch((reason: unknown) => reason)) as LimitUnavailableError
    const { code, stage, option, value, reason, message } = error
    expect(error).toBeInstanceOf(LimitUnavailableError)
    expect(message).toBe(`${option} ${value} cannot be enforced: ${reason}`)
    const ran = fs.existsSync(witness)
    return { code, stage, option, value, reason, pid: handle.pid, facts: handle.facts, ran }
  }
  const refused = (option: string, value: number, reason: unknown) => ({
    code: 'LIMIT_UNAVAILABLE',
    stage: 'limits',
    option,
    value,
    reason,
    pid: -1,
    facts: { range: runtime.range.kind, cause: null, quiescent: true, usage: null },
    ran: false
  })

  it('no limits are as good as none given', async () => {
    for (const limits of [{}, { pids: undefined, openFiles: undefined }]) {
      expect(await run('ulimit -n', limits)).toEqual(await run('ulimit -n', {}))
    }
  })

  if (!setsLimits) {
    it.each([
      { memoryBytes: 1 << 30 },
      { pids: 100 },
      { cpus: 1 },
      { cpuSeconds: 60 },
      { fileBytes: 1000 },
      { openFiles: 100 }
    ] satisfies SubprocessLimits[])('refuses %o, which child_process cannot set', async (limits) => {
      const [name, value] = Object.entries(limits)[0] as [string, number]
      const reason = expect.stringContaining('child_process cannot set a limit before the command begins')
      expect(await refusalOf(limits)).toEqual(refused(`limits.${name}`, value, reason))
    })
    return
  }

  describe('a limit of each process', () => {
    it('holds the command and what it starts', async () => {
      const seen = await run('ulimit -t; bash -c "ulimit -Ht; ulimit -f; ulimit -Hn"', {
        cpuSeconds: 100,
        fileBytes: 10_240,
        openFiles: 50
      })
      expect(seen).toEqual({ outcome: success, stdout: '100\n101\n10\n50\n', stderr: '' })
    })

    it('ends a program that goes beyond its CPU time, by a signal of its own', async () => {
      const { outcome } = await run('exec bash -c "while :; do :; done"', { cpuSeconds: 1 })
      expect(outcome).toEqual({ exitCode: null, signal: 'SIGXCPU' })
    })

    it('ends a program that ignores the signal for CPU time a second later', async () => {
      const { outcome } = await run('trap "" XCPU; while :; do :; done', { cpuSeconds: 1 })
      expect(outcome).toEqual({ exitCode: null, signal: 'SIGKILL' })
    })

    it('stops a file from growing, and no pipe', async () => {
      const file = join(folder, 'file')
      const { outcome, stdout } = await run(`head -c 9000 /dev/zero | wc -c; exec head -c 9000 /dev/zero >${file}`, {
        fileBytes: 4096
      })
      expect({ outcome, stdout, size: fs.statSync(file).size }).toEqual({
        outcome: { exitCode: null, signal: 'SIGXFSZ' },
        stdout: '9000\n',
        size: 4096
      })
    })

    it('bounds the descriptors, also below those that the start itself needs', async () => {
      const { stdout } = await run('ulimit -n; exec 9</dev/null || echo none', { openFiles: 4 })
      expect(stdout).toBe('4\nnone\n')
    })

    it('above the hard limit of the host is refused', async () => {
      const hard = Number((await run('ulimit -Hn', {})).stdout)
      const reason = `the hard limit of this process is ${hard}`
      expect(await refusalOf({ openFiles: hard + 1 })).toEqual(refused('limits.openFiles', hard + 1, reason))
      expect((await run('ulimit -n', { openFiles: hard })).stdout).toBe(`${hard}\n`)
    })
  })

  describe('a limit of the whole range', () => {
    const values = { memoryBytes: 256 * 1024 * 1024, pids: 30, cpus: 0.5 }

    it('holds the command, or is refused with what stands in the way', async () => {
      for (const [name, value] of Object.entries(values)) {
        const handle = runtime.spawn(bash('echo ran', { limits: { [name]: value } }))
        const outcome = await handle.done.catch(() => null)
        if (outcome !== null) {
          expect(runtime.range.kind).toBe('cgroup')
          expect(handle.facts.usage?.treeCpuMs).toBeGreaterThan(0)
          continue
        }
        const reason =
          runtime.range.kind === 'group' || runtime.range.kind === 'supervisor'
            ? `a ${runtime.range.kind} range cannot hold all processes of a command to it; a cgroup or scope range can`
            : expect.stringMatching(/^the cgroup folder \/.* (has no \w+ controller: |holds processes itself)/)
        expect(await refusalOf({ [name]: value })).toEqual(refused(`limits.${name}`, value, reason))
      }
    })
  })
})
