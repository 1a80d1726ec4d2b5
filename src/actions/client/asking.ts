import type { Deed } from '../model.ts'

/** What the user chose and has yet to confirm: one deed, or the same one for several targets. */
export interface Asked {
  readonly title: string
  readonly deeds: readonly Deed[]
  readonly server: string
}

/** What the confirmation dialog of the page shows; rows and menus that asked may be gone by then. */
export class Asking {
  #asked: Asked | null = null
  readonly #listeners = new Set<() => void>()

  readonly getSnapshot = (): Asked | null => this.#asked

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Null: nothing is asked any more. */
  ask(asked: Asked | null): void {
    this.#asked = asked
    for (const changed of this.#listeners) changed()
  }
}
