import { refusalOf, type Access } from '../access.ts'
import type { ViewOnly } from '../contract.ts'
import { opensDialog, titleOf, type Action, type ActionFacts, type ActionTarget, type ActionCall } from '../model.ts'
import { serverKeyOf, type ActionSession } from './session.ts'

/** An action as offered; one for each preset. */
export interface Offer {
  readonly action: Action
  readonly inputs: ActionCall['inputs']
  readonly title: string
  /** Why it is not possible now; null: it is. */
  readonly refusal: string | null
  /** Whether choosing it opens a dialog. */
  readonly opensDialog: boolean
}

const VIEW_ONLY = 'View only: allow changes by the lock in the header.'
/** Refusal while the rights are still loading. */
export const READING = 'The rights of this certificate are being read.'
const FORCED = 'View only: the stand-alone server refuses changes. Start it with --allow-changes.'

const NO_INPUTS: ActionCall['inputs'] = {}

/** Why it cannot be done to the target now, in one sentence; null: it can. */
export function refusalNow(
  action: Action,
  target: ActionTarget,
  access: Access | null,
  viewOnly: ViewOnly | null,
): string | null {
  if (access === null || viewOnly === null) return READING
  return refusalOf(action, target, access) ?? lockOf(viewOnly)
}

/** Why nothing can be changed now, in one sentence; null: changes are allowed. */
export const lockOf = (viewOnly: ViewOnly | null): string | null =>
  viewOnly === null ? READING : viewOnly.isForced ? FORCED : viewOnly.isOn ? VIEW_ONLY : null

/** Actions for the target, each with the reason if it is not possible. `given`: values chosen elsewhere. */
export function offersOf(
  actions: readonly Action[],
  { target, facts }: { readonly target: ActionTarget; readonly facts: ActionFacts },
  access: Access | null,
  viewOnly: ViewOnly | null,
  given?: ActionCall['inputs'],
): readonly Offer[] {
  return actions.flatMap((action): Offer[] => {
    const all = given === undefined ? (action.presets?.map(({ inputs }) => inputs) ?? [NO_INPUTS]) : [given]
    const refusal = refusalNow(action, target, access, viewOnly)
    return all
      .filter((inputs) => action.applies(facts, inputs))
      .map((inputs) => ({
        action,
        inputs,
        title: titleOf(action, inputs),
        refusal,
        opensDialog: opensDialog(action, facts, access?.version ?? null),
      }))
  })
}

/**
 * Runs an action at once if it needs no confirmation, else opens the dialog. If that depends on what another client may
 * have changed since a list was read, the index is read first.
 */
export function choose(
  session: ActionSession,
  access: Access,
  { action, inputs, title }: Pick<Offer, 'action' | 'inputs' | 'title'>,
  targets: readonly { readonly target: ActionTarget; readonly facts: ActionFacts }[],
): void {
  const server = serverKeyOf(access)
  const calls = targets.map(({ target, facts }): ActionCall => ({ action: action.id, target, inputs, facts }))
  const [call] = calls
  if (call === undefined) return
  const decide = (known: ActionCall): void => {
    if (calls.length === 1 && !opensDialog(action, known.facts, access.version))
      void session.runner.start(server, known, title)
    else session.confirmation.request({ title, calls: calls.length === 1 ? [known] : calls, server })
  }
  if (calls.length > 1 || action.confirmsAt === undefined || call.target.kind !== 'index') decide(call)
  else void session.factsNow(call.target).then((facts) => decide({ ...call, facts: { ...call.facts, ...facts } }))
}
