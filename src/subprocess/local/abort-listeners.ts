// One listener for each abort signal, however many commands and waits obey it: Node warns of a leak at the eleventh.

interface Fan {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

const fans = new WeakMap<AbortSignal, Fan>()

/** Calls `callback` when `signal` aborts. Returns the way to stop that; the listener goes with the last of them. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const fan = fans.get(signal) ?? listenTo(signal)
  // A function of its own for each call, so that two calls with the same callback stay two.
  const entry = (): void => callback()
  fan.callbacks.add(entry)
  return () => {
    if (!fan.callbacks.delete(entry) || fan.callbacks.size > 0) return
    fans.delete(signal)
    signal.removeEventListener('abort', fan.listener)
  }
}

function listenTo(signal: AbortSignal): Fan {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    fans.delete(signal)
    const all = [...callbacks]
    callbacks.clear()
    callAll(all)
  }
  const fan = { callbacks, listener }
  signal.addEventListener('abort', listener, { once: true })
  fans.set(signal, fan)
  return fan
}

/** One failure must not keep the others from being told. */
function callAll(callbacks: readonly (() => void)[]): void {
  const failures: unknown[] = []
  for (const callback of callbacks) {
    try {
      callback()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
