import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { FindingRecord, NoteRecord, QueryRecord } from '../../../capture/archive/records.ts'
import type { ServerModel } from './model.ts'

/** Notifications, findings and slow queries of a server, as an archive has them. `withOpen`: findings that hold, too. */
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
