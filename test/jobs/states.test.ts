import { describe, expect, it } from 'vitest'
import type { JobError } from '../../src/errors/job-error.js'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobOutcome } from '../../src/jobs/types.js'
import type { RuntimeWarning } from '../../src/subprocess/local/options.js'
import { completed, obedientJob, ScriptedJob } from './scripted-job.js'

function scene() {
  const warnings: RuntimeWarning[] = []
  const registry = new LocalJobRegistry({ onWarning: (warning) => warnings.push(warning) })
  const job = new ScriptedJob()
  const { id } = registry.start(job.spec())
  const state = (): unknown => {
    const { state, detail } = registry.get(id)
    return [state, detail]
  }
  return { registry, job, id, state, warnings }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ['resolved', value],
    ({ name, code, message, cause, jobId }: JobError) => ({ name, code, message, cause, jobId })
  )
}

describe('the end of a job', () => {
  it.each<[JobOutcome]>([
    [{ state: 'completed', detail: 'exit code: 1' }],
    [{ state: 'killed', detail: 'signal: SIGTERM' }],
    [{ state: 'failed', detail: 'no such folder' }],
    [{ state: 'completed' }]
  ])('is what done says: %o', async (outcome) => {
    const { registry, job, id, state, warnings } = scene()
    const before = Date.now()
    job.settle(outcome)
    const told = await registry.wait(id)
    expect(told).toMatchObject({ state: outcome.state, detail: outcome.detail, reported: true })
    expect(told.endedAt).toBeGreaterThanOrEqual(before)
    expect([state(), warnings]).toEqual([[outcome.state, outcome.detail], []])
  })

  it('is failed, with a warning, when done rejects', async () => {
    const { registry, job, id, warnings } = scene()
    job.reject(new Error('the disk is gone'))
    expect(await registry.wait(id)).toMatchObject({ state: 'failed', detail: 'the disk is gone' })
    expect(warnings).toEqual([{ code: 'QUIESCE_JOB_FAILED', message: 'job work-1 failed: the disk is gone' }])
  })

  it.each([
    ['undefined', undefined],
    ['another state', { state: 'stopping' }],
    ['a text', 'completed']
  ])('is failed when done tells no outcome: %s', async (_, outcome) => {
    const { registry, job, id, warnings } = scene()
    job.settle(outcome as never)
    expect(await registry.wait(id)).toMatchObject({ state: 'failed', detail: 'it ended without an outcome' })
    expect(warnings).toHaveLength(1)
  })

  it('is failed in words even for what cannot be printed', async () => {
    const { registry, job, id } = scene()
    job.reject(Object.create(null))
    expect(await registry.wait(id)).toMatchObject({ state: 'failed', detail: 'an unprintable failure' })
  })

  it('is the first one that comes, from a thenable of foreign make too', async () => {
    const registry = new LocalJobRegistry()
    const done = {
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library that settles twice is what is tested
      then(resolve: (outcome: JobOutcome) => void, reject: (error: unknown) => void) {
        resolve(completed)
        resolve({ state: 'failed' })
        reject(new Error('late'))
      }
    }
    const { id } = registry.start({ kind: 'a', label: 'b', run: () => ({ cancel: () => {}, done: done as never }) })
    expect(await registry.wait(id)).toMatchObject(completed)
  })
})

describe('kill', () => {
  it('cancels with the reason and says stopping until the end has come', async () => {
    const { registry, job, id, state } = scene()
    const seen: unknown[] = []
    job.onCancel = () => seen.push(state())
    expect(registry.kill(id, { reason: 'no longer needed' })).toBe('requested')
    expect([job.reasons, seen, state()]).toEqual([
      ['no longer needed'],
      [['running', undefined]],
      ['stopping', undefined]
    ])
    expect(registry.kill(id)).toBe('requested')
    expect(job.reasons).toEqual(['no longer needed', 'killed'])
    job.settle({ state: 'killed', detail: 'signal: SIGTERM' })
    await registry.wait(id)
    expect(registry.kill(id)).toBe('already-finished')
    expect([job.reasons.length, state()]).toEqual([2, ['killed', 'signal: SIGTERM']])
  })

  it('leaves everything as it was when cancelling throws', async () => {
    const { registry, job, id } = scene()
    const before = registry.get(id)
    const failure = new Error('not now')
    job.onCancel = () => {
      throw failure
    }
    expect(() => registry.kill(id)).toThrow(failure)
    expect(registry.get(id)).toEqual(before)
    job.onCancel = () => {}
    expect([registry.kill(id), registry.get(id).state]).toEqual(['requested', 'stopping'])
    job.onCancel = () => {
      throw failure
    }
    expect(() => registry.kill(id)).toThrow(failure)
    expect(registry.get(id).state).toBe('stopping')
  })

  it('from within cancel asks for nothing more, and a job that completes all the same has completed', async () => {
    const { registry, job, id } = scene()
    const inner: unknown[] = []
    job.onCancel = () => inner.push(registry.kill(id))
    registry.kill(id)
    expect([inner, job.reasons.length]).toEqual([['requested'], 1])
    job.settle(completed)
    expect(await registry.wait(id)).toMatchObject(completed)
  })

  it('does nothing to a job that settles and is then cancelled in the same turn', async () => {
    const { registry, job, id } = scene()
    job.settle(completed)
    expect(registry.kill(id)).toBe('requested')
    expect(await registry.wait(id)).toMatchObject({ ...completed, reported: true })
  })
})

describe('wait', () => {
  it('is over when its time is, with the live state, and the job goes on', async () => {
    const { registry, job, id } = scene()
    expect(await registry.wait(id, { timeoutMs: 0 })).toMatchObject({ state: 'running', reported: false })
    expect(await registry.wait(id, { timeoutMs: 20 })).toMatchObject({ state: 'running', reported: false })
    expect(job.reasons).toEqual([])
  })

  it('rejects when its signal aborts and stops only itself', async () => {
    const { registry, job, id, state } = scene()
    const controller = new AbortController()
    const others = [registry.wait(id), registry.wait(id, { timeoutMs: 60_000 })]
    const aborted = registry.wait(id, { signal: controller.signal, timeoutMs: 60_000 })
    controller.abort('enough')
    const expected = { name: 'JobError', code: 'WAIT_ABORTED', message: 'wait aborted', cause: 'enough', jobId: id }
    expect(await rejection(aborted)).toEqual(expected)
    expect([state(), job.reasons]).toEqual([['running', undefined], []])
    job.settle(completed)
    expect(await Promise.all(others)).toMatchObject([completed, completed])
    expect(await rejection(registry.wait(id, { signal: controller.signal }))).toEqual(expected)
  })

  it('is for any number of callers, who share a signal without a warning of Node', async () => {
    const { registry, job, id } = scene()
    const leaks: string[] = []
    const listen = ({ name }: Error): void => void leaks.push(name)
    process.on('warning', listen)
    const { signal } = new AbortController()
    const waits = Array.from({ length: 100 }, () => registry.wait(id, { signal }))
    await turn()
    process.off('warning', listen)
    job.settle(completed)
    const told = await Promise.all(waits)
    expect([new Set(told.map(({ state }) => state)), leaks]).toEqual([new Set(['completed']), []])
  })

  it.each([
    [{ timeoutMs: -1 }, 'RangeError', 'request.timeoutMs must be a number from 0 to 2147483647; got -1'],
    [{ timeoutMs: 2 ** 31 }, 'RangeError', 'request.timeoutMs must be a number from 0 to 2147483647; got 2147483648'],
    [{ timeoutMs: '5' }, 'TypeError', "request.timeoutMs must be a number from 0 to 2147483647; got '5'"],
    [{ signal: {} }, 'TypeError', 'request.signal must be an AbortSignal; got {}'],
    [{ timeout: 5 }, 'TypeError', 'request.timeout is an unknown option; got 5'],
    [[], 'TypeError', 'request must be an object; got []']
  ])('names what is wrong with %o', async (request, name, message) => {
    const { registry, id } = scene()
    const refused = { name, code: 'EINVAL', message, cause: undefined, jobId: undefined }
    expect(await rejection(registry.wait(id, request as never))).toEqual(refused)
  })
})

describe('reported', () => {
  const reportedAfter = async (
    before: (registry: LocalJobRegistry, id: string) => unknown,
    after: (registry: LocalJobRegistry, id: string) => unknown
  ): Promise<[atEnd: boolean | undefined, afterwards: boolean]> => {
    const { registry, job, id } = scene()
    let atEnd: boolean | undefined
    registry.onCompletion(({ reported }) => {
      atEnd = reported
    })
    before(registry, id)
    job.settle(completed)
    await turn()
    await after(registry, id)
    return [atEnd, registry.get(id).reported]
  }
  const nothing = (): void => {}

  it('is set by a wait, a read and a kill, and not by a look at the job', async () => {
    const looks = (registry: LocalJobRegistry, id: string): void => {
      registry.get(id)
      registry.list()
    }
    expect(await reportedAfter(nothing, looks)).toEqual([false, false])
    expect(await reportedAfter((registry, id) => registry.read(id), nothing)).toEqual([false, false])
    expect(await reportedAfter(nothing, (registry, id) => registry.read(id))).toEqual([false, true])
    expect(await reportedAfter(nothing, (registry, id) => registry.wait(id))).toEqual([false, true])
    expect(await reportedAfter(nothing, (registry, id) => registry.kill(id))).toEqual([false, true])
    expect(await reportedAfter((registry, id) => registry.wait(id), nothing)).toEqual([true, true])
    expect(await reportedAfter((registry, id) => registry.kill(id), nothing)).toEqual([true, true])
  })

  it('is not set by a wait that was over, or given up, before the end', async () => {
    const waits = (registry: LocalJobRegistry, id: string): void => {
      const controller = new AbortController()
      void registry.wait(id, { timeoutMs: 0 })
      void registry.wait(id, { signal: controller.signal }).catch(() => {})
      controller.abort()
    }
    expect(await reportedAfter(waits, nothing)).toEqual([false, false])
  })

  it('is set by the disposal of the owner', async () => {
    const registry = new LocalJobRegistry()
    const told: unknown[] = []
    registry.onCompletion(({ id, state, reported }) => told.push([id, state, reported]))
    registry.start(obedientJob().spec({ owner: 'a' }))
    await registry.disposeOwner('a')
    expect(told).toEqual([['work-1', 'killed', true]])
  })
})

describe('completion listeners', () => {
  it('are called once for each job, until they are taken away, the same one as often as it was given', async () => {
    const { registry, job, id } = scene()
    const told: string[] = []
    const listener = ({ id, state }: { id: string; state: string }): void => void told.push(`${id} ${state}`)
    registry.onCompletion(listener)
    const takeAway = registry.onCompletion(listener)
    job.settle(completed)
    await registry.wait(id)
    expect(told).toEqual(['work-1 completed', 'work-1 completed'])
    takeAway()
    takeAway()
    const second = new ScriptedJob()
    registry.start(second.spec())
    second.reject(new Error('x'))
    await registry.wait('work-2')
    expect(told.slice(2)).toEqual(['work-2 failed'])
  })

  it('harm nobody when they throw or reject', async () => {
    const { registry, job, id, warnings } = scene()
    const told: string[] = []
    registry.onCompletion(() => {
      throw new Error('first')
    })
    registry.onCompletion((async () => {
      throw new Error('second')
    }) as never)
    registry.onCompletion(({ id }) => told.push(id))
    job.settle(completed)
    expect(await registry.wait(id)).toMatchObject(completed)
    await turn()
    const message = (text: string): string => `a completion listener failed for job work-1: ${text}`
    expect([told, warnings]).toEqual([
      ['work-1'],
      [
        { code: 'QUIESCE_JOB_LISTENER', message: message('first') },
        { code: 'QUIESCE_JOB_LISTENER', message: message('second') }
      ]
    ])
  })

  it('may use the registry, and take each other away', async () => {
    const { registry, job, id } = scene()
    const told: unknown[] = []
    registry.onCompletion(({ id }) => {
      takeAway()
      told.push(registry.get(id).state)
      told.push(registry.kill(id))
      told.push(registry.start(obedientJob().spec()).id)
      void registry.dispose()
    })
    const takeAway = registry.onCompletion(() => told.push('it was taken away'))
    job.settle(completed)
    await turn()
    await registry.dispose()
    // It was called for the job that it had started too, and could start no more by then.
    expect(told).toEqual(['completed', 'already-finished', 'work-2', 'killed', 'already-finished'])
    expect(() => registry.get(id)).toThrow('no job work-1: it has ended and is no longer kept')
  })

  it('are functions', () => {
    expect(() => new LocalJobRegistry().onCompletion(5 as never)).toThrow('listener must be a function; got 5')
  })

  it('a sink of warnings that throws harms nobody', async () => {
    const onWarning = (): never => {
      throw new Error('no warnings today')
    }
    const registry = new LocalJobRegistry({ onWarning })
    const job = new ScriptedJob()
    registry.start(job.spec())
    job.reject(new Error('x'))
    expect(await registry.wait('work-1')).toMatchObject({ state: 'failed', detail: 'x' })
  })
})
