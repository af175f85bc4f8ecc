import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CleanText } from '../../src/terminal/clean-text.js'
import { holds } from '../setup/properties.js'

interface Token {
  readonly raw: string
  readonly text: string
  readonly mark?: string
}

const plain = fc
  .string({ unit: 'binary', maxLength: 12 })
  .filter((text) => [...'\0\x07\x0e\x0f\x1b\r\n'].every((control) => !text.includes(control)))
  .filter((text) => Buffer.from(text).toString() === text)
  .map((text): Token => ({ raw: text, text }))
const lineEnd = fc.constantFrom('\r\n', '\r', '\n').map((raw): Token => ({ raw, text: raw }))
const payload = fc.string({ unit: fc.constantFrom(...'abc;019é?'), maxLength: 8 })
const csi = fc
  .tuple(fc.string({ unit: fc.constantFrom(...'0123;?'), maxLength: 6 }), fc.constantFrom(...'ABHJKmhl~@'))
  .map(([parameters, final]): Token => ({ raw: `\x1b[${parameters}${final}`, text: '' }))
const osc = fc
  .tuple(payload, fc.constantFrom('\x07', '\x1b\\'))
  .map(([mark, end]): Token => ({ raw: `\x1b]${mark}${end}`, text: '', mark }))
const dcs = fc
  .tuple(fc.constantFrom('P', 'X', '^', '_'), payload)
  .map(([kind, text]): Token => ({ raw: `\x1b${kind}${text}\x1b\\`, text: '' }))
const short = fc
  .constantFrom('\x1b7', '\x1bM', '\x1b=', '\x1b(B', '\x1b#8', '\x07', '\0', '\x0f')
  .map((raw): Token => ({ raw, text: '' }))
const tokens = fc.array(fc.oneof(plain, lineEnd, csi, osc, dcs, short), { maxLength: 30 })
const cuts = fc.array(fc.nat(), { maxLength: 20 })

/** Without any state: sequences are left out first, then line ends are made one kind. */
function model(given: readonly Token[]): { text: string; marks: string[] } {
  const joined = given.map(({ text }) => text).join('')
  return {
    text: joined.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
    marks: given.flatMap(({ mark }) => (mark === undefined ? [] : [mark]))
  }
}

function cleaned(bytes: Buffer, at: readonly number[]): { text: string; marks: string[]; inOrder: boolean } {
  const clean = new CleanText()
  const places = [...new Set([0, ...at.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  const results = places.slice(1).map((end, index) => clean.push(bytes.subarray(places[index], end)))
  results.push(clean.end())
  const marks = results.flatMap((result) => result.marks)
  const text = results.map((result) => result.text).join('')
  const inOrder = marks.every((mark, index) => mark.at <= text.length && mark.at >= (marks[index - 1]?.at ?? 0))
  return { text, marks: marks.map((mark) => mark.payload), inOrder }
}

it('leaves out every sequence and makes line ends one kind, however the bytes are cut', async () => {
  await holds(
    fc.property(tokens, cuts, (given, at) => {
      const bytes = Buffer.from(given.map(({ raw }) => raw).join(''))
      expect(cleaned(bytes, at)).toEqual({ ...model(given), inOrder: true })
    }),
    0.5
  )
})

it('makes the same of any bytes in one piece and in many', async () => {
  const bytes = fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0x1b, 0x5b, 0x5d, 0x50, 0x5c, 7, 13, 10, 0xc3, 0xa9)), {
    maxLength: 200
  })
  await holds(
    fc.property(bytes, cuts, (given, at) => {
      const whole = Buffer.from(given)
      expect(cleaned(whole, at)).toEqual(cleaned(whole, []))
    }),
    0.5
  )
})
