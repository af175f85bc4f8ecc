// The reader and the ring beneath it against the model, over any stream, in any chunks, with any limit. FUZZ_SECONDS shares
// its time among the properties.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SpillFolder } from '../../../src/subprocess/local/spill-folder.js'
import { Collector } from '../../../src/subprocess/node/collector.js'
import { createReader } from '../../../src/subprocess/output/reader.js'
import type { SubprocessOutputReader } from '../../../src/subprocess/types.js'
import { holds } from '../../setup/properties.js'
import { StreamModel } from './stream-model.js'
import { bytes, cutAt, cuts, maxBytes, offset, text } from './streams.js'

/** One stream in both: what a command would have written, and what must be read of it. */
class Stream {
  readonly reader: SubprocessOutputReader
  readonly model: StreamModel
  readonly #collector: Collector

  constructor(limit: number) {
    this.#collector = new Collector({ maxBytes: limit }, 'stdout', new SpillFolder(undefined))
    this.reader = createReader(this.#collector)
    this.model = new StreamModel(limit)
  }

  append(chunk: Uint8Array): void {
    this.#collector.accept(chunk)
    this.model.append(chunk)
  }

  end(): void {
    this.#collector.endEmpty()
    this.model.ended = true
  }

  compareAt(from: number): void {
    const { reader, model } = this
    expect(model.readsFrom(from)).toContainEqual(reader.readFrom(from))
    expect(reader.readBytesFrom(from)).toEqual(model.bytesFrom(from))
    expect([reader.totalBytes, reader.ended]).toEqual([model.totalBytes, model.ended])
  }
}

/** What a reader gets who reads on after each chunk for which `awake` says so, and once more after the end. */
function follow(chunks: readonly Buffer[], limit: number, awake: readonly boolean[]) {
  const stream = new Stream(limit)
  const texts: string[] = []
  let [lossy, nextOffset] = [false, 0]
  const read = (): void => {
    const got = stream.reader.readFrom(nextOffset)
    texts.push(got.text)
    lossy ||= got.lossy
    nextOffset = got.nextOffset
  }
  for (const [index, chunk] of chunks.entries()) {
    stream.append(chunk)
    if (awake[index % awake.length] ?? true) read()
  }
  stream.end()
  read()
  return { texts, lossy, nextOffset }
}

const awake = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })

describe('a read', () => {
  it('at any time and from any offset is what the whole stream says of its window', async () => {
    await holds(
      fc.property(
        bytes,
        cuts,
        maxBytes,
        fc.array(offset, { minLength: 1, maxLength: 6 }),
        (all, at, limit, offsets) => {
          const stream = new Stream(limit)
          const compare = (): void => {
            for (const from of [...offsets, stream.model.windowStart]) stream.compareAt(from)
          }
          for (const chunk of cutAt(all, at)) {
            stream.append(chunk)
            compare()
          }
          stream.end()
          compare()
        }
      ),
      0.5
    )
  })

  it('of a character is the same wherever it was cut, dropped or begun', () => {
    const all = Buffer.from('aé€😀z')
    for (let limit = 1; limit <= all.length; limit += 1) {
      for (let first = 0; first <= all.length; first += 1) {
        for (let second = first; second <= all.length; second += 1) {
          const stream = new Stream(limit)
          for (const chunk of [all.subarray(0, first), all.subarray(first, second), all.subarray(second)]) {
            stream.append(chunk)
            const reads = [stream.reader.readFrom(first), stream.reader.readFrom(second), stream.reader.readFrom(0)]
            expect(reads).toEqual([first, second, 0].map((from) => stream.model.readsFrom(from)[0]))
          }
        }
      }
    }
  })
})

describe('a follower', () => {
  it('gets of any bytes what a decoder makes of them in one go, whenever it reads', async () => {
    await holds(
      fc.property(bytes, cuts, awake, (all, at, turns) => {
        const { texts, ...rest } = follow(cutAt(all, at), all.length, turns)
        const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(all)
        expect({ ...rest, whole: texts.join('') }).toEqual({ whole, lossy: false, nextOffset: all.length })
      }),
      0.25
    )
  })

  it('that is too slow for the window still gets whole characters, in order, and is told of the gap', async () => {
    await holds(
      fc.property(text, cuts, maxBytes, awake, (whole, at, limit, turns) => {
        const all = Buffer.from(whole)
        const { texts, lossy, nextOffset } = follow(cutAt(all, at), limit, turns)
        let from = 0
        for (const part of texts) {
          const found = whole.indexOf(part, from)
          expect(found, `${JSON.stringify(part)} is a part of the rest`).toBeGreaterThanOrEqual(from)
          expect(Buffer.byteLength(whole.slice(0, found)) + Buffer.byteLength(whole.slice(found))).toBe(all.length)
          from = found + part.length
        }
        expect(nextOffset).toBe(all.length)
        if (!lossy) expect(texts.join('')).toBe(whole)
      }),
      0.25
    )
  })
})
