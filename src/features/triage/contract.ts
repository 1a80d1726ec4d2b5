import type { ServerActivity } from './contract/activity.ts'
import type { ServerCheck } from './contract/check.ts'
import type { Triage } from './contract/findings.ts'

// Types that other features import.
export type { TriageItem } from './contract/findings.ts'

declare module '../../capture/client/panels.ts' {
  interface Panels {
    triage: NoLinkParams
  }
}

/** Requests of findings: judged by what the server's feed collects, no request is sent for them but by a check. */
export interface TriageRequests {
  'triage.now': { params: null; response: Triage }
  /**
   * Requests once what no feed brings: the log of the cluster, connections, open transactions, and of each loaded database
   * backups, deletions, indexes and storage. Triage is judged by it until the next check. Only for a click.
   */
  'triage.check': { params: null; response: ServerCheck }
  /** How many findings there are, and the title of the worst; for every panel. */
  'triage.badge': {
    params: null
    response: { readonly critical: number; readonly warning: number; readonly worst: string | null }
  }
  /** Present work and recent events of the server, from what arrived anyway: no request is sent for it. */
  'triage.activity': { params: null; response: ServerActivity }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends TriageRequests {}
}
