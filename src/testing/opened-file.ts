import { createFeeds } from '../app/feeds.ts'
import type { Extent } from '../base/far-events.ts'
import { msFromTicks } from '../base/ticks.ts'
import { rangeOfSpans } from '../capture/client/fitted-range.ts'
import type { FileState } from '../capture/client/state.ts'
import type { FeedSummaryRow } from '../capture/client/summary.ts'
import { Files } from '../capture/reading/files.ts'
import { GapLog } from '../capture/worker/gap-log.ts'

export interface Opened {
  readonly state: FileState
  readonly rows: readonly FeedSummaryRow[]
  /** From when to when the first picture reaches, ISO. */
  readonly fitted: readonly [string, string] | null
  /** Extent of each feed. */
  readonly extents: readonly (Extent | null)[]
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Reads a file as the capture does, with nothing else open. */
export async function openAlone(name: string, contents: BlobPart): Promise<Opened> {
  const feeds = createFeeds()
  const files = new Files({ feeds, gapLog: new GapLog() })
  files.open(new File([contents], name))
  await files.rest()
  const range = rangeOfSpans(
    feeds.flatMap((feed) => (feed.spans?.() ?? []).map(({ firstMs, endMs }) => ({ feed: feed.name, firstMs, endMs }))),
  )
  return {
    state: { ...(files.states[0] as FileState), entries: files.takeEntries().flatMap(({ entries }) => entries) },
    rows: feeds.flatMap((feed) => feed.summary?.() ?? []),
    extents: feeds.map((feed) => feed.extent?.() ?? null),
    fitted: range === null ? null : [iso(msFromTicks(range.startTicks)), iso(msFromTicks(range.endTicks))],
  }
}
