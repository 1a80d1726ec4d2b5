import type { ServerActivity } from './contract/activity.ts'
import type { ServerCheck, ServerChecks } from './contract/check.ts'
import type { Triage } from './contract/findings.ts'

// Types that other features import.
export type { TriageItem } from './contract/findings.ts'

declare module '../../capture/client/panels.ts' {
  interface Panels {
    triage: NoLinkParams
  }
}

/** Requests of Triage. It judges data that the server's feed collects; only a check sends requests to the server. */
export interface TriageRequests {
  'triage.now': { params: null; response: Triage }
  /**
   * Requests what no feed collects: the cluster log, connections, open transactions, and of each loaded database
   * backups, deletions, indexes and storage. Triage uses the responses until the next check. Only after a click of the
   * user; one that runs already is joined.
   */
  'triage.check': { params: null; response: ServerCheck }
  /** The last check of the server, and whether one runs. No request is sent for it. */
  'triage.checks': { params: null; response: ServerChecks }
  /** Number of findings, and the title of the worst one; shown beside every panel. */
  'triage.badge': {
    params: null
    response: { readonly critical: number; readonly warning: number; readonly worst: string | null }
  }
  /** Present work and recent events of the server, from data that is collected anyway: no request is sent for them. */
  'triage.activity': { params: null; response: ServerActivity }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends TriageRequests {}
}
