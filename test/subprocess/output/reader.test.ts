import { describe, expect, it } from 'vitest'
import { createReader } from '../../../src/subprocess/output/reader.js'
import { bytesOf, TailSource } from './tail-source.js'

function readerOf(chunks: readonly (string | readonly number[])[], { maxBytes = 1000, ended = false } = {}) {
  const source = new TailSource(maxBytes)
  for (const chunk of chunks) source.append(bytesOf(chunk))
  source.ended = ended
  return { source, reader: createReader(source) }
}

describe('offsets', () => {
  it('belong to whoever reads: the same read gives the same text again', () => {
    const { reader } = readerOf(['hello'])
    const read = { text: 'llo', nextOffset: 5, lossy: false }
    expect([reader.readFrom(2), reader.readFrom(2)]).toEqual([read, read])
  })

  it.each([5, 6, Number.POSITIVE_INFINITY])('past the end give nothing, without loss: %s', (offset) => {
    const { reader } = readerOf(['hello'])
    expect(reader.readFrom(offset)).toEqual({ text: '', nextOffset: 5, lossy: false })
  })

  it('before the window give the whole tail, and say so', () => {
    const { reader } = readerOf(['hello world'], { maxBytes: 5 })
    expect([reader.readFrom(5), reader.readFrom(6)]).toEqual([
      { text: 'world', nextOffset: 11, lossy: true },
      { text: 'world', nextOffset: 11, lossy: false }
    ])
  })

  it('below zero are lossy although nothing was dropped', () => {
    expect(readerOf(['hi']).reader.readFrom(-1)).toEqual({ text: 'hi', nextOffset: 2, lossy: true })
  })

  it.each([Number.NaN, '0', undefined])('that are no number are refused: %s', (offset) => {
    const { reader } = readerOf(['hi'])
    expect(() => reader.readFrom(offset as number)).toThrow(TypeError)
    expect(() => reader.readBytesFrom(offset as number)).toThrow(TypeError)
  })
})

describe('bytes', () => {
  it('are exact whatever the text would be', () => {
    const { reader } = readerOf(['€', [0xff, 0xe2]], { maxBytes: 4 })
    expect([reader.readBytesFrom(0), reader.readBytesFrom(2), reader.readBytesFrom(9)]).toEqual([
      { bytes: bytesOf([0x82, 0xac, 0xff, 0xe2]), nextOffset: 5, lossy: true },
      { bytes: bytesOf([0xac, 0xff, 0xe2]), nextOffset: 5, lossy: false },
      { bytes: bytesOf([]), nextOffset: 5, lossy: false }
    ])
  })
})

describe('a character at the end of a live stream', () => {
  it.each([
    ['two bytes', [0xc3], 'é'],
    ['three bytes', [0xe2, 0x82], '€'],
    ['four bytes', [0xf0, 0x9f, 0x98], '😀']
  ])('is held back until its rest has come: %s', (_title, beginning, character) => {
    const { source, reader } = readerOf(['a', beginning])
    const before = reader.readFrom(0)
    source.append(bytesOf(character).subarray(beginning.length))
    expect([before, reader.readFrom(before.nextOffset)]).toEqual([
      { text: 'a', nextOffset: 1, lossy: false },
      { text: character, nextOffset: 1 + bytesOf(character).length, lossy: false }
    ])
  })

  it('decodes as one U+FFFD once the stream has ended', () => {
    expect(readerOf(['a', [0xf0, 0x9f, 0x98]], { ended: true }).reader.readFrom(0)).toEqual({
      text: 'a\ufffd',
      nextOffset: 4,
      lossy: false
    })
  })

  it.each([
    ['an overlong form', [0xe0, 0x80]],
    ['a surrogate', [0xed, 0xa0]],
    ['above U+10FFFF', [0xf4, 0x90]],
    ['an overlong form of four bytes', [0xf0, 0x8f]],
    ['a byte that starts nothing', [0xc1]],
    ['a byte that continues nothing', [0x80]],
    ['five bytes of old', [0xf8, 0x88]]
  ])('is not waited for when it can never become one: %s', (_title, bytes) => {
    expect(readerOf([bytes]).reader.readFrom(0)).toEqual({
      text: '\ufffd'.repeat(bytes.length),
      nextOffset: bytes.length,
      lossy: false
    })
  })
})

describe('a character at the start of the window', () => {
  it.each([1, 2, 3])('is left out when its first %i bytes were dropped', (dropped) => {
    const { reader } = readerOf(['😀abc'], { maxBytes: 7 - dropped })
    expect([reader.readFrom(0), reader.readFrom(dropped)]).toEqual([
      { text: 'abc', nextOffset: 7, lossy: true },
      { text: 'abc', nextOffset: 7, lossy: false }
    ])
  })

  it('is left out also by an offset inside of it', () => {
    expect(readerOf(['😀abc'], { maxBytes: 6 }).reader.readFrom(2)).toEqual({
      text: 'abc',
      nextOffset: 7,
      lossy: false
    })
  })

  it('is what the command wrote when nothing was dropped', () => {
    const { reader } = readerOf([[0x82, 0xac], 'a'])
    expect(reader.readFrom(0)).toEqual({ text: '\ufffd\ufffda', nextOffset: 3, lossy: false })
  })

  it('takes three bytes at most: a fourth belongs to no character', () => {
    const { reader } = readerOf(['x', [0x80, 0x80, 0x80, 0x80], 'a'], { maxBytes: 5 })
    expect(reader.readFrom(1)).toEqual({ text: '\ufffda', nextOffset: 6, lossy: false })
  })
})

describe('an offset inside a retained character', () => {
  it.each([1, 2, 3])('reads the whole character: byte %i', (offset) => {
    expect(readerOf(['😀b']).reader.readFrom(offset)).toEqual({ text: '😀b', nextOffset: 5, lossy: false })
  })

  it('that is not complete yet is held back as a whole', () => {
    expect(readerOf(['a', [0xe2, 0x82]]).reader.readFrom(2)).toEqual({ text: '', nextOffset: 1, lossy: false })
  })

  it('at the end so far does not lose the character when its rest comes', () => {
    const { source, reader } = readerOf([[0xe2, 0x82]])
    const { nextOffset } = reader.readFrom(2)
    source.append(bytesOf([0xac]))
    expect([nextOffset, reader.readFrom(nextOffset)]).toEqual([2, { text: '€', nextOffset: 3, lossy: false }])
  })

  it('is none when the bytes before it do not reach it', () => {
    expect(readerOf(['é', [0x80], 'a']).reader.readFrom(2)).toEqual({ text: '\ufffda', nextOffset: 4, lossy: false })
  })
})

describe('other facts', () => {
  it('keeps a byte order mark, which is a character like any other', () => {
    expect(readerOf(['\ufeffa']).reader.readFrom(0)).toEqual({ text: '\ufeffa', nextOffset: 4, lossy: false })
  })

  it('names the spill file in every read once there is one', () => {
    const { source, reader } = readerOf(['ab'])
    source.spillPath = '/spill'
    expect([reader.readFrom(0), reader.readFrom(9), reader.readBytesFrom(2)]).toEqual([
      { text: 'ab', nextOffset: 2, lossy: false, spillPath: '/spill' },
      { text: '', nextOffset: 2, lossy: false, spillPath: '/spill' },
      { bytes: bytesOf([]), nextOffset: 2, lossy: false, spillPath: '/spill' }
    ])
  })

  it('passes on what the source knows', () => {
    const { source, reader } = readerOf(['ab'])
    source.spillError = new Error('disk full')
    expect([reader.totalBytes, reader.ended, reader.spillError]).toEqual([2, false, source.spillError])
  })
})
