import type { PushedOutRows } from '../../base/columns/pushed-out.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { TableName } from '../../capture/archive/manifest.ts'
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

/** Figure that determines the shade of the hours in the calendar. */
export type CalendarFigure = 'slow' | 'findings' | 'coverage' | 'rows'

/** Length of the range, ending now, for which servers are listed. */
export type FleetSpan = '1h' | '24h' | '7d' | '30d'

export interface ArchiveLinkParams {
  readonly by: CalendarFigure
  /** Set for the SQL view of the recording; the default is the calendar. */
  readonly view: 'ask'
  /** Range for the list of servers. */
  readonly within: FleetSpan
  /** Server of that list whose recording is shown. */
  readonly server: string
}

/** A finding of a recorded server, with the range in which it applied. */
export interface RecordedFinding extends TimeRange {
  readonly id: string
  /** Node, as named in the folders of the archive. */
  readonly node: string
  readonly level: string
  readonly title: string
  /** Triage rule, and the link of the finding; null: written by an older recorder without them. */
  readonly noted: Pick<NotedFinding, 'rule' | 'link'> | null
}

/** A change of a setting of a recorded server, or of a database (`db:shop KEY`). Value null: default. */
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
  /** Level such as `warn`. */
  readonly level: string
  /** `Server`, or the name of a database. */
  readonly resource: string
  readonly logger: string
  readonly message: string
}

/** Recorded facts of servers, except I/O, batches and figures, for the open hours. */
export interface RecordedFacts {
  /** Findings, ascending by time. */
  readonly findings: readonly RecordedFinding[]
  readonly notifications: readonly ServerAlert[]
  readonly queries: readonly EndedQuery[]
  /** Changes of settings, ascending by time. */
  readonly settings: readonly RecordedSetting[]
  /** Log lines, ascending by time. */
  readonly log: readonly RecordedLine[]
}

/** Lists of `RecordedFacts`, each of which keeps a number of rows. */
export type RecordedList = keyof RecordedFacts

export interface RecordedSeries extends ServerSeriesResponse {
  /** First to last loaded sample of the server, regardless of the requested range; null: none. */
  readonly extent: TimeRange | null
}

/** Triage of a recorded server at a moment, from the open hours of the recording. */
export interface RecordedTriage {
  /** Whether files with findings of that time are missing or cannot be read. */
  readonly lacksFindings: boolean
  /** Moment that was judged: the end of the range, at most of the open hours; null: none in the range. */
  readonly atTicks: Ticks | null
  /** Time from the first to the last open hour; null: no hour of the server is open. */
  readonly extent: TimeRange | null
  readonly sentence: string
  /** Findings at that moment, worst first: those of the recorder's Triage, and those of checks on the rows. */
  readonly items: readonly TriageItem[]
  /** Findings of the recorder's Triage in the range, ascending by time. */
  readonly findings: readonly RecordedFinding[]
  /** Number of checks that judged the rows; `total` is the number of all. */
  readonly judged: number
  readonly total: number
  readonly unknown: readonly { readonly rule: string; readonly title: string; readonly why: string }[]
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

/** Number of rows that a saved capture would contain. */
export interface HeldRows {
  readonly events: number
  readonly batches: number
  readonly samples: number
  /** Lines of logs. */
  readonly lines: number
  /** Stack snapshots, and their threads. */
  readonly snapshots: number
  readonly threads: number
}

/** Rows of some tables of the open capture. */
export interface CapturedParams extends Pick<SaveParams, 'places' | 'gaps' | 'range'> {
  readonly tables: readonly TableName[]
  /** Range of events, batches and figures; null: all. Of other tables all rows are there. */
  readonly within: TimeRange | null
}

export interface ArchiveRequests {
  /** Counts the events, batches and figures that `archive.rows` would write. */
  'archive.counted': { params: Omit<CapturedParams, 'gaps'>; response: { readonly rows: number } }
  /** Counts the rows that *Save capture* would write. */
  'archive.held': { params: Pick<SaveParams, 'places' | 'range'>; response: HeldRows }
  /** Triage of the server to which the sources belong. Range null: at the end of the open hours. */
  'archive.triage': {
    params: { readonly sources: readonly SourceId[]; readonly range: TimeRange | null }
    response: RecordedTriage
  }
  /** Recorded facts of the servers to which the sources belong. */
  'archive.facts': { params: { readonly sources: readonly SourceId[] }; response: RecordedFacts }
  /** Rows of a range that are no longer in `archive.facts`, as there are too many. Null: all are there. */
  'archive.pushedOut': {
    params: { readonly sources: readonly SourceId[]; readonly range: TimeRange }
    response: Readonly<Record<RecordedList, PushedOutRows | null>>
  }
  /** Series as in `server.series`, of the server to which the first source with figures belongs. */
  'archive.series': {
    params: ServerSeriesParams & { readonly sources: readonly SourceId[] }
    response: RecordedSeries
  }
}

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports {
    /** Rows of all feeds, gaps and the view, as one file: see `capture/archive/saved-capture.ts`. */
    'archive.capture': SaveParams
    /** Rows of some tables, as the journals of a saved capture. */
    'archive.rows': CapturedParams
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
