import { describe, expect, it } from 'vitest'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobHooks, JobSpec } from '../../src/jobs/types.js'
import { completed, obedientJob, ScriptedJob } from './scripted-job.js'

function refusal(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    const { name, code, message } = error as Error & { code: string }
    return `${name} ${code}: ${message}`
  }
}

const failingRun = (): JobHooks => {
  throw new Error('no such luck')
}

describe('ids', () => {
  it('are counted for each kind, and a job that did not come to be uses up none', () => {
    const registry = new LocalJobRegistry()
    const start = (kind: string, run?: JobSpec['run']): unknown =>
      refusal(() => registry.start({ ...new ScriptedJob().spec({ kind }), ...(run && { run }) }).id)
    expect([
      start('bash'),
      start('agent'),
      start('bash', failingRun),
      start('bash', () => 5 as never),
      start('bash'),
      start('agent')
    ]).toEqual([
      'bash-1',
      'agent-1',
      'Error undefined: no such luck',
      'TypeError EINVAL: what spec.run returned must be JobHooks; got 5',
      'bash-2',
      'agent-2'
    ])
    expect(registry.list().map(({ id }) => id)).toEqual(['bash-1', 'agent-1', 'bash-2', 'agent-2'])
  })

  it('never repeat, even when jobs are started from within the start of one that fails', () => {
    const registry = new LocalJobRegistry()
    const outer = new ScriptedJob().spec()
    let inner: string | undefined
    const nested = (): JobHooks => {
      inner = registry.start(new ScriptedJob().spec()).id
      throw new Error('after all not')
    }
    expect(refusal(() => registry.start({ ...outer, run: nested }))).toBe('Error undefined: after all not')
    expect([inner, registry.start(outer).id, registry.list().length]).toEqual(['work-2', 'work-3', 2])
  })

  it('go to the job itself, whose run is called once, as a method, and before start returns', () => {
    const registry = new LocalJobRegistry()
    const job = new ScriptedJob()
    const spec = job.spec({ kind: 'bash', owner: 'a', outputLimitBytes: 500, label: 'npm test' })
    const startedAt = Date.now()
    const snapshot = registry.start(spec)
    expect(job.ids).toEqual(['bash-1'])
    expect(snapshot).toEqual({
      id: 'bash-1',
      kind: 'bash',
      label: 'npm test',
      owner: 'a',
      state: 'running',
      detail: undefined,
      outputLimitBytes: 500,
      startedAt: expect.any(Number),
      endedAt: undefined,
      reported: false
    })
    expect(snapshot.startedAt).toBeGreaterThanOrEqual(startedAt)
    expect(Object.isFrozen(snapshot)).toBe(true)
    const receiver = { ...spec, run: notesReceiver }
    registry.start(receiver)
    expect(receivers).toEqual([receiver])
  })
})

const receivers: unknown[] = []
function notesReceiver(this: unknown): JobHooks {
  receivers.push(this)
  return new ScriptedJob()
}

describe('what is checked before a job runs', () => {
  const job = (): ScriptedJob => new ScriptedJob()

  it('is checked in this order: the owner is served, kind, label, limit, the owner is not ending, the number of jobs', async () => {
    const served = new Set<string | undefined>([])
    const registry = new LocalJobRegistry({ maxActivePerOwner: 1, serves: (owner) => served.has(owner) })
    const late = job()
    const wrong = { owner: 'a', kind: '', label: ' ', outputLimitBytes: 0 }
    const refused = (more: object): unknown => {
      const spec = { ...job().spec(), ...wrong, ...more }
      const ofPreflight = refusal(() => registry.preflight(spec))
      const ofStart = refusal(() => registry.start({ ...spec, run: () => expect.fail('nothing may run') }))
      expect(ofStart).toBe(ofPreflight)
      return ofPreflight
    }
    served.add('a')
    registry.start(late.spec({ owner: 'a' }))
    served.delete('a')
    const ending = registry.disposeOwner('a')
    const right = { kind: 'bash', label: 'x', outputLimitBytes: 1 }
    expect(refused({})).toBe('JobError JOB_OWNER_UNSERVED: cannot start a job: owner "a" is not served')
    expect(refused({ owner: undefined })).toBe(
      'JobError JOB_OWNER_UNSERVED: cannot start a job: jobs without an owner are not served'
    )
    served.add('a')
    expect(refused({})).toBe("TypeError EINVAL: spec.kind must not be blank; got ''")
    expect(refused({ kind: 'bash' })).toBe("TypeError EINVAL: spec.label must not be blank; got ' '")
    expect(refused({ ...right, outputLimitBytes: 0 })).toBe(
      'RangeError EINVAL: spec.outputLimitBytes must be a positive safe integer; got 0'
    )
    expect(refused(right)).toBe('JobError JOB_OWNER_UNSERVED: cannot start a job: owner "a" is being disposed')
    late.settle(completed)
    await ending
    registry.start(job().spec({ owner: 'a' }))
    expect(refused(right)).toBe(
      'JobError JOB_LIMIT: cannot start a job: 1 of owner "a" are active; wait for one to end, or kill one'
    )
  })

  it.each([
    [null, 'spec must be a JobSpec; got null'],
    [[], 'spec must be a JobSpec; got []'],
    [{ kind: 5 }, 'spec.kind must be a string; got 5'],
    [{ kind: 'a\0' }, "spec.kind must not contain a NUL byte (offset 1); got 'a\\x00'"],
    [{ label: undefined }, 'spec.label must be a string; got undefined'],
    [{ owner: '' }, "spec.owner must not be empty; got ''"],
    [{ owner: 5 }, 'spec.owner must be a string; got 5'],
    [{ outputLimitBytes: '5' }, "spec.outputLimitBytes must be a positive safe integer; got '5'"],
    [{ limit: 5 }, 'spec.limit is an unknown option; got 5'],
    [{ run: undefined }, 'spec.run must be a function; got undefined']
  ])('names what is wrong with %o', (more, message) => {
    const registry = new LocalJobRegistry()
    const spec = more === null || Array.isArray(more) ? more : { ...job().spec(), ...more }
    expect(refusal(() => registry.start(spec as never))).toBe(`TypeError EINVAL: ${message}`)
  })

  it('is ten active jobs for each owner, running and stopping together, and for those without one', async () => {
    const registry = new LocalJobRegistry()
    const jobs = Array.from({ length: 10 }, job)
    for (const one of jobs) registry.start(one.spec({ owner: 'a' }))
    for (let count = 0; count < 10; count++) registry.start(job().spec())
    registry.start(job().spec({ owner: 'b' }))
    const ofA = (): unknown => refusal(() => registry.start(job().spec({ owner: 'a' })).id)
    const tooMany = 'cannot start a job: 10 of owner "a" are active; wait for one to end, or kill one'
    expect(ofA()).toBe(`JobError JOB_LIMIT: ${tooMany}`)
    expect(refusal(() => registry.start(job().spec()))).toBe(
      'JobError JOB_LIMIT: cannot start a job: 10 of jobs without an owner are active; wait for one to end, or kill one'
    )
    registry.kill('work-1', { owner: 'a' })
    expect(ofA()).toBe(`JobError JOB_LIMIT: ${tooMany}`)
    jobs[0]?.settle(completed)
    await registry.wait('work-1', { owner: 'a' })
    expect(ofA()).toBe('work-22')
  })

  it('counts a job that is on its way', () => {
    const registry = new LocalJobRegistry({ maxActivePerOwner: 1 })
    let inner: unknown
    const run = (): JobHooks => {
      inner = refusal(() => registry.start(job().spec()))
      return job()
    }
    registry.start({ ...job().spec(), run })
    expect(inner).toMatch(/^JobError JOB_LIMIT/)
  })
})

describe('hooks that are none', () => {
  const startWith = (hooks: unknown): unknown =>
    refusal(() => new LocalJobRegistry().start({ ...new ScriptedJob().spec(), run: () => hooks as JobHooks }))
  const said = (problem: string): unknown => expect.stringContaining(`what spec.run returned ${problem}; got`)

  it('are refused by name, and what they began is asked to end', async () => {
    const reasons: string[] = []
    const cancel = (reason: string): void => void reasons.push(reason)
    const rejected = Promise.reject(new Error('nobody looks at this'))
    expect(startWith(undefined)).toEqual(said('must be JobHooks'))
    expect(startWith({ cancel })).toEqual(said('must have a promise done'))
    expect(startWith({ done: rejected })).toEqual(said('must have a function cancel'))
    expect(startWith({ cancel, done: rejected, notes: 5 })).toEqual(said('must have notes as a function, or none'))
    expect(startWith(Promise.resolve({ cancel, done: rejected }))).toEqual(
      said('must be JobHooks and no promise of them: run is synchronous')
    )
    expect(startWith(Promise.reject(new Error('nor at this')))).toEqual(
      said('must be JobHooks and no promise of them: run is synchronous')
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(reasons).toEqual(Array(3).fill('the job could not be registered'))
  })

  it('may throw when they are cancelled, and the refusal is the same', () => {
    const hooks = {
      cancel: () => {
        throw new Error('not now')
      }
    }
    expect(startWith(hooks)).toEqual(said('must have a promise done'))
  })
})

it('starts nothing once it has been disposed, and knows nothing any more', async () => {
  const registry = new LocalJobRegistry()
  registry.start(obedientJob().spec())
  const disposal = registry.dispose()
  const refused = 'JobError JOB_REGISTRY_DISPOSED: cannot start a job: the job registry has been disposed'
  const start = (): unknown => refusal(() => registry.start({ ...new ScriptedJob().spec(), kind: '' }))
  expect(start()).toBe(refused)
  await disposal
  expect([start(), registry.list()]).toEqual([refused, []])
})

describe('options', () => {
  it.each([
    [{ maxActivePerOwner: 0 }, 'RangeError', 'maxActivePerOwner must be a positive safe integer; got 0'],
    [{ maxEndedPerOwner: '5' }, 'TypeError', "maxEndedPerOwner must be a positive safe integer; got '5'"],
    [{ outputLimitBytes: 1.5 }, 'RangeError', 'outputLimitBytes must be a positive safe integer; got 1.5'],
    [
      { disposeTimeoutMs: Number.NaN },
      'RangeError',
      'disposeTimeoutMs must be a positive finite number no greater than 2147483647; got NaN'
    ],
    [{ serves: true }, 'TypeError', 'serves must be a function; got true'],
    [{ onWarning: 5 }, 'TypeError', 'onWarning must be a function; got 5'],
    [{ maxActive: 5 }, 'TypeError', 'maxActive is an unknown option; got 5'],
    [null, 'TypeError', 'options must be an object; got null'],
    [new Map(), 'TypeError', 'options must be an object; got Map(0) {}']
  ])('%o are refused by name', (options, name, message) => {
    expect(refusal(() => new LocalJobRegistry(options as never))).toBe(`${name} EINVAL: ${message}`)
  })
})
