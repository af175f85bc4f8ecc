// The last `maxBytes` bytes of a stream, however it was chunked, in a buffer that grows with what really comes.

const firstCapacity = 4096

export class TailRing {
  readonly #maxBytes: number
  #buffer: Buffer = Buffer.alloc(0)
  /** Where the next byte goes; only once the buffer has its full size does it wrap. */
  #next = 0
  #total = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get totalBytes(): number {
    return this.#total
  }

  /** Absolute offset of the first retained byte. */
  get windowStart(): number {
    return Math.max(0, this.#total - this.#maxBytes)
  }

  /** Copies; the caller may use `chunk` again. */
  append(chunk: Uint8Array): void {
    const kept = chunk.length > this.#maxBytes ? chunk.subarray(chunk.length - this.#maxBytes) : chunk
    this.#reserve(Math.min(this.#total + chunk.length, this.#maxBytes))
    this.#total += chunk.length
    const head = Math.min(kept.length, this.#buffer.length - this.#next)
    this.#buffer.set(kept.subarray(0, head), this.#next)
    this.#buffer.set(kept.subarray(head), 0)
    this.#next = (this.#next + kept.length) % Math.max(this.#buffer.length, 1)
  }

  /** A copy of the retained bytes from `offset` on. */
  read(offset: number): { readonly bytes: Uint8Array; readonly start: number } {
    const start = Math.min(Math.max(offset, this.windowStart), this.#total)
    const length = this.#total - start
    const bytes = Buffer.allocUnsafe(length)
    const size = this.#buffer.length
    const from = size === 0 ? 0 : (((this.#next - length) % size) + size) % size
    const head = Math.min(length, size - from)
    this.#buffer.copy(bytes, 0, from, from + head)
    this.#buffer.copy(bytes, head, 0, length - head)
    return { bytes, start }
  }

  /** Grows before anything wraps: below the full size the bytes lie in order from 0, so a plain copy moves them. */
  #reserve(bytes: number): void {
    if (bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafeSlow(
      Math.min(this.#maxBytes, Math.max(firstCapacity, 2 ** Math.ceil(Math.log2(bytes))))
    )
    const used = Math.min(this.#total, this.#buffer.length)
    this.#buffer.copy(grown, 0, 0, used)
    this.#buffer = grown
    this.#next = used % grown.length
  }
}
