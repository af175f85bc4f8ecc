// Terminal output as text: escape sequences gone, one kind of line end, UTF-8 decoded as a stream. Every byte is looked at
// once, whatever the chunks; between chunks only a state and a bounded carry are kept. What programs of this package hide in
// operating system commands (OSC) is handed out, with the place in the text where it stood.

import { StringDecoder } from 'node:string_decoder'

/** A sequence longer than this is broken or hostile: its payload is dropped, its end still looked for. */
const longestPayload = 4096

const ESC = 0x1b
const BEL = 0x07
const CR = 0x0d
const LF = 0x0a

/**
 * `escape`: after ESC. `intermediate`: after ESC and a byte of 0x20 to 0x2f. `csi`: up to its final byte. `osc`: up to BEL or
 * ST. `string` (DCS, SOS, PM, APC): up to ST. `oscEscape`, `stringEscape`: ESC within them.
 */
type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'osc' | 'oscEscape' | 'string' | 'stringEscape'

/** An OSC, and how many UTF-16 units of all text came before it. */
export interface Mark {
  readonly payload: string
  readonly at: number
}

export interface Cleaned {
  readonly text: string
  readonly marks: readonly Mark[]
}

export class CleanText {
  readonly #decoder = new StringDecoder('utf8')
  #state: State = 'text'
  #afterReturn = false
  #payload = ''
  /** UTF-16 units that have been given out. */
  #length = 0

  /** The text of the next bytes; an incomplete character or sequence waits for its rest. */
  push(bytes: Uint8Array): Cleaned {
    return this.#take(this.#decoder.write(bytes as Buffer))
  }

  /** The rest. An incomplete character becomes U+FFFD, an incomplete sequence nothing. */
  end(): Cleaned {
    const rest = this.#take(this.#decoder.end())
    this.#state = 'text'
    return rest
  }

  #take(input: string): Cleaned {
    let text = ''
    const marks: Mark[] = []
    let from = 0
    for (let at = 0; at < input.length; at += 1) {
      const code = input.charCodeAt(at)
      if (this.#state !== 'text') {
        if (this.#step(code)) marks.push({ payload: this.#payload, at: this.#length + text.length })
        from = at + 1
        continue
      }
      if (code === ESC || isDropped(code)) {
        text += input.slice(from, at)
        from = at + 1
        if (code === ESC) this.#state = 'escape'
        // What shows nothing does not part a return from its line feed.
        continue
      }
      if (code === CR || (code === LF && this.#afterReturn)) {
        text += input.slice(from, at)
        from = at + 1
        if (code === CR) text += '\n'
      }
      this.#afterReturn = code === CR
    }
    if (this.#state === 'text') text += input.slice(from)
    this.#length += text.length
    return { text, marks }
  }

  /** True when an OSC is complete. */
  #step(code: number): boolean {
    switch (this.#state) {
      case 'escape':
        this.#state = afterEscape(code)
        this.#payload = ''
        return false
      case 'intermediate':
        if (code < 0x20 || code > 0x2f) this.#state = 'text'
        return false
      case 'csi':
        if (code === ESC) this.#state = 'escape'
        else if (code >= 0x40) this.#state = 'text'
        return false
      case 'osc':
        if (code === ESC) this.#state = 'oscEscape'
        else if (code !== BEL) this.#add(code)
        else this.#state = 'text'
        return code === BEL
      case 'oscEscape':
      case 'stringEscape': {
        // ST is ESC and a backslash; ESC and anything else begins a new sequence, the old one having been cut off.
        const complete = code === 0x5c
        const osc = this.#state === 'oscEscape'
        this.#state = complete ? 'text' : afterEscape(code)
        if (!complete) this.#payload = ''
        return complete && osc
      }
      default:
        if (code === ESC) this.#state = 'stringEscape'
        return false
    }
  }

  #add(code: number): void {
    if (this.#payload.length < longestPayload) this.#payload += String.fromCharCode(code)
  }
}

function afterEscape(code: number): State {
  if (code === ESC) return 'escape'
  if (code === 0x5b) return 'csi'
  if (code === 0x5d) return 'osc'
  if (code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return 'string'
  return code >= 0x20 && code <= 0x2f ? 'intermediate' : 'text'
}

/** Control characters that mean something to a screen alone. Tab, backspace and line feed stay. */
function isDropped(code: number): boolean {
  return code === BEL || code === 0 || code === 0x0e || code === 0x0f
}
