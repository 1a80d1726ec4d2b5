import { Observed } from '../../base/observed.ts'
import { isSameTarget, type ActionCall, type ActionFacts, type ActionTarget } from '../model.ts'

/** A choice that waits for confirmation: one call, or the same action on several targets. */
export interface PendingConfirmation {
  readonly title: string
  readonly calls: readonly ActionCall[]
  readonly server: string
  /** Id of the Activity entry that it repeats; left out: none. */
  readonly retryOf?: string
  /** Id of the Activity entry that it undoes; left out: none. */
  readonly undoes?: string
  /** Targets that are gone or replaced by others of the same name since the choice; nothing is sent to them. */
  readonly absent?: readonly ActionTarget[]
}

/** Whether the facts known now belong to another index of the same name. */
export const isAnother = (before: ActionFacts | undefined, now: ActionFacts | undefined): boolean =>
  before?.createdAt !== undefined && now?.createdAt !== undefined && now.createdAt !== before.createdAt

/** Content of the page's confirmation dialog. Outlives the row or menu that opened it. */
export class ConfirmationStore {
  readonly #pending = new Observed<PendingConfirmation | null>(null)

  readonly getSnapshot = this.#pending.get
  readonly subscribe = this.#pending.subscribe

  /** Replaces the targets to which nothing is sent any more. */
  setAbsent(absent: readonly ActionTarget[]): void {
    const pending = this.getSnapshot()
    if (pending === null || JSON.stringify(pending.absent ?? []) === JSON.stringify(absent)) return
    this.request({ ...pending, absent })
  }

  /** Updates the facts about a target, and with them the text of the dialog. */
  learn(target: ActionTarget, facts: ActionFacts): void {
    const pending = this.getSnapshot()
    const at = pending?.calls.findIndex((call) => isSameTarget(call.target, target)) ?? -1
    const call = pending?.calls[at]
    if (pending == null || call === undefined) return
    if (isAnother(call.facts, facts)) return
    const known = { ...call.facts, ...facts }
    if (JSON.stringify(known) === JSON.stringify(call.facts)) return
    this.request({ ...pending, calls: pending.calls.with(at, { ...call, facts: known }) })
  }

  /** Opens the dialog; null closes it. */
  request(pending: PendingConfirmation | null): void {
    this.#pending.set(pending)
  }
}
