// Brings the events of the core to the driver they are about. One dispatcher for each copy of the addon, whose events come
// in batches on the event loop.

import { eventField, eventFields, type NativeBinding } from '../../native/binding.js'

/** The event is the `eventFields` numbers of `batch` from `at` on. */
export type EventListener = (batch: Float64Array, at: number) => void

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

  #dispatch(batch: Float64Array): void {
    for (let at = 0; at < batch.length; at += eventFields) {
      this.#listeners.get(batch[at + eventField.processId] as number)?.(batch, at)
    }
  }
}
