import { describe, expect, it } from 'vitest'
import { TailRing } from '../../../src/subprocess/output/tail-ring.js'
import { randomFrom } from './random.js'

const seeds = Array.from({ length: 100 }, (_, index) => index + 1)

function contentOf(ring: TailRing, offset = 0) {
  const { bytes, start } = ring.read(offset)
  return { text: Buffer.from(bytes).toString('latin1'), start, windowStart: ring.windowStart, total: ring.totalBytes }
}

describe('a tail ring', () => {
  it('drops nothing of a stream of exactly its size', () => {
    const ring = new TailRing(5)
    ring.append(Buffer.from('he'))
    ring.append(Buffer.from('llo'))
    expect(contentOf(ring)).toEqual({ text: 'hello', start: 0, windowStart: 0, total: 5 })
  })

  it('keeps the end of a chunk that is larger than itself', () => {
    const ring = new TailRing(3)
    ring.append(Buffer.from('x'))
    ring.append(Buffer.from('abcdef'))
    expect(contentOf(ring)).toEqual({ text: 'def', start: 4, windowStart: 4, total: 7 })
  })

  it('is empty at first and past its end', () => {
    const ring = new TailRing(3)
    const empty = contentOf(ring, 7)
    ring.append(Buffer.from('ab'))
    expect([empty, contentOf(ring, 7)]).toEqual([
      { text: '', start: 0, windowStart: 0, total: 0 },
      { text: '', start: 2, windowStart: 0, total: 2 }
    ])
  })

  it('does not share memory with chunks or reads', () => {
    const ring = new TailRing(8)
    const chunk = Buffer.from('abc')
    ring.append(chunk)
    chunk.fill('x')
    ring.read(0).bytes.fill(0)
    expect(contentOf(ring).text).toBe('abc')
  })

  it('takes no memory that nothing fills', () => {
    const before = process.memoryUsage().arrayBuffers
    const rings = Array.from({ length: 20 }, () => new TailRing(100 * 1024 * 1024))
    for (const ring of rings) ring.append(Buffer.from('a'))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024)
    expect(rings.map((ring) => ring.totalBytes)).toEqual(rings.map(() => 1))
  })

  it.each(seeds)('keeps exactly the last bytes, however they were chunked (seed %i)', (seed) => {
    const random = randomFrom(seed)
    const maxBytes = 1 + random(seed % 3 === 0 ? 20_000 : 40)
    const ring = new TailRing(maxBytes)
    let all = Buffer.alloc(0)
    for (let index = 0; index < 30; index += 1) {
      const chunk = Buffer.alloc(random(maxBytes * 2), 97 + random(26))
      ring.append(chunk)
      all = Buffer.concat([all, chunk])
      const offset = random(all.length + 2)
      const windowStart = Math.max(0, all.length - maxBytes)
      const start = Math.min(Math.max(offset, windowStart), all.length)
      const expected = { text: all.subarray(start).toString('latin1'), start, windowStart, total: all.length }
      expect(contentOf(ring, offset)).toEqual(expected)
    }
  })
})
