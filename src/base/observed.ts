/** A value that changes, in the form that `useSyncExternalStore` wants. */
export class Observed<Value> {
  #value: Value
  readonly #listeners = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  readonly get = (): Value => this.#value

  /** `changed` is called after each `set`. Returns how to stop. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  set(value: Value): void {
    this.#value = value
    for (const changed of this.#listeners) changed()
  }
}
