import type { Ticks } from '../../../../base/ticks.ts'
import type { CpuCredits } from '../../contract/now.ts'
import type { CreditsResponse } from '../wire/polls-wire.ts'

/** Adds to the CPU credits the time until they run out, and their effects in the server. */
export function creditsOf(credits: CreditsResponse & { readonly atTicks: Ticks }): CpuCredits {
  const falls = credits.usedPerSecond - credits.gainedPerSecond
  const consequences = [
    ...(credits.remaining < credits.backgroundThreshold
      ? ['Background work such as indexing is paused to save CPU credits.']
      : []),
    ...(credits.remaining < credits.failoverThreshold
      ? ['Requests are refused, or handed to other nodes of the cluster, to save CPU credits.']
      : []),
  ]
  return { ...credits, emptyInMs: falls > 0 ? (credits.remaining / falls) * 1000 : null, consequences }
}
