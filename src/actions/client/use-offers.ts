import { useEffect } from 'react'
import type { Action, ActionCall, ActionFacts, ActionTarget } from '../model.ts'
import { choose, offersOf, type Offer } from './choose.ts'
import { useAccess, useSession, useViewOnly } from './session.ts'

export interface Offers {
  readonly offers: readonly Offer[]
  /** Sends the action, or opens its confirmation. */
  readonly choose: (offer: Offer) => void
  /** Effect of the action, in a sentence or two; null: the server's version is not known yet. */
  readonly consequenceOf: (offer: Offer) => string | null
}

/** Current actions for a target, each with the reason if it is not possible. */
export function useOffers(
  actions: readonly Action[],
  target: ActionTarget,
  facts: ActionFacts,
  given?: ActionCall['inputs'],
): Offers {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  useEffect(() => {
    if (session.viewOnly.getSnapshot() === null) void session.viewOnly.apply()
  }, [session])
  useEffect(() => session.confirmation.learn(target, facts))
  return {
    offers: offersOf(actions, { target, facts }, access, viewOnly, given),
    choose: (offer) => {
      if (access !== null) choose(session, access, offer, [{ target, facts }])
    },
    consequenceOf: ({ action, inputs }) =>
      access === null ? null : action.consequence({ action: action.id, target, inputs, facts }, access.version),
  }
}
