import type { ActionCall } from '../model.ts'

/** What the user chose and has yet to confirm: one call, or the same action on several targets. */
export interface PendingConfirmation {
  readonly title: string
  readonly calls: readonly ActionCall[]
  readonly server: string
}

/** What the confirmation dialog of the page shows. It outlives the row or menu that opened it. */
export class ConfirmationStore {
  #pending: PendingConfirmation | null = null
  readonly #listeners = new Set<() => void>()

  readonly getSnapshot = (): PendingConfirmation | null => this.#pending

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Null: closes the dialog. */
  request(pending: PendingConfirmation | null): void {
    this.#pending = pending
    for (const changed of this.#listeners) changed()
  }
}
