import type { Ticks } from '../../base/ticks.ts'
import type { IndexFacts, HeldTombstones, HugeDocument } from '../../ravendb/answers/database-answers.ts'
import type { DatabaseNotice } from '../../ravendb/databases/database-details.ts'
import type { StorageEnvironment } from '../../ravendb/databases/environments.ts'
import type { OngoingTask } from '../../ravendb/databases/ongoing-tasks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { TriageItem } from '../triage/contract.ts'

/* A debug package, as the servers whose responses it contains. In all types, null means: not in the package. */

/** A finding about the content of a package. It has no actions. */
export interface PackageFinding extends TriageItem {
  /** Path of the entry that shows the problem; null: there is no single entry. */
  readonly entry: string | null
  /** Database of the finding. */
  readonly database: string | null
  /** Node of the finding, in a package of several nodes. */
  readonly node: string | null
}

export interface PackageTriage {
  readonly sentence: string
  readonly isCalm: boolean
  /** Findings, worst first, at most 100. */
  readonly findings: readonly PackageFinding[]
  /** Number of further findings. */
  readonly more: number
  readonly judged: number
  /** Rules that were not applied to everything, with the reason. `isLack`: this package lacks entries. */
  readonly unknown: readonly {
    readonly rule: string
    readonly title: string
    readonly why: string
    readonly isLack: boolean
  }[]
  /** Every rule that was applied, with its reason. */
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

export interface PackageNode {
  /** Path of the node's folders in the package; empty: at the top. */
  readonly prefix: string
  readonly tag: string | null
  readonly url: string | null
  readonly version: string | null
  readonly os: string | null
  readonly atTicks: Ticks | null
  readonly startTicks: Ticks | null
  readonly role: string | null
  readonly leader: string | null
  readonly term: number | null
  readonly commitIndex: number | null
  readonly cores: number | null
  readonly machinePercent: number | null
  readonly processPercent: number | null
  readonly threads: number | null
  readonly physicalBytes: number | null
  readonly availableBytes: number | null
  readonly workingSetBytes: number | null
  readonly managedBytes: number | null
  readonly unmanagedBytes: number | null
  readonly gcPausePercent: number | null
  readonly fragmentedShare: number | null
  readonly established: number | null
  readonly timeWait: number | null
  readonly databases: number
  /** Responses that the server could not gather, or that cannot be read. */
  readonly failed: readonly FailedResponse[]
}

export interface PackageDatabase {
  /** Prefix of the node with the database. */
  readonly prefix: string
  readonly node: string | null
  readonly name: string
  readonly state: 'loaded' | 'disabled' | 'failed' | 'unknown'
  readonly documents: number | null
  readonly indexes: number | null
  readonly stale: number | null
  readonly erroredIndexes: number | null
  readonly indexingErrors: number | null
  readonly bytes: number | null
  readonly tempBytes: number | null
  readonly notices: number | null
  /** End of the last backup; null: never, or not in the package. */
  readonly backupTicks: Ticks | null
  readonly isEncrypted: boolean
  readonly isCompressed: boolean
  /** Common prefix of the paths of its entries. */
  readonly folder: string
  /** Source id of its I/O and index batches. */
  readonly source: SourceId
}

export interface PackageReport {
  readonly file: string
  /** Time of the newest response. */
  readonly atTicks: Ticks | null
  readonly nodes: readonly PackageNode[]
  /** Databases, sorted by name, then by node. */
  readonly databases: readonly PackageDatabase[]
  readonly triage: PackageTriage
}

/** Errors that the server keeps of an index. */
export interface KeptErrors {
  readonly index: string
  readonly count: number
  readonly newest: string
}

/** A response that the server could not gather, or that cannot be read. */
export interface FailedResponse {
  readonly entry: string
  readonly message: string
}

/** A notification of a database. */
export interface PackageNotice extends Pick<DatabaseNotice, 'type' | 'kind' | 'severity' | 'title' | 'message'> {
  readonly createdTicks: Ticks | null
  readonly database: string
}

/** A query that was running when the server responded. */
export interface PackageQuery {
  readonly index: string
  readonly query: string
  readonly runningMs: number | null
  readonly startTicks: Ticks | null
}

/** Details of a database, as far as the package contains them. */
export interface PackageDatabaseDetail {
  readonly indexes: readonly IndexFacts[] | null
  readonly errors: readonly KeptErrors[] | null
  readonly tasks: readonly OngoingTask[] | null
  readonly tombstones: readonly HeldTombstones[] | null
  readonly huge: readonly HugeDocument[] | null
  readonly notices: readonly DatabaseNotice[] | null
  readonly storage: readonly StorageEnvironment[] | null
  readonly queries: readonly PackageQuery[] | null
  readonly failed: readonly FailedResponse[]
}

/** A figure that differs between two packages, as text; null: absent. */
export interface PackageChange {
  readonly database: string | null
  /** Name of the figure. */
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

/** Changes between two packages of the same server. */
export interface PackageChanges {
  /** Name of the file with the earlier package. */
  readonly before: string
  readonly beforeTicks: Ticks
  readonly afterTicks: Ticks
  /** Titles of findings that only the later package has, worst first. `gone`: only the earlier one. */
  readonly come: readonly string[]
  readonly gone: readonly string[]
  /** Findings of one package whose check lacks entries in the other, so that they may be in both. */
  readonly unjudged: readonly string[]
  /** Changed figures, at most 200. */
  readonly changes: readonly PackageChange[]
  readonly more: number
}

export interface PackageRequests {
  /** Changes since the previous open package of the same server; null: there is none. */
  'package.changes': { params: { readonly file: string }; response: PackageChanges | null }
  /** Report on a package; null: the package is not open or contains no server. */
  'package.report': { params: { readonly file: string }; response: PackageReport | null }
  /** Notifications of the selected databases, from the open packages. */
  'package.notices': {
    params: { readonly sources: readonly SourceId[] }
    response: readonly PackageNotice[]
  }
  'package.database': {
    params: { readonly file: string; readonly prefix: string; readonly database: string }
    response: PackageDatabaseDetail | null
  }
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends PackageRequests {}
}
