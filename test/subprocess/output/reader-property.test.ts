import { describe, expect, it } from 'vitest'
import { createReader } from '../../../src/subprocess/output/reader.js'
import { type Random, randomFrom } from './random.js'
import { TailSource } from './tail-source.js'

const seeds = Array.from({ length: 150 }, (_, index) => index + 1)
const characters = ['a', 'é', '€', '😀', '\ufeff', '\u0800', '\ud7ff', '\u{10ffff}', '\0', '\ufffd']

function validText(random: Random, count: number): string {
  return Array.from({ length: count }, () => characters[random(characters.length)]).join('')
}

function anyBytes(random: Random, count: number): Buffer {
  const interesting = [0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff]
  return Buffer.from(Array.from({ length: count }, () => interesting[random(interesting.length)] ?? 0))
}

/** Cuts `bytes` at random places, between characters and inside of them. */
function chunksOf(random: Random, bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = Math.min(bytes.length, at + 1 + random(7))
    chunks.push(bytes.subarray(at, next))
    at = next
  }
  return chunks
}

/** Reads after every chunk, as a follower does, and once more after the end. */
function follow(chunks: readonly Buffer[], maxBytes: number): { text: string; lossy: boolean; nextOffset: number } {
  const source = new TailSource(maxBytes)
  const reader = createReader(source)
  let [text, lossy, nextOffset] = ['', false, 0]
  const read = (): void => {
    const got = reader.readFrom(nextOffset)
    text += got.text
    lossy ||= got.lossy
    nextOffset = got.nextOffset
  }
  for (const chunk of chunks) {
    source.append(chunk)
    read()
  }
  source.ended = true
  read()
  return { text, lossy, nextOffset }
}

describe('a follower', () => {
  it.each(seeds)('gets valid text as it was, however it was cut (seed %i)', (seed) => {
    const random = randomFrom(seed)
    const text = validText(random, 1 + random(60))
    const bytes = Buffer.from(text)
    expect(follow(chunksOf(random, bytes), bytes.length)).toEqual({ text, lossy: false, nextOffset: bytes.length })
  })

  it.each(seeds)('gets of any bytes what a decoder makes of them in one go (seed %i)', (seed) => {
    const random = randomFrom(seed)
    const bytes = anyBytes(random, 1 + random(60))
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    expect(follow(chunksOf(random, bytes), bytes.length)).toEqual({ text, lossy: false, nextOffset: bytes.length })
  })
})

describe('a tail of valid text', () => {
  it.each(seeds)('is the whole characters of the window (seed %i)', (seed) => {
    const random = randomFrom(seed)
    const text = validText(random, 1 + random(40))
    const bytes = Buffer.from(text)
    const maxBytes = 1 + random(bytes.length)
    const source = new TailSource(maxBytes)
    for (const chunk of chunksOf(random, bytes)) source.append(chunk)
    source.ended = true
    let whole = text
    while (Buffer.byteLength(whole) > maxBytes) whole = [...whole].slice(1).join('')
    const truncated = maxBytes < bytes.length
    expect(createReader(source).readFrom(0)).toEqual({ text: whole, nextOffset: bytes.length, lossy: truncated })
  })
})
