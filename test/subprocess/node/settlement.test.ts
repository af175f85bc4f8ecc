import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { SpillFolder } from '../../../src/subprocess/local/spill-folder.js'
import { Collector } from '../../../src/subprocess/node/collector.js'
import { outputSettled } from '../../../src/subprocess/node/settlement.js'

const graceMs = 100

function blockLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** What has been read of a command that has just exited when its result may be told. */
function bytesWhenSettled(collector: Collector): Promise<number> {
  const exitedAt = performance.now()
  return outputSettled([collector], exitedAt, exitedAt + graceMs).then(() => collector.totalBytes)
}

describe('the grace after the exit', () => {
  it('does not pass while the event loop is blocked and nothing can be read', async () => {
    const collector = new Collector({ maxBytes: 100 }, 'stdout', new SpillFolder(tmpdir()))
    const bytes = bytesWhenSettled(collector)
    blockLoop(3 * graceMs)
    // Where input comes in a turn of the loop: after its timers.
    setImmediate(() => {
      collector.accept(Buffer.from('written before the exit'))
      collector.endEmpty()
    })
    expect(await bytes).toBe('written before the exit'.length)
  })

  it('ends the wait for a stream that goes on and on', async () => {
    const collector = new Collector({ maxBytes: 100 }, 'stdout', new SpillFolder(tmpdir()))
    const writing = setInterval(() => collector.accept(Buffer.from('x')), 5)
    const startedAt = performance.now()
    await bytesWhenSettled(collector)
    clearInterval(writing)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(graceMs - 1)
    expect(collector.ended).toBe(false)
    await collector.close()
  })
})
