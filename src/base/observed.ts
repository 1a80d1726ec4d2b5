/** A value with change notification, as `useSyncExternalStore` needs it. */
export class Observed<Value> {
  #value: Value
  readonly #listeners = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  readonly get = (): Value => this.#value

  /** Calls `changed` after each `set`. Returns a function that ends the subscription. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  set(value: Value): void {
    this.#value = value
    for (const changed of this.#listeners) changed()
  }
}
