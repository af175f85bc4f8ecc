// Keeps the event loop alive while anything is awaited, and only then. Providers leave all of their own handles unref'd
// where they outlive the direct command, so this one timer decides for both of them.

export class LoopHold {
  #count = 0
  #timer: NodeJS.Timeout | null = null

  /** Returns the release; calling that twice counts once. */
  acquire(): () => void {
    this.#count += 1
    // The timer's firing means nothing: its existence is what keeps the loop turning.
    this.#timer ??= setInterval(() => {}, 2_147_483_647)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#release()
    }
  }

  #release(): void {
    this.#count -= 1
    if (this.#count > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
