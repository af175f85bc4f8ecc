// The last 64,000 bytes of a stream, as a program keeps them that was given no such thing: chunks, the oldest dropped.

import type { Readable } from 'node:stream'

export const keptBytes = 64_000

export class Tail {
  totalBytes = 0
  #chunks: Uint8Array[] = []
  #keptBytes = 0

  add(chunk: Uint8Array): void {
    this.totalBytes += chunk.length
    this.#chunks.push(chunk)
    this.#keptBytes += chunk.length
    while (this.#keptBytes - (this.#chunks[0]?.length ?? 0) >= keptBytes) {
      this.#keptBytes -= this.#chunks.shift()?.length ?? 0
    }
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(-keptBytes).toString('utf8')
  }
}

/** Fills with what the stream gives. */
export function tailOf(stream: Readable): Tail {
  const tail = new Tail()
  stream.on('data', (chunk: Uint8Array) => tail.add(chunk))
  return tail
}

/** As `tailOf` for the streams of the web, until the end. */
export async function tailOfWeb(stream: AsyncIterable<Uint8Array>): Promise<Tail> {
  const tail = new Tail()
  for await (const chunk of stream) tail.add(chunk)
  return tail
}
