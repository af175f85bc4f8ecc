import { describe, expect, it } from 'vitest'
import { CleanText } from '../../src/terminal/clean-text.js'
import { RetainedText } from '../../src/terminal/retained-text.js'

describe('clean text', () => {
  it('tells where in the text a mark stood', () => {
    const clean = new CleanText()
    const first = clean.push(Buffer.from('ab\x1b]133;D;0;x'))
    const second = clean.push(Buffer.from('\x07cd\x1b]y\x1b\\'))
    expect([first, second]).toEqual([
      { text: 'ab', marks: [] },
      {
        text: 'cd',
        marks: [
          { payload: '133;D;0;x', at: 2 },
          { payload: 'y', at: 4 }
        ]
      }
    ])
  })

  it('keeps little of a sequence that never ends', () => {
    const clean = new CleanText()
    clean.push(Buffer.from('\x1b]'))
    for (let count = 0; count < 1000; count += 1) clean.push(Buffer.alloc(10_000, 'x'))
    const { marks, text } = clean.push(Buffer.from('\x07after'))
    expect({ text, length: marks[0]?.payload.length }).toEqual({ text: 'after', length: 4096 })
  })

  it('costs the same for each byte, however much came before', () => {
    const cost = (mebibytes: number): number => {
      const clean = new CleanText()
      const retained = new RetainedText(4 * 1024 * 1024, 10_000)
      const chunk = Buffer.from(`${'text \x1b[31mred\x1b[0m '.repeat(50)}\r\n`)
      const began = process.cpuUsage()
      for (let bytes = 0; bytes < mebibytes * 1024 * 1024; bytes += chunk.length) {
        retained.append(clean.push(chunk).text)
      }
      const { user } = process.cpuUsage(began)
      return user / mebibytes
    }
    cost(4)
    // Quadratic cost would make it eight times as much.
    expect(cost(32)).toBeLessThan(cost(4) * 4)
  })
})

describe('retained text', () => {
  it('keeps the end within both bounds, and tells where that begins', () => {
    const text = new RetainedText(100_000, 1_000_000)
    for (let count = 0; count < 100_000; count += 1) text.append(`${count}\n`)
    const kept = text.from(0)
    expect({ ends: kept.endsWith('99998\n99999\n'), sum: text.start + kept.length, start: text.start > 0 }).toEqual({
      ends: true,
      sum: text.end,
      start: true
    })
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(100_000)
    const lines = new RetainedText(10_000_000, 5000)
    for (let count = 0; count < 20_000; count += 1) lines.append('x\n')
    expect(lines.from(0).length / 2).toBeLessThanOrEqual(5000)
    expect(lines.from(0).length / 2).toBeGreaterThan(500)
  })

  it('gives what came after a position', () => {
    const text = new RetainedText(1000, 1000)
    text.append('one ')
    const position = text.end
    text.append('two 😀 ')
    text.append('three')
    expect([text.from(position), text.from(text.end), text.from(0)]).toEqual(['two 😀 three', '', 'one two 😀 three'])
  })

  it('gives the last lines, whole or not, and never half a character', () => {
    const text = new RetainedText(100_000, 1000)
    text.append('a\nb\nccc\nd€')
    expect([text.lastLines(1, 100), text.lastLines(2, 100), text.lastLines(99, 100), text.lastLines(1, 3)]).toEqual([
      'd€',
      'ccc\nd€',
      'a\nb\nccc\nd€',
      '€'
    ])
    expect(text.lastLines(1, 2)).toBe('')
    text.append('\n')
    expect(text.lastLines(1, 100)).toBe('d€\n')
  })
})
