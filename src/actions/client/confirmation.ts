import { Observed } from '../../base/observed.ts'
import { isSameTarget, type ActionCall, type ActionFacts, type ActionTarget } from '../model.ts'

/** Choice of the user that is yet to be confirmed: one call, or the same action on several targets. */
export interface PendingConfirmation {
  readonly title: string
  readonly calls: readonly ActionCall[]
  readonly server: string
  /** Id of the entry in Activity that it is to repeat; left out: it is new. */
  readonly retryOf?: string
  /** Id of the entry in Activity that it undoes; left out: none. */
  readonly undoes?: string
  /** Targets that are gone, or others of the same name, since it was chosen: nothing is sent to them. */
  readonly absent?: readonly ActionTarget[]
}

/** Whether what is known now is of another index of the same name. */
export const isAnother = (before: ActionFacts | undefined, now: ActionFacts | undefined): boolean =>
  before?.createdAt !== undefined && now?.createdAt !== undefined && now.createdAt !== before.createdAt

/** Content of the page's confirmation dialog. It outlives the row or menu that opened it. */
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

  /** More is known of a target: what the dialog says of it follows. */
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
