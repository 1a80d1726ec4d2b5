import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { ArchiveRecord, FindingRecord, NoteRecord, QueryRecord } from '../../../capture/archive/records.ts'
import { FIGURES, FIGURES_OF_DETAILS } from '../../../capture/archive/tables.ts'
import { sourceId } from '../../../capture/client/state.ts'
import type { ServerGap } from '../contract.ts'
import type { ServerModel } from './model.ts'

/**
 * Yields the notifications, findings and slow queries of a server as archive records. `withOpen`: also findings that
 * are not over.
 */
export function* serverRecords(
  model: Pick<ServerModel, 'alerts' | 'findings' | 'endedQueries'>,
  nowTicks: number,
  withOpen: boolean,
): Generator<NoteRecord | FindingRecord | QueryRecord> {
  for (const alert of model.alerts.values()) {
    const atTicks = alert.createdTicks ?? nowTicks
    yield { t: 'note', id: alert.id, atTicks, json: JSON.stringify(alert) }
  }
  for (const finding of model.findings.logged) {
    if (!finding.isOver && !withOpen) continue
    const { level, title, startTicks, lastTicks } = finding
    const id = `${finding.id} ${String(startTicks)}`
    yield { t: 'finding', id, level, title, startTicks, endTicks: lastTicks, json: JSON.stringify(finding) }
  }
  for (const query of model.endedQueries.kept) {
    const startTicks = query.startTicks ?? query.lastTicks - query.runningMs * TICKS_PER_MS
    const id = `${query.database} ${String(query.id)} ${String(query.startTicks)}`
    yield { t: 'query', id, startTicks, endTicks: query.lastTicks, json: JSON.stringify(query) }
  }
}

/** Coverage of the figures, each with the lane that its gaps have in an archive. */
export const figureCoverages = ({ coverage, detailCoverage }: Pick<ServerModel, 'coverage' | 'detailCoverage'>) =>
  [
    [FIGURES, coverage],
    [FIGURES_OF_DETAILS, detailCoverage],
  ] as const

/** Returns a gap in the figures of a server as an archive record. */
export const figureGapRecord = (
  lane: string,
  { startTicks, endTicks, reason, detail }: Omit<ServerGap, 'isOfDetails'>,
): ArchiveRecord & { readonly t: 'gap' } => ({
  t: 'gap',
  gap: { startTicks, endTicks, reason, detail, id: -1, source: SERVER, lane, ...NOT_COUNTED },
})

const SERVER = sourceId({ kind: 'server' })
const NOT_COUNTED = { kind: null, missingCount: null, missingBytes: null } as const
