import type { Bottleneck, NotedFinding } from '../../../feeds/server/contract.ts'

/**
 * Summary in a sentence, and the worst present findings. `calm`: figures are available, no finding is critical or a
 * warning, and no figures are still expected.
 */
export interface Triage {
  readonly version: number
  readonly calm: boolean
  /** Whether any figures are available from which the server can be judged healthy. */
  readonly hasFigures: boolean
  /** Progress of all checks while figures for some are still expected. Null: no figures are expected. */
  readonly checking: { readonly done: number; readonly all: number } | null
  readonly sentence: string
  /** Present bottleneck of the server, with its start. Null: no data yet. */
  readonly bottleneck: Bottleneck | null
  /** Worst first, at most 5. */
  readonly items: readonly TriageItem[]
  /** Further findings, worst first, at most 100. */
  readonly more: readonly TriageItem[]
  /** Rules that could not judge: a right is missing, no data arrived yet, or they judge by samples. */
  readonly unknown: readonly {
    readonly rule: string
    readonly title: string
    readonly why: string
    /** Whether the rule could judge only some of its subjects. */
    readonly isPartly: boolean
    /** Whether the rule judges by samples, and may miss what happens between them; `why` describes the sampling. */
    readonly isSampled: boolean
    /** Whether the rule needs a longer history than is available. */
    readonly needsHistory: boolean
  }[]
  /** All rules with their reasons, for the list that explains the judgement. */
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

export interface TriageItem extends NotedFinding {
  /** Reason why this is a problem, from the rule. Null: the quoted text of the server explains it. */
  readonly reason: string | null
  /** Facts with their units, as text for display. */
  readonly evidence: readonly string[]
  /**
   * Indexes whose errors explain the finding; an empty list stands for all indexes of the database. Absent: it is not
   * about index errors.
   */
  readonly errorsOf?: { readonly database: string; readonly indexes: readonly string[] } | undefined
  /** Subject of the actions that Rookery offers for the finding. Absent: it offers none. */
  readonly actsOn?: ActsOn | undefined
}

export interface ActsOn {
  readonly kind: 'index' | 'query' | 'database'
  readonly database: string
  /**
   * Names as actions use them; empty for a database itself. For indexes, an empty list stands for all affected ones of
   * the database.
   */
  readonly names: readonly string[]
}
