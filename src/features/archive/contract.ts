import type { TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { EndedQuery, ServerAlert, ServerSeriesParams, ServerSeriesResponse } from '../server/contract.ts'

/** Figure by which the hours of the calendar are shaded. */
export type CalendarFigure = 'slow' | 'findings' | 'coverage' | 'rows'

export interface ArchiveLinkParams {
  readonly by: CalendarFigure
  /** SQL over the recording; left out: the calendar. */
  readonly view: 'ask'
}

/** A finding of a recorded server, from when to when it held. */
export interface RecordedFinding extends TimeRange {
  readonly id: string
  /** Node, as in folders of the archive. */
  readonly node: string
  readonly level: string
  readonly title: string
}

/** Facts that were recorded of servers beside their I/O, batches and figures, of the hours that are open. */
export interface RecordedFacts {
  /** Ascending. */
  readonly findings: readonly RecordedFinding[]
  readonly notifications: readonly ServerAlert[]
  readonly queries: readonly EndedQuery[]
}

export interface RecordedSeries extends ServerSeriesResponse {
  /** First to last sample of what is open of the server, whatever range was requested; null: there is none. */
  readonly extent: TimeRange | null
}

export interface ArchiveRequests {
  /** Facts of the servers that these sources are of. */
  'archive.facts': { params: { readonly sources: readonly SourceId[] }; response: RecordedFacts }
  /** Series as `server.series`, of the server that the first of the sources with figures is of. */
  'archive.series': {
    params: ServerSeriesParams & { readonly sources: readonly SourceId[] }
    response: RecordedSeries
  }
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    archive: ArchiveLinkParams
  }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ArchiveRequests {}
}
