import { describe, expect, it } from 'vitest'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobAccess } from '../../src/jobs/types.js'
import { completed, ScriptedJob } from './scripted-job.js'

type Method = readonly [name: string, call: (registry: LocalJobRegistry, id: never, access?: JobAccess) => unknown]

const methods: readonly Method[] = [
  ['get', (registry, id, access) => registry.get(id, access)],
  ['read', (registry, id, access) => registry.read(id, access)],
  ['kill', (registry, id, access) => registry.kill(id, access)],
  ['forget', (registry, id, access) => registry.forget(id, access)],
  ['wait', (registry, id, access) => registry.wait(id, { ...access, timeoutMs: 0 })]
]

async function refusal(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return 'allowed'
  } catch (error) {
    const { name, code, message, jobId } = error as Error & { code: string; jobId?: string }
    return [name, code, message, jobId]
  }
}

describe.each(methods)('%s', (_, call) => {
  const registry = new LocalJobRegistry()
  registry.start(new ScriptedJob().spec({ owner: 'a' }))
  registry.start(new ScriptedJob().spec())
  const foreign = ['JobError', 'JOB_FOREIGN', 'job work-1 belongs to another session', 'work-1']

  it.each([
    ['work-1', { owner: 'a' }, 'allowed'],
    ['work-1', { owner: 'b' }, foreign],
    ['work-1', {}, foreign],
    ['work-1', undefined, foreign],
    ['work-2', { owner: 'a' }, 'allowed'],
    ['work-2', undefined, 'allowed'],
    ['work-3', undefined, ['JobError', 'JOB_UNKNOWN', 'no job work-3', 'work-3']],
    ['', undefined, ['JobError', 'JOB_UNKNOWN', 'no job ', '']],
    [5, undefined, ['TypeError', 'EINVAL', 'id must be a string; got 5', undefined]],
    ['work-1', { owner: '' }, ['TypeError', 'EINVAL', "request.owner must not be empty; got ''", undefined]],
    ['work-1', { who: 'a' }, ['TypeError', 'EINVAL', "request.who is an unknown option; got 'a'", undefined]]
  ])('of %s on behalf of %o', async (id, access, expected) => {
    expect(await refusal(() => call(registry, id as never, access as never))).toEqual(expected)
  })
})

it('a refused call changes nothing', async () => {
  const registry = new LocalJobRegistry()
  const job = new ScriptedJob()
  const before = registry.start(job.spec({ owner: 'a' }))
  for (const [, call] of methods) await refusal(() => call(registry, before.id as never, { owner: 'b' }))
  expect([registry.get(before.id, { owner: 'a' }), job.reasons]).toEqual([before, []])
})

it('list gives the jobs of the owner and those of nobody, oldest first', () => {
  const registry = new LocalJobRegistry()
  for (const owner of ['a', undefined, 'b', 'a']) registry.start(new ScriptedJob().spec({ owner }))
  const ids = (access?: JobAccess): string[] => registry.list(access).map(({ id }) => id)
  expect([ids({ owner: 'a' }), ids({ owner: 'b' }), ids()]).toEqual([
    ['work-1', 'work-2', 'work-4'],
    ['work-2', 'work-3'],
    ['work-2']
  ])
})

describe('ended jobs', () => {
  async function end(registry: LocalJobRegistry, owner?: string): Promise<string> {
    const job = new ScriptedJob()
    const { id } = registry.start(job.spec({ owner }))
    const ended = new Promise<void>((resolve) => {
      const takeAway = registry.onCompletion(() => {
        takeAway()
        resolve()
      })
    })
    job.settle(completed)
    await ended
    return id
  }

  it('are kept up to a number for each owner: reported ones go first, then the oldest', async () => {
    const registry = new LocalJobRegistry({ maxEndedPerOwner: 3 })
    const kept = (): string[] => registry.list({ owner: 'a' }).map(({ id }) => id)
    for (let count = 0; count < 3; count++) await end(registry, 'a')
    await end(registry, 'b')
    registry.read('work-2', { owner: 'a' })
    expect(kept()).toEqual(['work-1', 'work-2', 'work-3'])
    await end(registry, 'a')
    expect(kept()).toEqual(['work-1', 'work-3', 'work-5'])
    await end(registry, 'a')
    expect(kept()).toEqual(['work-3', 'work-5', 'work-6'])
    expect(registry.list({ owner: 'b' })).toHaveLength(1)
    expect(() => registry.get('work-2', { owner: 'a' })).toThrow('no job work-2: it has ended and is no longer kept')
  })

  it('are kept at least until whoever waited for the latest has read it', async () => {
    const registry = new LocalJobRegistry({ maxEndedPerOwner: 1 })
    const first = await end(registry)
    const job = new ScriptedJob()
    const { id } = registry.start(job.spec())
    const wait = registry.wait(id)
    job.settle(completed)
    await wait
    expect(registry.read(id).job).toMatchObject(completed)
    expect(() => registry.get(first)).toThrow(`no job ${first}`)
  })

  it('are forgotten when they are told to be, and active ones are not', async () => {
    const registry = new LocalJobRegistry({ maxEndedPerOwner: 2 })
    registry.start(new ScriptedJob().spec())
    expect([registry.forget('work-1'), registry.get('work-1').state]).toEqual([false, 'running'])
    const kept = await end(registry)
    const forgotten = await end(registry)
    expect(registry.forget(forgotten)).toBe(true)
    expect(() => registry.forget(forgotten)).toThrow(`no job ${forgotten}: it has ended and is no longer kept`)
    // What is forgotten does not count among those that are kept.
    const last = await end(registry)
    expect(registry.list().map(({ id }) => id)).toEqual(['work-1', kept, last])
  })
})
