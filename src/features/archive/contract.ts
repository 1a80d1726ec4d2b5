import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { SaveParams } from '../../capture/archive/saved-capture.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type {
  EndedQuery,
  NotedFinding,
  ServerAlert,
  ServerSeriesParams,
  ServerSeriesResponse,
} from '../../feeds/server/contract.ts'
import type { TriageItem } from '../triage/contract.ts'

/** Figure by which the hours of the calendar are shaded. */
export type CalendarFigure = 'slow' | 'findings' | 'coverage' | 'rows'

/** Length of the range, up to now, of which servers are listed. */
export type FleetSpan = '1h' | '24h' | '7d' | '30d'

export interface ArchiveLinkParams {
  readonly by: CalendarFigure
  /** SQL over the recording; left out: the calendar. */
  readonly view: 'ask'
  /** Range of the list of servers. */
  readonly within: FleetSpan
  /** The server of that list whose recording is shown. */
  readonly server: string
}

/** A finding of a recorded server, from when to when it held. */
export interface RecordedFinding extends TimeRange {
  readonly id: string
  /** Node, as in folders of the archive. */
  readonly node: string
  readonly level: string
  readonly title: string
  /** Rule of Triage, and where it led; null: an earlier recorder did not write it. */
  readonly noted: Pick<NotedFinding, 'rule' | 'link'> | null
}

/** A setting of a recorded server, or of a database (`db:shop KEY`), that changed; null: it is at its default. */
export interface RecordedSetting {
  readonly node: string
  readonly key: string
  readonly atTicks: Ticks
  readonly value: string | null
  readonly before: string | null
}

/** A line of the log of a recorded server. */
export interface RecordedLine {
  readonly node: string
  readonly atTicks: Ticks
  /** `warn`, … */
  readonly level: string
  /** `Server`, or the name of a database. */
  readonly resource: string
  readonly logger: string
  readonly message: string
}

/** Facts that were recorded of servers beside their I/O, batches and figures, of the hours that are open. */
export interface RecordedFacts {
  /** Ascending. */
  readonly findings: readonly RecordedFinding[]
  readonly notifications: readonly ServerAlert[]
  readonly queries: readonly EndedQuery[]
  /** Changes, ascending. */
  readonly settings: readonly RecordedSetting[]
  /** Ascending. */
  readonly log: readonly RecordedLine[]
}

export interface RecordedSeries extends ServerSeriesResponse {
  /** First to last sample of what is open of the server, whatever range was requested; null: there is none. */
  readonly extent: TimeRange | null
}

/** Judgement of a recorded server as of a moment, from what is open of the recording. */
export interface RecordedTriage {
  /** Moment that is judged: the end of the range, at most that of what is open; null: nothing of the range is. */
  readonly atTicks: Ticks | null
  /** Time over which the open hours reach; null: nothing of the server is open. */
  readonly extent: TimeRange | null
  readonly sentence: string
  /** Findings at that moment, worst first: of the recorder's Triage, and of the checks that are made from rows. */
  readonly items: readonly TriageItem[]
  /** Findings of the recorder's Triage in the range, ascending. */
  readonly findings: readonly RecordedFinding[]
  /** How many checks were made from rows, of how many. */
  readonly judged: number
  readonly total: number
  readonly unknown: readonly { readonly rule: string; readonly title: string; readonly why: string }[]
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

/** Rows that a saved capture would have. */
export interface HeldRows {
  readonly events: number
  readonly batches: number
  readonly samples: number
}

export interface ArchiveRequests {
  /** Counts what *Save capture* would write. */
  'archive.held': { params: Pick<SaveParams, 'places' | 'range'>; response: HeldRows }
  /** Triage of the server that the sources are of. Range null: as of the end of what is open. */
  'archive.triage': {
    params: { readonly sources: readonly SourceId[]; readonly range: TimeRange | null }
    response: RecordedTriage
  }
  /** Facts of the servers that these sources are of. */
  'archive.facts': { params: { readonly sources: readonly SourceId[] }; response: RecordedFacts }
  /** Series as `server.series`, of the server that the first of the sources with figures is of. */
  'archive.series': {
    params: ServerSeriesParams & { readonly sources: readonly SourceId[] }
    response: RecordedSeries
  }
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports {
    /** Rows of all feeds, gaps and the view, as one file: see `capture/archive/saved-capture.ts`. */
    'archive.capture': SaveParams
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
