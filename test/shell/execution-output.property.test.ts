// Consuming reads of an execution against the model of both its streams, over any chunks of both in any order.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExecutionOutput } from '../../src/shell/execution-output.js'
import { createReader } from '../../src/subprocess/output/reader.js'
import { holds } from '../setup/properties.js'
import { StreamModel } from '../subprocess/output/stream-model.js'
import { bytes, cutAt, cuts } from '../subprocess/output/streams.js'
import { TailSource } from '../subprocess/output/tail-source.js'

/** One stream, written chunk by chunk and followed by the model. */
class Stream {
  readonly source: TailSource
  text = ''
  readonly #model: StreamModel
  readonly #chunks: Buffer[]
  #offset = 0

  constructor(all: Buffer, at: readonly number[]) {
    this.source = new TailSource(all.length)
    this.#model = new StreamModel(all.length)
    this.#chunks = cutAt(all, at)
  }

  /** Whether there was anything left to write. */
  write(): boolean {
    const chunk = this.#chunks.shift()
    if (chunk === undefined) return false
    this.source.append(chunk)
    this.#model.append(chunk)
    return true
  }

  end(): void {
    while (this.write());
    this.source.ended = true
    this.#model.ended = true
  }

  /** What came since the last call. */
  next(): string {
    const [{ text, nextOffset } = { text: '', nextOffset: 0 }] = this.#model.readsFrom(this.#offset)
    this.#offset = nextOffset
    this.text += text
    return text
  }
}

function sections(stdout: string, stderr: string): string {
  if (stderr === '') return stdout
  return stdout === '' || stdout.endsWith('\n') ? `${stdout}[stderr]\n${stderr}` : `${stdout}\n[stderr]\n${stderr}`
}

const decode = (all: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(all)

describe('consuming reads', () => {
  it('give each stream once, in order and whole, however writes and reads alternate', async () => {
    const turns = fc.array(fc.constantFrom('stdout', 'stderr', 'read'), { maxLength: 24 })
    await holds(
      fc.property(bytes, bytes, cuts, turns, (out, err, at, order) => {
        const [stdout, stderr] = [new Stream(out, at), new Stream(err, at)]
        const output = new ExecutionOutput({ stdout: createReader(stdout.source), stderr: createReader(stderr.source) })
        const compare = (): void => {
          expect(output.read()).toEqual({ delta: sections(stdout.next(), stderr.next()), lossy: false })
        }
        for (const turn of order) {
          if (turn === 'read') compare()
          else (turn === 'stdout' ? stdout : stderr).write()
        }
        stdout.end()
        stderr.end()
        compare()
        expect([stdout.text, stderr.text]).toEqual([decode(out), decode(err)])
      }),
      1
    )
  })
})
