import { useEffect } from 'react'
import type { ActivityEntry, EffectSide } from '../../../actions/client/activity-entry.ts'
import type { ActivityLog } from '../../../actions/client/activity-log.ts'
import { useActivity, useSession } from '../../../actions/client/session.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import type { CaptureClient } from '../../../capture/client/client.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { measureBeside, recordedBeside, spansOf } from './beside.ts'
import {
  afterOf,
  beforeOf,
  betweenOthers,
  fromFirst,
  fuller,
  furtherAfter,
  isBeforeOpen,
  isPartial,
  isRebuildOpen,
  measuredIndex,
  rebuildOf,
  type Span,
} from './effect.ts'
import type {} from '../../compare/contract.ts'
import type {} from '../../../feeds/indexing/contract.ts'

const EVERY_MS = 5000
/** Maximum age of an entry that is measured, ms. */
const MOST_AGE_MS = 15 * 60_000

/** Time after the end of an action when the recording beside it is complete. */
const BESIDE_TICKS = 120 * TICKS_PER_SECOND

/** Stores recordings from before and after each action, since some actions remove them. Renders nothing. */
export function EffectRecorder(): null {
  const client = useCapture()
  const { log } = useSession()
  const ids = useActivity()
    .map(({ id }) => id)
    .slice(0, 10)
    .join(' ')
  useEffect(() => {
    const measureAll = async (): Promise<void> => {
      for (const id of ids.split(' ')) {
        const entry = log.get(id)
        if (entry === null || Date.now() - (entry.endedMs ?? entry.startedMs) > MOST_AGE_MS) continue
        await recordBeside(client, log, entry)
        const index = measuredIndex(entry)
        if (index === null) continue
        const between = betweenOthers(entry, log.getSnapshot())
        const beforeSpan = beforeOf(entry, between)
        if (beforeSpan !== null && isBeforeOpen(entry, client.getState().nowTicks)) {
          const before = await measure(client, index, await sinceRecorded(client, index, beforeSpan))
          log.patch(id, { before: fuller(entry.before, before) })
        }
        const built = isRebuildOpen(entry, client.getState().nowTicks) ? rebuildOf(entry) : null
        if (built !== null) {
          const rebuild = fuller(entry.rebuild, await measure(client, built.index, built.span))
          if (JSON.stringify(rebuild) !== JSON.stringify(entry.rebuild)) log.patch(id, { rebuild })
        }
        const known = entry.after
        const after = afterOf(entry, client.getState().nowTicks, between)
        if (entry.state !== 'done' || after === null) continue
        const { isComplete, ...span } = after
        if (isComplete && known?.endTicks === span.endTicks) continue
        log.patch(id, { after: furtherAfter(known, await measure(client, index, span)) })
      }
    }
    // A measurement that fails now is repeated in the next round.
    const run = (): void => void measureAll().catch(() => undefined)
    run()
    const timer = setInterval(run, EVERY_MS)
    return () => clearInterval(timer)
  }, [client, log, ids])
  return null
}

/** Records figures of the server or of an environment; never replaces known figures by missing ones. */
async function recordBeside(client: CaptureClient, log: ActivityLog, entry: ActivityEntry): Promise<void> {
  const recorded = recordedBeside(entry)
  const { nowTicks } = client.getState()
  const spans =
    recorded === null ? null : spansOf(entry, recorded.kind, nowTicks, betweenOthers(entry, log.getSnapshot()))
  // Repeated for this time, so that data that arrives late is included.
  if (entry.beside !== undefined && (nowTicks ?? 0) - (entry.endedTicks ?? 0) > BESIDE_TICKS) return
  if (recorded === null || spans === null) return
  const { before, after } = entry.beside ?? { before: null, after: null }
  const measured = {
    before: before ?? (await measureBeside(client, entry, recorded, spans.before)),
    after: (await measureBeside(client, entry, recorded, spans.after)) ?? after,
  }
  if (JSON.stringify(measured) !== JSON.stringify(entry.beside)) log.patch(entry.id, { beside: measured })
}

/** The part of a span from the index's first recorded batch: over time without a recording, rates would be too low. */
async function sinceRecorded(client: CaptureClient, index: string, span: Span): Promise<Span> {
  const { indexes } = await client.request('indexing.indexes', { sources: [index.slice(0, index.indexOf('|'))] })
  return fromFirst(span, indexes.find(({ key }) => key === index)?.firstTicks ?? null)
}

/** Batches measured over a span; null: the index was not recorded. Errors: `CaptureError`. */
async function measure(client: CaptureClient, index: string, span: Span): Promise<EffectSide | null> {
  const none: TickSpan | null = null
  const range = { startTicks: span.startTicks as Ticks, endTicks: span.endTicks as Ticks }
  const { total, indexes } = await client.request('indexing.summary', {
    indexes: [index],
    ...range,
    filter: { minTicks: none, maxTicks: none, minDocuments: null, reason: null, hideEmpty: true },
    largestLimit: 0,
  })
  if (indexes.length === 0) return null
  const { lines } = await client.request('compare.side', {
    feed: 'indexing',
    sources: [index.slice(0, index.indexOf('|'))],
    lane: index,
    ...range,
    unknown: [],
  })
  const { gaps, extent } = client.getState()
  return {
    ...span,
    batches: total.counts.batches - total.counts.empty,
    documents: total.documentsIn,
    medianTicks: Number.isNaN(total.p50Ticks) ? null : total.p50Ticks,
    median: lines.find(({ kind }) => kind === 'batch')?.quantiles?.[0] ?? null,
    busyShare: total.busyShare,
    isPartial: isPartial(span, index, gaps, extent?.startTicks ?? null),
  }
}
