// Watchers that read a growing stream in steps of their own: what they are given, put together, is what the stream says.

import fc from 'fast-check'
import { it } from 'vitest'
import { readOutput } from '../../src/jobs/read-output.js'
import type { JobCursor } from '../../src/jobs/types.js'
import { createReader } from '../../src/subprocess/output/reader.js'
import type { SubprocessOutputReader } from '../../src/subprocess/types.js'
import { holds } from '../setup/properties.js'
import { bytes, cutAt, cuts, text } from '../subprocess/output/streams.js'
import { TailSource } from '../subprocess/output/tail-source.js'

const start: JobCursor = { stdout: 0, stderr: 0 }
const budget = fc.integer({ min: 1, max: 40 })

/** One who reads now and then, and keeps what it is given. */
class Watcher {
  stdout = ''
  stderr = ''
  lossy = false
  #from = start
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Until there is nothing more, or once. */
  read(output: { stdout: SubprocessOutputReader; stderr: SubprocessOutputReader }, toTheEnd: boolean): void {
    for (;;) {
      const read = readOutput(output, this.#from, this.#maxBytes)
      const size = Buffer.byteLength(read.stdout + read.stderr)
      const characters = [...read.stdout, ...read.stderr].length
      if (size > this.#maxBytes && characters > 1) throw new Error(`${size} bytes of at most ${this.#maxBytes}`)
      if (read.more && size === 0) throw new Error('a read that gets nowhere')
      this.stdout += read.stdout
      this.stderr += read.stderr
      this.lossy ||= read.lossy
      this.#from = read.next
      if (!toTheEnd || !read.more) return
    }
  }
}

function streams(window: number) {
  const sources = { stdout: new TailSource(window), stderr: new TailSource(window) }
  const end = (): void => {
    sources.stdout.ended = true
    sources.stderr.ended = true
  }
  return { sources, end, output: { stdout: createReader(sources.stdout), stderr: createReader(sources.stderr) } }
}

it('any bytes, any steps: each watcher gets the whole of both streams', async () => {
  const property = fc.property(
    bytes,
    bytes,
    cuts,
    cuts,
    fc.array(budget, { minLength: 1, maxLength: 3 }),
    (out, err, at, also, budgets) => {
      const { sources, end, output } = streams(1 << 16)
      const watchers = budgets.map((maxBytes) => new Watcher(maxBytes))
      const pieces = { stdout: cutAt(out, at), stderr: cutAt(err, also) }
      for (let step = 0; step < Math.max(pieces.stdout.length, pieces.stderr.length); step++) {
        for (const name of ['stdout', 'stderr'] as const) {
          const piece = pieces[name][step]
          if (piece !== undefined) sources[name].append(piece)
        }
        for (const [index, watcher] of watchers.entries())
          if ((step + index) % 2 === 0) watcher.read(output, step % 3 === 0)
      }
      end()
      for (const watcher of watchers) {
        watcher.read(output, true)
        if (watcher.stdout !== out.toString() || watcher.stderr !== err.toString() || watcher.lossy) {
          throw new Error(JSON.stringify([watcher.stdout, out.toString(), watcher.stderr, err.toString()]))
        }
      }
    }
  )
  await holds(property, 0.5)
})

it('text that outruns its window: what is given is text of the stream, in order, and loss is told', async () => {
  const property = fc.property(text, cuts, budget, fc.integer({ min: 1, max: 30 }), (whole, at, maxBytes, window) => {
    const { sources, end, output } = streams(window)
    const watcher = new Watcher(maxBytes)
    for (const [step, piece] of cutAt(Buffer.from(whole), at).entries()) {
      sources.stdout.append(piece)
      if (step % 2 === 0) watcher.read(output, false)
    }
    end()
    watcher.read(output, true)
    if (!watcher.lossy && watcher.stdout !== whole) throw new Error('a loss that was not told')
    let from = 0
    for (const character of watcher.stdout) {
      const found = whole.indexOf(character, from)
      if (found === -1) throw new Error(`${JSON.stringify(character)} is not what came`)
      from = found + character.length
    }
  })
  await holds(property, 0.5)
})
