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

/**
 * Findings of one server, by the same rules as in its Triage. Rules that depend on a check that only runs on request
 * have no result.
 */
export interface ServerFindings {
  readonly critical: number
  readonly warning: number
  /** Critical findings and warnings, worst first. */
  readonly found: readonly ServerFinding[]
  /** Titles of informational findings, worst first. They are not faults, but the server is not entirely healthy. */
  readonly noted: readonly string[]
  /** Number of checks with a result; `all` is the number of all checks. */
  readonly judged: number
  readonly all: number
  /** Whether all checks have a result, except those that only run on request. */
  readonly isWhole: boolean
}

/** Longest wait of the last hour according to the vital signs. */
export interface WorstStall {
  /**
   * `latency`: the recent mean duration of requests, as the server reports it; `unresponsive`: the server did not
   * respond.
   */
  readonly kind: 'latency' | 'unresponsive'
  readonly atTicks: Ticks
  readonly forTicks: TickSpan
}

/** Last hour of a server, as far as pages of this browser have watched it. */
export interface LastHour {
  readonly range: TimeRange
  /** Mean duration of requests, ms. */
  readonly latency: SeriesRows
  /** Longest wait; null: the server had no requests. */
  readonly worst: WorstStall | null
}

/** Newest figures of a server. */
export interface ServerFigures {
  /** Last hour of the server; null: no data. */
  readonly lastHour: LastHour | null
  readonly now: ServerNow
  readonly triage: ServerTriage
}

export interface ServerRow extends Pick<
  ListedServer,
  'path' | 'url' | 'version' | 'state' | 'why' | 'waitingMs' | 'replacedMs'
> {
  /** Whether it is the server of this page. */
  readonly isOwn: boolean
  /**
   * Time since which the state is known to apply (null: unknown), and time of the last response (null: never); ms since
   * 1970.
   */
  readonly sinceMs: number | null
  readonly answeredMs: number | null
  /** Duration of its last response, ms; null: none. */
  readonly tookMs: number | null
  /** Reason why it gives no figures although it answers; null: it does, or they are still expected. */
  readonly withheld: string | null
  /** Newest figures; null: the server does not respond, or none have arrived yet. */
  readonly figures: Pick<ServerNow, 'cpu' | 'memory' | 'traffic' | 'databases'> | null
  readonly nodeTag: string | null
  /** Volume with the smallest share of free space; null: not reported. */
  readonly disk: { readonly mount: string; readonly freeBytes: number; readonly totalBytes: number } | null
  /** Last hour of the server; null: no data. */
  readonly lastHour: LastHour | null
  /** Whether the CPU of its machine is saturated, now or over the last minutes. */
  readonly isSaturated: boolean
  /** Findings from its vital signs; null: the server does not respond, or has no figures yet. */
  readonly findings: ServerFindings | null
}

export interface ServersRequests {
  /**
   * Lists the servers of the stand-alone server, worst first, and watches each while this is requested. Empty: it has
   * only one server, or the page is embedded. Fails if the list is unavailable.
   */
  'servers.list': { params: null; response: readonly ServerRow[] }
  /** Lists the same servers in their current state, without watching any. */
  'servers.names': { params: null; response: readonly Pick<ListedServer, 'path' | 'state' | 'why'>[] }
}
