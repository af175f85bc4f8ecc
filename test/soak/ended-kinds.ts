// Commands that something else ends, at random moments of their lives.

import {
  type Ending,
  endingOf,
  type Kind,
  mustEqual,
  randomMoment,
  run,
  type Scene,
  start,
  success
} from './attempt.js'

const aborted: Ending = { ...success, exitCode: null, signal: 'SIGTERM', aborted: true }
const timedOut: Ending = { ...success, exitCode: null, signal: 'SIGTERM', timedOut: true }
/** Ended before there was a process. */
const unstarted = (ending: Ending): Ending => ({ ...ending, signal: null })

const killed: Kind = {
  weight: 4,
  async attempt(scene) {
    const execution = await start(scene, { command: 'exec sleep 30' })
    await randomMoment(scene.random, 60)
    mustEqual([execution.kill(), execution.kill()], [true, false])
    mustEqual(endingOf(await execution.result()), aborted, unstarted(aborted))
  }
}

const abortedBySignal: Kind = {
  weight: 4,
  async attempt(scene) {
    const controller = new AbortController()
    const execution = await start(scene, { command: 'exec sleep 30', signal: controller.signal })
    await randomMoment(scene.random, 60)
    controller.abort()
    mustEqual(endingOf(await execution.result()), aborted, unstarted(aborted))
  }
}

const late: Kind = {
  weight: 4,
  async attempt(scene) {
    const result = await run(scene, { command: 'exec sleep 30', timeoutMs: 1 + scene.random(400) })
    mustEqual(endingOf(result), timedOut, unstarted(timedOut))
  }
}

const cleansUp: Kind = {
  weight: 2,
  async attempt(scene) {
    const command = "trap 'echo cleaned; exit 5' TERM; echo up; while :; do sleep 30 & wait; done"
    const execution = await start(scene, { command })
    await said(execution, 'up')
    execution.kill()
    const ending = endingOf(await execution.result())
    // What it waited for has got the signal too and may take longer to go.
    mustEqual(
      { ...ending, quiescent: await execution.waitForExit() },
      { ...success, exitCode: 5, aborted: true, stdout: 'up\ncleaned\n' }
    )
  }
}

/** Must be killed, unless its end comes before it is deaf. */
const trapping: Kind = {
  weight: 3,
  async attempt(scene) {
    const execution = await start(scene, { command: "trap '' TERM; echo deaf; exec sleep 30" })
    await randomMoment(scene.random, 200)
    execution.kill()
    const ending = endingOf(await execution.result())
    const deaf: Ending = { ...aborted, signal: 'SIGKILL', stdout: 'deaf\n' }
    mustEqual(ending, deaf, { ...deaf, stdout: '' }, aborted, unstarted(aborted))
  }
}

async function said(execution: Awaited<ReturnType<typeof start>>, text: string): Promise<void> {
  const over = execution.done.then(() => true)
  const pause = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, 10, false))
  while (!execution.observed.stdout.readFrom(0).text.includes(text)) if (await Promise.race([over, pause()])) return
}

/** A context of its own that is disposed of in the middle of it all. */
const disposed: Kind = {
  weight: 1,
  async attempt(scene) {
    const context = await scene.another()
    const own: Scene = { ...scene, context }
    const executions = await Promise.all(
      ["trap '' TERM; exec sleep 30", 'exec sleep 30', 'sleep 30 & wait'].map((command) => start(own, { command }))
    )
    await randomMoment(scene.random, 60)
    await Promise.all([context.dispose(), context.dispose()])
    const killed: Ending = { ...aborted, signal: 'SIGKILL' }
    for (const execution of executions) {
      mustEqual(endingOf(await execution.result()), aborted, unstarted(aborted), killed)
    }
  }
}

export const endedKinds: Readonly<Record<string, Kind>> = {
  killed,
  aborted: abortedBySignal,
  late,
  'cleans-up': cleansUp,
  trapping,
  disposed
}
