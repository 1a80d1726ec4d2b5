import type { Bottleneck, NotedFinding } from '../../../feeds/server/contract.ts'

/**
 * Summary in a sentence, and the worst findings now. `calm`: none is critical or a warning, there are figures, and all that can be
 * judged at once is judged.
 */
export interface Triage {
  readonly version: number
  readonly calm: boolean
  /** Anything was measured by which the server can be called well. */
  readonly hasFigures: boolean
  /** Progress of all checks, while figures for some are on their way; null: all that can be judged at once are. */
  readonly checking: { readonly done: number; readonly all: number } | null
  readonly sentence: string
  /** Limit of the server now, and since when; null: no data yet. */
  readonly bottleneck: Bottleneck | null
  /** Worst first, at most 5. */
  readonly items: readonly TriageItem[]
  /** Further findings, worst first, at most 100. */
  readonly more: readonly TriageItem[]
  /** Rules that could not judge: for want of a right, because nothing arrived yet, or between samples. */
  readonly unknown: readonly {
    readonly rule: string
    readonly title: string
    readonly why: string
    /** Whether the rule judged some subjects, and not others. */
    readonly isPartly: boolean
    /** Whether the rule judges by samples, and may miss what lies between; `why` says how it samples. */
    readonly isSampled: boolean
    /** Whether the rule needs a longer history than there is. */
    readonly needsHistory: boolean
  }[]
  /** Every rule with its reason, for the page that explains the judgement. */
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

export interface TriageItem extends NotedFinding {
  /** Why this is a problem at all: the rule's reason; null: the server's own words say it. */
  readonly reason: string | null
  /** Facts with their units, ready to be shown as text. */
  readonly evidence: readonly string[]
  /** Indexes whose errors say what is wrong; none named: all of the database. Absent: no index errors. */
  readonly errorsOf?: { readonly database: string; readonly indexes: readonly string[] } | undefined
  /** Subject that actions of Rookery act on; absent: there is no action for it. */
  readonly actsOn?: ActsOn | undefined
}

export interface ActsOn {
  readonly kind: 'index' | 'query' | 'database'
  readonly database: string
  /** Names as actions use them; none of a database itself. No index named: all of the database that are affected. */
  readonly names: readonly string[]
}
