import { isSameTarget, type ActionCall, type ActionFacts, type ActionTarget } from '../model.ts'

/** What the user chose and has yet to confirm: one call, or the same action on several targets. */
export interface PendingConfirmation {
  readonly title: string
  readonly calls: readonly ActionCall[]
  readonly server: string
  /** Of the entry in Activity that it is to repeat; left out: it is new. */
  readonly retryOf?: string
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

  /** More is known of a target: what the dialog says of it follows. */
  learn(target: ActionTarget, facts: ActionFacts): void {
    const pending = this.#pending
    const at = pending?.calls.findIndex((call) => isSameTarget(call.target, target)) ?? -1
    const call = pending?.calls[at]
    if (pending == null || call === undefined) return
    const known = { ...call.facts, ...facts }
    if (JSON.stringify(known) === JSON.stringify(call.facts)) return
    this.request({ ...pending, calls: pending.calls.with(at, { ...call, facts: known }) })
  }

  /** Null: closes the dialog. */
  request(pending: PendingConfirmation | null): void {
    this.#pending = pending
    for (const changed of this.#listeners) changed()
  }
}
