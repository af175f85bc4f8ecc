// Brings the events of the core to the driver they are about. One dispatcher for each copy of the addon, whose events come
// in batches on the event loop.

import type { NativeBinding, NativeEvent } from '../../native/binding.js'

export type EventListener = (event: NativeEvent) => void

const dispatchers = new WeakMap<NativeBinding, Dispatcher>()

export class Dispatcher {
  readonly #listeners = new Map<number, EventListener>()

  static of(binding: NativeBinding): Dispatcher {
    let dispatcher = dispatchers.get(binding)
    if (dispatcher === undefined) {
      const made = new Dispatcher()
      binding.setWake(() => made.#dispatch(binding.takeEvents()))
      dispatchers.set(binding, made)
      dispatcher = made
    }
    return dispatcher
  }

  /** Until `forget`; the core reports the end of each process exactly once. */
  listen(id: number, listener: EventListener): void {
    this.#listeners.set(id, listener)
  }

  forget(id: number): void {
    this.#listeners.delete(id)
  }

  #dispatch(events: readonly NativeEvent[]): void {
    for (const event of events) this.#listeners.get(event.id)?.(event)
  }
}
