import { describe, expect, it } from 'vitest'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobOutcome, JobRead, JobReadRequest } from '../../src/jobs/types.js'
import type { RuntimeWarning } from '../../src/subprocess/local/options.js'
import { ScriptedReader } from '../fixtures/shell/scripted-runtime.js'
import { completed, ScriptedJob } from './scripted-job.js'

function scene(outputLimitBytes?: number) {
  const warnings: RuntimeWarning[] = []
  const registry = new LocalJobRegistry({ onWarning: (warning) => warnings.push(warning) })
  const job = new ScriptedJob()
  const stdout = new ScriptedReader()
  const stderr = new ScriptedReader()
  stdout.ended = false
  stderr.ended = false
  job.output = { stdout, stderr }
  const { id } = registry.start(job.spec({ outputLimitBytes }))
  const read = (request?: JobReadRequest): JobRead => registry.read(id, request)
  const end = async (outcome: JobOutcome): Promise<void> => {
    stdout.ended = true
    stderr.ended = true
    job.settle(outcome)
    await registry.wait(id)
  }
  return { registry, job, id, stdout, stderr, read, end, warnings }
}

/** All that reads of at most `maxBytes` give, one after the other. */
function readAll(read: (request: JobReadRequest) => JobRead, maxBytes: number): readonly [string, string][] {
  const parts: [string, string][] = []
  let from = { stdout: 0, stderr: 0 }
  for (;;) {
    const part = read({ from, maxBytes })
    parts.push([part.stdout, part.stderr])
    if (!part.more) return parts
    from = part.next
  }
}

describe('a read', () => {
  it('tells everything at once: the job, both streams, the cursor, the files and the notes', async () => {
    const { registry, job, id, stdout, stderr, read, end } = scene()
    stdout.write('out\n')
    stderr.write('err')
    stdout.spillPath = '/spill/stdout'
    Object.assign(job, { notes: () => ['[sandbox: file access denied under read-only mode]'] })
    expect(read()).toEqual({
      job: registry.get(id),
      stdout: 'out\n',
      stderr: 'err',
      next: { stdout: 4, stderr: 3 },
      more: false,
      lossy: false,
      spillPaths: ['/spill/stdout'],
      notes: []
    })
    await end(completed)
    expect(read({ from: { stdout: 4, stderr: 3 } })).toMatchObject({
      job: { ...completed, reported: true },
      stdout: '',
      stderr: '',
      notes: ['[sandbox: file access denied under read-only mode]']
    })
  })

  it('consumes nothing: two watchers with cursors of their own see all of it', () => {
    const { stdout, read } = scene()
    stdout.write('one ')
    const first = read()
    stdout.write('two')
    expect([first.stdout, read({ from: first.next }).stdout, read().stdout]).toEqual(['one ', 'two', 'one two'])
    expect(read({ from: first.next }).stdout).toBe('two')
  })

  it('finds the readers of a job that has them only later', () => {
    const { job, stdout, read } = scene()
    stdout.write('late')
    const { output } = job
    job.output = undefined
    expect(read()).toMatchObject({ stdout: '', next: { stdout: 0, stderr: 0 }, more: false })
    job.output = output
    expect(read().stdout).toBe('late')
  })

  it('says when what it asked for has been dropped, and gives what is left', () => {
    const { stdout, read } = scene()
    stdout.write('0123456789')
    stdout.windowStart = 4
    expect(read()).toMatchObject({ stdout: '456789', lossy: true, next: { stdout: 10 } })
    expect(read({ from: { stdout: 4, stderr: 0 } })).toMatchObject({ stdout: '456789', lossy: false })
    expect(read({ maxBytes: 4 })).toMatchObject({ stdout: '4567', lossy: true, more: true, next: { stdout: 8 } })
  })

  it('leaves out the rest of a character whose beginning has been dropped, and holds one back that is not whole yet', () => {
    const { stdout, read } = scene()
    stdout.write('€€')
    stdout.windowStart = 1
    stdout.bytes = Buffer.concat([stdout.bytes, Buffer.from('😀').subarray(0, 3)])
    const first = read()
    expect(first).toMatchObject({ stdout: '€', lossy: true, more: false, next: { stdout: 6 } })
    stdout.bytes = Buffer.concat([stdout.bytes, Buffer.from('😀').subarray(3)])
    expect(read({ from: first.next }).stdout).toBe('😀')
    stdout.bytes = stdout.bytes.subarray(0, 8)
    stdout.ended = true
    expect(read({ from: first.next }).stdout).toBe('\ufffd')
  })

  it('takes a cursor behind the end of the stream', () => {
    const { stdout, read } = scene()
    stdout.write('abc')
    expect(read({ from: { stdout: 99, stderr: 5 } })).toMatchObject({ stdout: '', stderr: '', more: false })
  })

  it.each([
    [{ from: 5 }, 'TypeError', 'request.from must be a JobCursor; got 5'],
    [
      { from: { stdout: -1, stderr: 0 } },
      'RangeError',
      'request.from.stdout must be a safe integer that is not negative; got -1'
    ],
    [
      { from: { stdout: 0 } },
      'TypeError',
      'request.from.stderr must be a safe integer that is not negative; got undefined'
    ],
    [{ maxBytes: 0 }, 'RangeError', 'request.maxBytes must be a positive safe integer; got 0'],
    [{ max: 5 }, 'TypeError', 'request.max is an unknown option; got 5']
  ])('names what is wrong with %o', (request, name, message) => {
    const { read } = scene()
    const call = (): unknown => read(request as never)
    expect(call).toThrow(expect.objectContaining({ name, code: 'EINVAL', message }))
  })
})

describe('a read of at most so many bytes', () => {
  it('gives the rest with the next ones, without loss and cut between characters', () => {
    const { stdout, read } = scene()
    stdout.write('a€€😀bc')
    expect(readAll(read, 4)).toEqual([
      ['a€', ''],
      ['€', ''],
      ['😀', ''],
      ['bc', '']
    ])
    expect(readAll(read, 1_000)).toEqual([['a€€😀bc', '']])
  })

  it('gives at least one character, so that every watcher gets on', () => {
    const { stdout, stderr, read } = scene()
    stdout.write('€é')
    stderr.write('😀')
    expect(readAll(read, 1)).toEqual([
      ['€', ''],
      ['é', ''],
      ['', '😀']
    ])
  })

  it('counts what is no UTF-8 as what it reads as', () => {
    const { stdout, read, registry, id } = scene()
    stdout.bytes = Buffer.alloc(10, 0x80)
    for (const [text] of readAll(read, 7)) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(7)
    expect(readAll(read, 7).map(([text]) => text)).toEqual(Array(5).fill('\ufffd\ufffd'))
    expect(registry.read(id, { maxBytes: 30 }).more).toBe(false)
  })

  it('is shared by the streams: neither keeps the other from being read, and what one leaves the other takes', () => {
    const { stdout, stderr, read } = scene()
    const sizes = (out: number, err: number): unknown => {
      stdout.bytes = Buffer.alloc(out, 'o')
      stderr.bytes = Buffer.alloc(err, 'e')
      const { stdout: first, stderr: second, more } = read({ maxBytes: 10 })
      return [first.length, second.length, more]
    }
    expect([sizes(100, 100), sizes(100, 2), sizes(2, 100), sizes(100, 0), sizes(5, 5), sizes(0, 0)]).toEqual([
      [5, 5, true],
      [8, 2, true],
      [2, 8, true],
      [10, 0, true],
      [5, 5, false],
      [0, 0, false]
    ])
  })

  it('has the limit of its job unless it asks otherwise, and the job that of the registry', () => {
    const { stdout, read } = scene(3)
    stdout.write('0123456789')
    expect([read().stdout, read({ maxBytes: 5 }).stdout]).toEqual(['012', '01234'])
    const other = scene()
    other.stdout.bytes = Buffer.alloc(64_001, 'o')
    expect(other.read().stdout.length).toBe(64_000)
    expect(other.registry.get(other.id).outputLimitBytes).toBe(64_000)
  })
})

describe('a job without readers', () => {
  async function ended(output?: string): Promise<(request?: JobReadRequest) => JobRead> {
    const { job, read, end } = scene()
    job.output = undefined
    expect(read()).toMatchObject({ stdout: '', stderr: '', next: { stdout: 0, stderr: 0 } })
    await end({ ...completed, output })
    return read
  }

  it('gives what it said in the end as often as it is asked', async () => {
    const read = await ended('the answer')
    const first = read()
    expect([first.stdout, first.next, read({ from: first.next }).stdout]).toEqual([
      'the answer',
      { stdout: 0, stderr: 0 },
      'the answer'
    ])
    expect(readAll(read, 4).map(([text]) => text)).toEqual(['the ', 'answ', 'er'])
  })

  it('may have nothing to say', async () => {
    const read = await ended()
    expect(read()).toMatchObject({ stdout: '', more: false, lossy: false, spillPaths: [] })
  })
})

describe('notes', () => {
  it.each<[string, () => unknown, readonly string[]]>([
    ['throw', () => expect.fail('no notes today'), []],
    ['are no list', () => 5, []],
    ['are no texts', () => [5, 'six'], ['5', 'six']],
    ['are nothing', () => undefined, []]
  ])('that %s take nothing from the output', async (_, notes, expected) => {
    const { job, stdout, read, end, warnings } = scene()
    Object.assign(job, { notes })
    stdout.write('out')
    await end(completed)
    expect(read()).toMatchObject({ stdout: 'out', notes: expected })
    expect(warnings.map(({ code }) => code).every((code) => code === 'QUIESCE_JOB_FAILED')).toBe(true)
  })
})
