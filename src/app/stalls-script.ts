import { formatTicks } from '../base/ticks.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import {
  DEFAULT_RULE,
  MOST_EVENTS,
  type CauseVerdict,
  type StallCause,
  type VolumeName,
} from '../features/stalls/contract.ts'
import { unknownTimes } from '../features/stalls/link-settings.ts'

/** A stall as scripts receive it. */
export interface ScriptStall {
  /** ISO 8601 with a resolution of 100 ns. */
  readonly start: string
  /** Path as the server reports it. */
  readonly environment: string
  readonly kind: string
  readonly durationMs: number
  readonly cause: StallCause
  /** Verdict on its cause, over the whole capture. */
  readonly verdict: CauseVerdict
  /** Confidence, 0 to 1. */
  readonly confidence: number
}

/** Verdict on each cause, whether it has a stall or not. */
type ScriptVerdicts = Readonly<Record<StallCause, CauseVerdict>>

/** Handles `rookery.stalls` with the panel's request, over all sources of the capture. */
export async function stallsFor(
  client: CaptureClient,
  volumes: readonly VolumeName[],
): Promise<readonly ScriptStall[] & { readonly verdicts: ScriptVerdicts }> {
  const { sources, gaps } = client.getState()
  const { stalls, judgements } = await client.request('stalls.judge', {
    sources: sources.map(({ id }) => id),
    rule: DEFAULT_RULE,
    volumes,
    unknown: unknownTimes(gaps),
    range: null,
    most: MOST_EVENTS,
  })
  const verdicts = new Map(judgements.map(({ cause, verdict }) => [cause, verdict]))
  const rows = stalls.filter(({ of }) => of === 'write')
  const found = rows.map(({ startTicks, environment, kind, durationMs, cause, confidence }) => ({
    start: formatTicks(startTicks),
    environment,
    kind,
    durationMs,
    cause,
    verdict: verdicts.get(cause) ?? 'too-few',
    confidence,
  }))
  return Object.assign(found, { verdicts: Object.fromEntries(verdicts) as ScriptVerdicts })
}
