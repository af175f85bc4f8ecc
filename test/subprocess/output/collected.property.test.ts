// The same model against what a real command writes: `cat` passes on chunk after chunk, each read before the next comes.
// A bounded number of commands; the cutting of characters in general is the property of the reader.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import type { SubprocessOutputReader } from '../../../src/subprocess/types.js'
import { success, until } from '../behaviour/observe.js'
import { describeEachProvider } from '../behaviour/providers.js'
import { specOf } from '../specs.js'
import { StreamModel } from './stream-model.js'
import { bytes, cutAt, cuts, maxBytes, offset } from './streams.js'

const commands = 20

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  /** Passes the chunks through a command and compares every read on the way; gives how the command ended. */
  async function pass(chunks: readonly Buffer[], limit: number, compare: (reader: SubprocessOutputReader) => void) {
    const handle = runtime.spawn(specOf(['cat'], { stdio: { stdin: 'pipe', stdout: { maxBytes: limit } } }))
    const { stdout: reader } = handle.collected
    if (reader === undefined || handle.stdin === null) throw new Error('the command has both streams')
    let written = 0
    try {
      for (const chunk of chunks) {
        handle.stdin.write(chunk)
        written += chunk.length
        await until(() => reader.totalBytes >= written)
        compare(reader)
      }
    } finally {
      handle.stdin.end()
    }
    const outcome = await handle.done
    compare(reader)
    return outcome
  }

  it('reads of a command what the whole stream says of the window, at every moment', async () => {
    const offsets = fc.array(offset, { minLength: 1, maxLength: 4 })
    const property = fc.asyncProperty(bytes, cuts, maxBytes, offsets, async (all, at, limit, from) => {
      const model = new StreamModel(limit)
      const chunks = cutAt(all, at)
      let seen = 0
      const outcome = await pass(chunks, limit, (reader) => {
        const next = chunks[seen]
        if (next === undefined) model.ended = true
        else model.append(next)
        seen += 1
        expect([reader.totalBytes, reader.ended]).toEqual([model.totalBytes, model.ended])
        for (const start of [...from, model.windowStart]) {
          expect(model.readsFrom(start)).toContainEqual(reader.readFrom(start))
          const { bytes: got, ...rest } = reader.readBytesFrom(start)
          expect({ ...rest, bytes: Buffer.from(got) }).toEqual(model.bytesFrom(start))
        }
      })
      expect(outcome).toEqual(success)
    })
    await fc.assert(property, { numRuns: commands })
  })
})
