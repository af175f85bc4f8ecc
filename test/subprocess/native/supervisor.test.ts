import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import type { SubprocessHandle } from '../../../src/subprocess/types.js'
import { compiledFixture } from '../../fixtures/compiled.js'
import { isAlive } from '../../fixtures/shell/live-processes.js'
import { withSupervisor } from '../../stress/native-features.js'
import { finished, running, sleepMarker, textOf, until, untilOutput } from '../behaviour/observe.js'
import { bash, specOf } from '../specs.js'

let runtime: NativeSubprocessRuntime

beforeAll(() => {
  runtime = new NativeSubprocessRuntime({ ranges: ['supervisor'] })
})

afterAll(() => runtime.dispose())

const supervisorOf = ({ pid }: SubprocessHandle): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1])

const lost = /^the processes of the command cannot be observed any more, since its supervisor was killed: .*ESRCH/

describe('the supervisor of a command', () => {
  withSupervisor('holds what leaves group and session, and proves that all of it is gone', async () => {
    const [first, second] = [sleepMarker(), sleepMarker()]
    const handle = runtime.spawn(bash(`setsid sleep ${first} & (setsid setsid sleep ${second} &); exit 4`))
    await until(() => running(first).length + running(second).length === 2)
    const outcome = await handle.done
    const { quiescent } = handle.facts
    handle.terminate()
    const empty = await handle.waitForExit()
    expect({ outcome, quiescent, empty, left: [...running(first), ...running(second)] }).toEqual({
      outcome: { exitCode: 4, signal: null },
      quiescent: false,
      empty: true,
      left: []
    })
  })

  withSupervisor('outlives a command that kills its whole group and session', async () => {
    const marker = sleepMarker()
    const escaping = `setsid bash -c "echo up; exec sleep ${marker} >/dev/null 2>&1"`
    const result = await finished(runtime.spawn(bash(`read -r _ < <(${escaping}); kill -KILL 0`)))
    expect({ ...result, left: running(marker).length }).toEqual({
      outcome: { exitCode: null, signal: 'SIGKILL' },
      stdout: '',
      stderr: '',
      left: 1
    })
  })

  for (const pauseUs of [0, 200, 500]) {
    withSupervisor(`ends a process that hops every ${pauseUs} microseconds, 10 times`, async () => {
      for (let run = 0; run < 10; run++) {
        const argv = [compiledFixture('hopper'), '20', String(pauseUs), run % 2 === 0 ? 'hop' : 'stay']
        const handle = runtime.spawn(specOf(argv, { graceMs: 20 }))
        await untilOutput(handle, 'hopping\n')
        handle.terminate()
        const empty = await handle.waitForExit()
        await until(() => handle.collected.stdout?.ended === true)
        expect({ empty, stdout: textOf(handle) }).toEqual({ empty: true, stdout: 'hopping\n' })
      }
    })
  }

  withSupervisor('that is killed takes the command with it, and is named where its end cannot be proven', async () => {
    const own = new NativeSubprocessRuntime({ ranges: ['supervisor'] })
    const handle = own.spawn(bash(`echo up; exec sleep ${sleepMarker()}`))
    await untilOutput(handle, 'up\n')
    const { pid } = handle
    process.kill(supervisorOf(handle), 'SIGKILL')
    const { exitCode, signal } = await handle.done
    expect([exitCode, isAlive(pid), [null, 'SIGKILL'].includes(signal)]).toEqual([null, false, true])
    await expect(handle.waitForExit()).rejects.toThrow(lost)
    expect(handle.facts.quiescent).toBe(false)
    // A disposal reports it, if the command's group is still being looked at by then.
    await own.dispose().catch((error: Error) => expect(error.message).toMatch(lost))
  })
})
