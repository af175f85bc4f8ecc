// Commands that leave something behind which outlives them.

import { endingOf, type Kind, mustEqual, run, start, success } from './attempt.js'
import { leftoverSeconds } from './limits.js'

const kept: Kind = {
  weight: 2,
  async attempt(scene) {
    const execution = await start(scene, { command: 'sleep 0.4 & echo left' })
    const ending = { ...success, stdout: 'left\n' }
    // It holds the pipe, is silent and so delays the result by 100 ms, at most until it has gone.
    mustEqual(endingOf(await execution.result()), { ...ending, quiescent: false }, ending)
    mustEqual(await execution.waitForExit(), true)
  }
}

const terminated: Kind = {
  weight: 2,
  async attempt(scene) {
    const result = await run(scene, { command: 'sleep 30 & sleep 30 & echo left', leftovers: 'terminate' })
    mustEqual(endingOf(result), { ...success, stdout: 'left\n' })
  }
}

/** Forks twice and leaves session and group: only a cgroup still holds it, elsewhere it ends by itself. */
const doubleForking: Kind = {
  weight: 3,
  async attempt(scene) {
    const left = `(setsid sleep ${leftoverSeconds} >/dev/null 2>&1 &)`
    const result = await run(scene, { command: `${left}; echo forked`, leftovers: 'terminate' })
    mustEqual(endingOf(result), { ...success, stdout: 'forked\n' })
  }
}

/** The same, ended while the command itself still runs. */
const doubleForkingKilled: Kind = {
  weight: 2,
  async attempt(scene) {
    const execution = await start(scene, {
      command: `(setsid sleep ${leftoverSeconds} &); exec sleep 30`,
      timeoutMs: 150
    })
    const ended = { ...success, exitCode: null, signal: 'SIGTERM' as const, timedOut: true }
    const { quiescent, ...ending } = endingOf(await execution.result())
    mustEqual({ ...ending, quiescent: await execution.waitForExit() }, ended, { ...ended, signal: null })
    if (quiescent && !(await execution.waitForExit(AbortSignal.abort()))) throw new Error('quiescence was taken back')
  }
}

export const leftoverKinds: Readonly<Record<string, Kind>> = {
  kept,
  terminated,
  'double-forking': doubleForking,
  'double-forking-killed': doubleForkingKilled
}
