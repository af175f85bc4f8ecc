import { describe, expect, vi } from 'vitest'
import { LocalBashExecutor } from '../../src/shell/local-bash.js'
import type { SubprocessRuntime } from '../../src/subprocess/runtime.js'
import type { SubprocessHandle } from '../../src/subprocess/types.js'
import { cCompiler } from '../fixtures/compiled.js'
import { isAlive, survivorsOf } from '../fixtures/shell/live-processes.js'
import { feature } from '../setup/features.js'
import { until } from '../subprocess/behaviour/observe.js'
import { describeEachProvider, type Provider } from '../subprocess/behaviour/providers.js'
import { type Random, randomFrom } from '../subprocess/output/random.js'
import { type Ended, endAtRandom } from './random-ends.js'
import { canChooseNumbers, Sentinels } from './sentinels.js'

vi.setConfig({ testTimeout: 120_000 })

const roundCount = 20
const commandsPerRound = 10
const graceMs = 60
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
const mark = `stress-${process.pid}`

const commands = ['exec sleep 60', "trap '' TERM; exec sleep 60", 'sleep 60 & sleep 60 | cat; wait']
/** Only where its range holds it. */
const escaping = '(setsid sleep 60 &); wait; exec sleep 60'
const holdsEscapes: ReadonlySet<string> = new Set(['cgroup', 'supervisor'])

const withCompiler = feature('a C compiler', cCompiler)

/** The handles that `runtime` gives out, as they come. */
function recordHandles(runtime: SubprocessRuntime): SubprocessHandle[] {
  const handles: SubprocessHandle[] = []
  const spawn = runtime.spawn.bind(runtime)
  runtime.spawn = (spec) => {
    const handle = spawn(spec)
    handles.push(handle)
    return handle
  }
  return handles
}

/** Of those that were asked for; the disposal, which ends what is left, tells the same as `kill`. */
async function expectOneCause({ ways, execution }: Ended, handle: SubprocessHandle | undefined): Promise<void> {
  const { timedOut, aborted, exitCode, signal } = await execution.result()
  const told = { timedOut, aborted, cause: handle?.facts.cause }
  const deadline = { timedOut: true, aborted: false, cause: 'deadline' }
  const terminate = { timedOut: false, aborted: true, cause: 'terminate' }
  expect(ways.includes('deadline') ? [deadline, terminate] : [terminate]).toContainEqual(told)
  // `null` if it was ended before there was a process.
  expect({ exitCode, signal: [null, 'SIGTERM', 'SIGKILL'].includes(signal) }).toEqual({ exitCode: null, signal: true })
  expect(await execution.waitForExit()).toBe(true)
}

async function round(provider: Provider, sentinels: Sentinels, random: Random): Promise<number[]> {
  const runtime = provider.create()
  const handles = recordHandles(runtime)
  const shell = new LocalBashExecutor({ subprocess: runtime, graceMs })
  const choice = holdsEscapes.has(runtime.range.kind) ? [...commands, escaping] : commands
  const chosen = Array.from({ length: commandsPerRound }, () => choice[random(choice.length)] ?? '')
  sentinels.take('next')
  const ended = await endAtRandom(shell, runtime, chosen, { QUIESCE_STRESS: mark }, random)
  expect(survivorsOf(`QUIESCE_STRESS=${mark}`)).toEqual([])
  for (const [index, one] of ended.entries()) await expectOneCause(one, handles[index])
  const pids = handles.map(({ pid }) => pid).filter((pid) => pid > 0)
  const known = sentinels.taken.length + sentinels.refused.length
  for (const pid of pids) sentinels.take(pid)
  await until(() => sentinels.taken.length + sentinels.refused.length >= known + pids.length)
  // Whoever has the numbers now must not be reached by what is still held.
  for (const { execution, controller } of ended) {
    controller.abort()
    execution.kill()
  }
  for (const handle of handles) handle.terminate()
  await runtime.dispose()
  return pids
}

describeEachProvider((provider) => {
  const count = roundCount * commandsPerRound
  withCompiler(
    `${count} ends at random moments hang nowhere, have one cause each, leave no orphan, hit nobody else`,
    async () => {
      const random = randomFrom(seed)
      const sentinels = new Sentinels()
      const pids: number[] = []
      try {
        for (let number = 0; number < roundCount; number++) pids.push(...(await round(provider, sentinels, random)))
      } catch (error) {
        throw new Error(`SEED=${seed}`, { cause: error })
      } finally {
        await sentinels.end()
      }
      const { signals, taken } = sentinels
      const recycled = taken.some((pid) => pids.includes(pid))
      expect({ signals, recycled }).toEqual({ signals: [], recycled: await canChooseNumbers() })
    }
  )
})

describe('the bystanders', () => {
  withCompiler('tell what reaches them, so that their silence says something', async () => {
    const sentinels = new Sentinels()
    sentinels.take('next')
    sentinels.take('next')
    await until(() => sentinels.taken.length === 2)
    const [first = 0, second = 0] = sentinels.taken
    process.kill(-first, 'SIGTERM')
    await until(() => sentinels.signals.length === 1)
    process.kill(second, 'SIGKILL')
    await until(() => !isAlive(second))
    await sentinels.end()
    expect(sentinels.signals).toEqual([`${first} got 15`, `${second} got 9`])
  })
})
