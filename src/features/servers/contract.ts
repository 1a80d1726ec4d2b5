import type { ListedServer } from '../../base/http/stand-alone.mjs'
import type { Ticks, TickSpan, TimeRange } from '../../base/ticks.ts'
import type { SeriesRows, ServerRequests } from '../../feeds/server/contract.ts'
import type { TriageRequests } from '../triage/contract.ts'

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends ServersRequests {}
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    servers: NoLinkParams
  }
}

type ServerNow = ServerRequests['server.now']['response']
export type ServerTriage = TriageRequests['triage.now']['response']
export type ServerFinding = Pick<
  ServerTriage['items'][number],
  'id' | 'level' | 'title' | 'sinceTicks' | 'sinceIsBound' | 'link'
>

/** Findings of one server, by the same rules as in its Triage; rules that wait for a check on request have not judged. */
export interface ServerFindings {
  readonly critical: number
  readonly warning: number
  /** Findings that are critical or warnings, worst first. */
  readonly found: readonly ServerFinding[]
  /** Titles of findings for information, worst first: no fault by themselves, but the server is not simply well. */
  readonly noted: readonly string[]
  /** Number of checks that judged, and of all. */
  readonly judged: number
  readonly all: number
  /** All that can be judged at once is judged. */
  readonly isWhole: boolean
}

/** Longest wait of the last hour that vital signs show. */
export interface WorstStall {
  /** `latency`: the recent mean duration of requests, as the server reports it; `unresponsive`: it answered nothing. */
  readonly kind: 'latency' | 'unresponsive'
  readonly atTicks: Ticks
  readonly forTicks: TickSpan
}

/** The last hour, as far as pages of this browser have watched the server. */
export interface LastHour {
  readonly range: TimeRange
  /** Mean duration of requests, ms. */
  readonly latency: SeriesRows
  /** Longest of them; null: the server had no requests. */
  readonly worst: WorstStall | null
}

/** Newest figures of a server. */
export interface ServerFigures {
  /** Last hour of the server; null: nothing is known of it. */
  readonly lastHour: LastHour | null
  readonly now: ServerNow
  readonly triage: ServerTriage
}

export interface ServerRow extends Pick<ListedServer, 'path' | 'url' | 'version' | 'state' | 'why'> {
  /** The server of this page. */
  readonly isOwn: boolean
  /** Since when the state is known to hold, and when it answered last, ms since 1970; null: not known, never. */
  readonly sinceMs: number | null
  readonly answeredMs: number | null
  /** How long its last answer took, ms; null: there was none. */
  readonly tookMs: number | null
  /** Newest figures; null: the server does not answer, or nothing arrived yet. */
  readonly figures: Pick<ServerNow, 'cpu' | 'memory' | 'traffic' | 'databases'> | null
  readonly nodeTag: string | null
  /** The volume with the smallest share of free space; null: not reported. */
  readonly disk: { readonly mount: string; readonly freeBytes: number; readonly totalBytes: number } | null
  /** Last hour of the server; null: nothing is known of it. */
  readonly lastHour: LastHour | null
  /** The CPU of its machine is saturated: now, or over the last minutes. */
  readonly isSaturated: boolean
  /** Findings by its vital signs; null: the server does not answer, or has no figures yet. */
  readonly findings: ServerFindings | null
}

export interface ServersRequests {
  /**
   * The servers of the stand-alone server, worst first; each is watched as long as this is requested. Empty: it has one, or
   * the page is embedded. Fails when the list cannot be had.
   */
  'servers.list': { params: null; response: readonly ServerRow[] }
  /** The same servers as they are known now, without watching any. */
  'servers.names': { params: null; response: readonly Pick<ListedServer, 'path' | 'state' | 'why'>[] }
}
