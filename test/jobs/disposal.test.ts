import { describe, expect, it } from 'vitest'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobHooks, JobSnapshot } from '../../src/jobs/types.js'
import type { RuntimeWarning } from '../../src/subprocess/local/options.js'
import { completed, obedientJob, ScriptedJob } from './scripted-job.js'

function scene(disposeTimeoutMs = 60_000) {
  const warnings: RuntimeWarning[] = []
  const told: [id: string, state: string, detail: string | undefined][] = []
  const registry = new LocalJobRegistry({ disposeTimeoutMs, onWarning: (warning) => warnings.push(warning) })
  const unreported: string[] = []
  registry.onCompletion(({ id, state, detail, reported }: JobSnapshot) => {
    told.push([id, state, detail])
    if (!reported) unreported.push(id)
  })
  return { registry, warnings, told, unreported }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const refusing = (): ScriptedJob => {
  const job = new ScriptedJob()
  job.onCancel = () => {
    throw new Error('it refuses')
  }
  return job
}

const refused = 'cancelling it failed (it refuses); its work may be orphaned'

describe('the disposal of an owner', () => {
  it('cancels its jobs, waits for all of them and forgets them, and leaves those of others alone', async () => {
    const { registry, told } = scene()
    const slow = new ScriptedJob()
    const other = new ScriptedJob()
    const nobodys = new ScriptedJob()
    registry.start(slow.spec({ owner: 'a' }))
    registry.start(obedientJob().spec({ owner: 'a' }))
    registry.start(other.spec({ owner: 'b' }))
    registry.start(nobodys.spec())
    let over = false
    const disposal = registry.disposeOwner('a').then(() => {
      over = true
    })
    expect(registry.disposeOwner('a')).toBeInstanceOf(Promise)
    await turn()
    expect([slow.reasons, over]).toEqual([['its owner is gone'], false])
    expect(registry.get('work-1', { owner: 'a' }).state).toBe('stopping')
    slow.settle({ state: 'killed', detail: 'signal: SIGTERM' })
    await disposal
    expect(told).toEqual([
      ['work-2', 'killed', 'as asked'],
      ['work-1', 'killed', 'signal: SIGTERM']
    ])
    expect(() => registry.get('work-1', { owner: 'a' })).toThrow('no job work-1')
    expect([other.reasons, nobodys.reasons, registry.list({ owner: 'b' }).length]).toEqual([[], [], 2])
  })

  it('frees the owner for other jobs once it is over', async () => {
    const { registry } = scene()
    registry.start(obedientJob().spec({ owner: 'a' }))
    const disposals = [registry.disposeOwner('a'), registry.disposeOwner('a')]
    expect(() => registry.start(obedientJob().spec({ owner: 'a' }))).toThrow('owner "a" is being disposed')
    await Promise.all(disposals)
    expect(registry.start(obedientJob().spec({ owner: 'a' })).id).toBe('work-2')
    await registry.disposeOwner('a')
    await registry.disposeOwner('nobody that is known')
  })

  it('forgets ended jobs too', async () => {
    const { registry } = scene()
    const job = new ScriptedJob()
    registry.start(job.spec({ owner: 'a' }))
    job.settle(completed)
    await registry.wait('work-1', { owner: 'a' })
    await registry.disposeOwner('a')
    expect(registry.list({ owner: 'a' })).toEqual([])
  })

  it('fails only the record of a job whose cancel throws, and says that its work may be orphaned', async () => {
    const { registry, warnings, told } = scene()
    const job = refusing()
    registry.start(job.spec({ owner: 'a' }))
    registry.start(obedientJob().spec({ owner: 'a' }))
    const wait = registry.wait('work-1', { owner: 'a' })
    await registry.disposeOwner('a')
    expect(await wait).toMatchObject({ state: 'failed', detail: refused })
    expect(told).toEqual([
      ['work-1', 'failed', refused],
      ['work-2', 'killed', 'as asked']
    ])
    expect(warnings).toEqual([{ code: 'QUIESCE_JOB_ORPHANED', message: `job work-1 was given up: ${refused}` }])
    // What becomes of it afterwards is no news of this registry.
    job.settle(completed)
    await turn()
    expect([told.length, warnings.length]).toEqual([2, 1])
  })

  it('takes an owner that can be one', () => {
    expect(() => new LocalJobRegistry().disposeOwner(undefined as never)).toThrow(
      'owner must be a string; got undefined'
    )
    expect(() => new LocalJobRegistry().disposeOwner('')).toThrow("owner must not be empty; got ''")
  })
})

describe('the disposal of all', () => {
  it('cancels every job, waits for each and forgets them; further calls wait for the same', async () => {
    const { registry, told, unreported } = scene()
    const slow = new ScriptedJob()
    registry.start(slow.spec({ owner: 'a' }))
    registry.start(obedientJob().spec({ owner: 'b' }))
    registry.start(refusing().spec())
    const disposals = [registry.dispose(), registry[Symbol.asyncDispose](), registry.disposeOwner('a')]
    await turn()
    expect(slow.reasons[0]).toBe('the job registry is being disposed')
    slow.settle(completed)
    await Promise.all(disposals)
    expect(told).toEqual([
      ['work-3', 'failed', refused],
      ['work-2', 'killed', 'as asked'],
      ['work-1', 'completed', 'exit code: 0']
    ])
    expect([registry.list({ owner: 'a' }), unreported]).toEqual([[], []])
    await registry.dispose()
  })

  it('gives up a job whose cancel does nothing after a bounded time, and says so', async () => {
    const { registry, warnings, told } = scene(50)
    const idle = new ScriptedJob()
    registry.start(idle.spec())
    registry.start(obedientJob().spec())
    const begin = performance.now()
    await registry.dispose()
    const reason = 'it has not ended within 50 ms of being cancelled; its work may be orphaned'
    expect(performance.now() - begin).toBeGreaterThanOrEqual(45)
    expect(told).toEqual([
      ['work-2', 'killed', 'as asked'],
      ['work-1', 'failed', reason]
    ])
    expect(warnings).toEqual([{ code: 'QUIESCE_JOB_ORPHANED', message: `job work-1 was given up: ${reason}` }])
  })

  it.each(['dispose', 'disposeOwner'] as const)(
    '%s ends a job from within whose start it was called',
    async (method) => {
      const { registry, told } = scene()
      const job = obedientJob()
      let disposal: Promise<void> | undefined
      const run = (): JobHooks => {
        disposal = method === 'dispose' ? registry.dispose() : registry.disposeOwner('a')
        return job
      }
      expect(registry.start({ ...job.spec({ owner: 'a' }), run }).state).toBe('running')
      await disposal
      expect([told, job.reasons.length]).toEqual([[['work-1', 'killed', 'as asked']], 1])
    }
  )

  it('survives hooks that dispose, kill, start and settle from within cancel', async () => {
    const { registry, told } = scene()
    const job = new ScriptedJob()
    const other = obedientJob()
    const disposals: Promise<void>[] = []
    job.onCancel = () => {
      disposals.push(registry.dispose())
      void registry.disposeOwner('a')
      registry.kill('work-2', { owner: 'a' })
      expect(() => registry.start(obedientJob().spec())).toThrow('has been disposed')
      job.settle(completed)
      job.reject(new Error('too late'))
    }
    registry.start(job.spec({ owner: 'a' }))
    registry.start(other.spec({ owner: 'a' }))
    const disposal = registry.dispose()
    await disposal
    expect(disposals[0]).toBe(disposal)
    expect(told.sort()).toEqual([
      ['work-1', 'completed', 'exit code: 0'],
      ['work-2', 'killed', 'as asked']
    ])
    // Asked by both disposals; hooks are idempotent.
    expect(job.reasons.length).toBeLessThanOrEqual(2)
  })
})
