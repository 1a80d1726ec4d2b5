import { formatTicks } from '../base/ticks.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import { DEFAULT_RULE, type CauseVerdict, type StallCause, type VolumeName } from '../features/stalls/contract.ts'

/** A stall as scripts get it. */
export interface ScriptStall {
  /** ISO 8601 with 100 ns. */
  readonly start: string
  /** Path as the server reports it. */
  readonly environment: string
  readonly kind: string
  readonly durationMs: number
  readonly cause: StallCause
  /** On its cause, over the whole capture. */
  readonly verdict: CauseVerdict
  /** 0 to 1. */
  readonly confidence: number
}

/** For `rookery.stalls`: the same request as the panel's, over all sources of the capture. */
export async function stallsFor(
  client: CaptureClient,
  volumes: readonly VolumeName[],
): Promise<readonly ScriptStall[]> {
  const sources = client.getState().sources.map(({ id }) => id)
  const { stalls, judgements } = await client.request('stalls.judge', { sources, rule: DEFAULT_RULE, volumes })
  const verdicts = new Map(judgements.map(({ cause, verdict }) => [cause, verdict]))
  return stalls.map(({ startTicks, environment, kind, durationMs, cause, confidence }) => ({
    start: formatTicks(startTicks),
    environment,
    kind,
    durationMs,
    cause,
    verdict: verdicts.get(cause) ?? 'too-few',
    confidence,
  }))
}
