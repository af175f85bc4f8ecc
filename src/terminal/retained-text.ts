// The last part of what a terminal has shown, bounded in lines and bytes. Text is kept in blocks that go as a whole, so adding
// costs the same however much is kept.

import { firstFitting } from './clip.js'

const blockUnits = 8192

interface Block {
  text: string
  bytes: number
  lines: number
}

/** In the place of a block that is gone, so that its text can be. */
const dropped: Block = { text: '', bytes: 0, lines: 0 }

export class RetainedText {
  readonly #maxBytes: number
  readonly #maxLines: number
  readonly #blocks: Block[] = []
  /** Blocks before it are gone; moved now and then, so that dropping one does not move all. */
  #first = 0
  #bytes = 0
  #lines = 0
  #end = 0
  #start = 0

  constructor(maxBytes: number, maxLines: number) {
    this.#maxBytes = maxBytes
    this.#maxLines = maxLines
  }

  /** UTF-16 units of all text so far: the position of what comes next. */
  get end(): number {
    return this.#end
  }

  /** Position of the first unit that is kept. */
  get start(): number {
    return this.#start
  }

  append(text: string): void {
    for (let at = 0; at < text.length; ) {
      const last = this.#blocks.length > this.#first ? this.#blocks.at(-1) : undefined
      const room = blockUnits - (last?.text.length ?? blockUnits)
      const until = cutBefore(text, at + (room > 0 ? room : blockUnits))
      const piece = text.slice(at, until)
      this.#add(room > 0 ? last : undefined, piece)
      at = until
    }
    this.#drop()
  }

  /** From `position`, or from what is kept of it on. */
  from(position: number): string {
    const parts: string[] = []
    let at = this.#end
    for (let index = this.#blocks.length - 1; index >= this.#first && at > position; index -= 1) {
      const { text } = this.#blocks[index] as Block
      at -= text.length
      parts.push(at < position ? text.slice(position - at) : text)
    }
    return parts.reverse().join('')
  }

  /** The last `count` lines, at most `maxBytes` of them; one that is still being written counts. */
  lastLines(count: number, maxBytes: number): string {
    const parts: string[] = []
    let lines = 0
    let bytes = 0
    for (let index = this.#blocks.length - 1; index >= this.#first && lines <= count && bytes < maxBytes; index -= 1) {
      const block = this.#blocks[index] as Block
      parts.push(block.text)
      lines += block.lines
      bytes += block.bytes
    }
    const text = tailOf(parts.reverse().join(''), count)
    return text.slice(firstFitting(text, maxBytes))
  }

  #add(block: Block | undefined, text: string): void {
    const bytes = Buffer.byteLength(text)
    const lines = countLines(text)
    if (block === undefined) this.#blocks.push({ text, bytes, lines })
    else {
      block.text += text
      block.bytes += bytes
      block.lines += lines
    }
    this.#bytes += bytes
    this.#lines += lines
    this.#end += text.length
  }

  #drop(): void {
    while (this.#bytes > this.#maxBytes || this.#lines > this.#maxLines) {
      const block = this.#blocks[this.#first]
      if (block === undefined || this.#first === this.#blocks.length - 1) break
      this.#blocks[this.#first] = dropped
      this.#first += 1
      this.#bytes -= block.bytes
      this.#lines -= block.lines
      this.#start += block.text.length
    }
    if (this.#first > 64 && this.#first * 2 > this.#blocks.length) {
      this.#blocks.splice(0, this.#first)
      this.#first = 0
    }
  }
}

/** A place for a cut at `at` that does not part a surrogate pair. */
function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function tailOf(text: string, count: number): string {
  // A line end at the very end belongs to the last line.
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let lines = 0; lines < count; lines += 1) {
    at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1)
    if (at === -1) return text
  }
  return text.slice(at + 1)
}
