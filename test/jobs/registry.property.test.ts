// Any order of calls, with jobs whose hooks misbehave in every way: what must hold of the registry as a whole, whatever
// happens to a single job.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobOutcome, JobSnapshot, JobState } from '../../src/jobs/types.js'
import type { RuntimeWarning } from '../../src/subprocess/local/options.js'
import { ScriptedJob } from './scripted-job.js'

const maxActive = 3
const owners = ['a', 'b', undefined] as const

const outcomes: readonly JobOutcome[] = [{ state: 'completed' }, { state: 'killed', detail: 'x' }, { state: 'failed' }]

/** What a job does when it is cancelled. */
const manners = {
  obeys: (job: ScriptedJob) => job.settle({ state: 'killed' }),
  'obeys and throws': (job: ScriptedJob) => {
    job.settle({ state: 'killed' })
    throw new Error('after it has obeyed')
  },
  throws: () => {
    throw new Error('no')
  },
  'does nothing': () => {},
  rejects: (job: ScriptedJob) => job.reject(new Error('it fell over')),
  'settles twice': (job: ScriptedJob) => {
    job.settle({ state: 'completed' })
    job.settle({ state: 'failed' })
    job.reject(new Error('too much'))
  },
  'gives nonsense': (job: ScriptedJob) => job.settle(null as never)
} as const

type Manner = keyof typeof manners

const which = fc.nat({ max: 11 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      owner: fc.constantFrom(...owners),
      manner: fc.constantFrom(...(Object.keys(manners) as Manner[]))
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('settle' as const), which, outcome: fc.constantFrom(...outcomes) })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('kill' as const, 'wait' as const, 'abandon' as const, 'read' as const, 'forget' as const),
      which
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('disposeOwner' as const),
      owner: fc.constantFrom('a' as const, 'b' as const)
    })
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) }
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const isActive = (state: JobState): boolean => state === 'running' || state === 'stopping'
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class Scene {
  /** What the listener below found wrong: the registry keeps its errors from everybody else. */
  readonly faults: RuntimeWarning[] = []
  readonly registry = new LocalJobRegistry({
    maxActivePerOwner: maxActive,
    maxEndedPerOwner: 4,
    disposeTimeoutMs: 10,
    onWarning: (warning) => void (warning.code === 'QUIESCE_JOB_LISTENER' && this.faults.push(warning))
  })
  readonly jobs: { readonly script: ScriptedJob; readonly id: string; readonly owner: string | undefined }[] = []
  readonly told = new Map<string, JobSnapshot>()
  readonly waits: Promise<unknown>[] = []
  readonly disposals: Promise<void>[] = []

  constructor() {
    this.registry.onCompletion((job) => {
      if (this.told.has(job.id)) throw new Error(`${job.id} is told twice`)
      this.told.set(job.id, job)
      // A listener may look at what it is told of, and that is still there.
      expect(this.registry.get(job.id, { owner: job.owner })).toEqual(job)
    })
  }

  /** Every error that a step may meet is one of this registry or of the job's own cancel. */
  take(step: Step): void {
    try {
      this.#take(step)
    } catch (error) {
      const { name, message } = error as Error
      if (name !== 'JobError' && message !== 'no' && message !== 'after it has obeyed') throw error
    }
  }

  #take(step: Step): void {
    const { registry } = this
    if (step.do === 'turn') return
    if (step.do === 'disposeOwner') return void this.disposals.push(registry.disposeOwner(step.owner))
    if (step.do === 'start') return void this.#start(step.owner, step.manner)
    const job = this.jobs[step.which % Math.max(this.jobs.length, 1)]
    if (job === undefined) return
    const { id, owner, script } = job
    if (step.do === 'settle') return void script.settle(step.outcome)
    if (step.do === 'kill') return void registry.kill(id, { owner })
    if (step.do === 'read') return void registry.read(id, { owner })
    if (step.do === 'forget') return void registry.forget(id, { owner })
    const controller = new AbortController()
    // A wait for a job that is not known any more rejects, as one that is given up.
    const wait = registry.wait(id, { owner, signal: controller.signal })
    this.waits.push(wait.catch(({ name }: Error) => expect(name).toBe('JobError')))
    if (step.do === 'abandon') controller.abort()
  }

  #start(owner: string | undefined, manner: Manner): void {
    const active = this.active(owner)
    const script = new ScriptedJob()
    script.onCancel = () => manners[manner](script)
    try {
      this.jobs.push({ script, owner, id: this.registry.start(script.spec({ owner })).id })
      expect(active).toBeLessThan(maxActive)
    } catch (error) {
      expect(error).toMatchObject({ code: active >= maxActive ? 'JOB_LIMIT' : 'JOB_OWNER_UNSERVED' })
    }
  }

  active(owner: string | undefined): number {
    return this.registry.list({ owner }).filter((job) => job.owner === owner && isActive(job.state)).length
  }

  check(): void {
    for (const owner of owners) {
      const own = this.registry.list({ owner }).filter((job) => job.owner === owner)
      const ended = own.filter(({ state }) => !isActive(state))
      expect(ended.length).toBeLessThanOrEqual(4)
      // An end stays as it was told, but for who knows of it.
      for (const job of ended) expect({ ...job, reported: true }).toEqual({ ...this.told.get(job.id), reported: true })
      for (const job of own) if (isActive(job.state)) expect(this.told.has(job.id)).toBe(false)
    }
  }
}

it('every job ends once and is told once, every wait is answered, and nobody is served beyond what is allowed', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const scene = new Scene()
    for (const one of steps) {
      scene.take(one)
      if (one.do === 'turn') await turn()
      scene.check()
    }
    await scene.registry.dispose()
    await Promise.all([...scene.waits, ...scene.disposals])
    expect(scene.faults).toEqual([])
    expect([...scene.told.keys()].sort()).toEqual(scene.jobs.map(({ id }) => id).sort())
    expect(new Set(scene.jobs.map(({ id }) => id)).size).toBe(scene.jobs.length)
    expect(owners.flatMap((owner) => scene.registry.list({ owner }))).toEqual([])
  })
  await fc.assert(property, { numRuns: 150 })
})
