import { DURATION, START } from '../../base/columns/event-chunk.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { TAR_END } from '../../capture/archive/as-package.ts'
import type { TableName } from '../../capture/archive/manifest.ts'
import type { ArchiveRecord, IoRecord } from '../../capture/archive/records.ts'
import { isFileSource } from '../../capture/client/state.ts'
import type { ExportPlan } from '../../capture/exporting/exporter.ts'
import type { CapturedParams } from '../../features/archive/contract.ts'
import { countParts } from '../../feeds/indexing/data/exports/scope.ts'
import { partsOf, recordsOf, type SavedFeeds, vitalRecords, writeJournals } from './save-capture.ts'

const TABLE_OF: Readonly<Record<ArchiveRecord['t'], TableName | null>> = {
  io: 'io',
  sum: 'io-rollups',
  batch: 'batches',
  gap: 'gaps',
  vital: 'vitals',
  note: 'notifications',
  finding: 'findings',
  query: 'queries',
  command: 'cluster-log',
  setting: 'configuration',
  log: 'logs',
  stacks: 'stacks',
  'log-mark': null,
  known: null,
}

/** Plans the journals with some tables of the open capture, for SQL. Secrets are removed as in a saved capture. */
export function capturedRows(feeds: SavedFeeds, params: CapturedParams): ExportPlan {
  const { tables, within } = params
  const wanted = {
    io: tables.includes('io') || tables.includes('io-rollups'),
    batches: tables.includes('batches'),
    vitals: tables.includes('vitals'),
    within,
  }
  return {
    rows: countCaptured(feeds, params),
    *steps(out) {
      yield* writeJournals(out, params.places, function* (places) {
        for (const record of recordsOf(feeds, params, places, wanted)) {
          const table = TABLE_OF[record.t]
          if (table === null || !tables.includes(table)) continue
          const kept = record.t === 'io' && within !== null ? inRange(record, within) : record
          if (kept !== null) yield kept
        }
      })
      out.bytes(TAR_END)
    },
  }
}

/** Events of a record in a range; null: none. */
function inRange(record: IoRecord, { startTicks, endTicks }: TimeRange): IoRecord | null {
  const [starts = [], durations = []] = record.c
  const rows = starts.flatMap((start, row) =>
    start < endTicks && start + (durations[row] ?? 0) >= startTicks ? [row] : [],
  )
  if (rows.length === 0) return null
  return { ...record, c: record.c.map((column) => rows.map((row) => column[row] as number)) }
}

/** Counts events, batches and figures, of which there can be many; `show` of the engine counts all rows. */
export function countCaptured(
  { io, indexing, recorded, server }: SavedFeeds,
  { places, tables, range, within }: Omit<CapturedParams, 'gaps'>,
): number {
  const sources = places.map(({ source }) => source)
  let rows = tables.includes('batches') ? countParts(partsOf(indexing, sources, within)) : 0
  if (tables.includes('io'))
    for (const lane of io.store.lanes.values())
      if (sources.includes(lane.source))
        for (const { events } of lane.tracks.values())
          if (within === null) rows += events.length
          else
            for (const chunk of events.chunks)
              for (let row = 0; row < chunk.length; row++)
                if (
                  chunk.read(START, row) < within.endTicks &&
                  chunk.read(START, row) + chunk.read(DURATION, row) >= within.startTicks
                )
                  rows++
  if (tables.includes('vitals')) {
    for (const each of recorded.recordsOf(sources)) if (each.t === 'vital') rows += each.ticks.length
    if (!sources.every(isFileSource)) for (const each of vitalRecords(server, range)) rows += each.ticks.length
  }
  return rows
}
