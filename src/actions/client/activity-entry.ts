import type { Ticks } from '../../base/ticks.ts'
import type { Estimate } from '../../base/statistics/estimate.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'
import type { Figures } from '../figures.ts'
import type { ActionCall, OperationMark } from '../model.ts'

/**
 * `sending`: it is on its way. `running`: accepted, and its end was not read yet. `checking`: the response was lost, or
 * the state could not be read last, and it is read again. `done`, `nothing` (accepted, but the server is as it was), `gone`
 * (another client had removed the target), `failed`, `unknown`: over.
 */
export type ActivityState = 'sending' | 'running' | 'checking' | 'done' | 'nothing' | 'gone' | 'failed' | 'unknown'

/** Recording of a span of time beside an action, of what it was to change. */
export interface EffectSide {
  readonly startTicks: number
  readonly endTicks: number
  /** Batches that did something. */
  readonly batches: number
  readonly documents: number
  /** Median duration of those batches; null: there was none. */
  readonly medianTicks: number | null
  /** Estimate of that median with its range; left out: an older version measured it. */
  readonly median?: Estimate | null
  readonly busyShare: number
  /** Not all of the span was recorded. */
  readonly isPartial: boolean
}

/** Entry of one click, from its request to what was read at its end. */
export interface ActivityEntry {
  /** The id of the request, too: a retry by the user repeats it. */
  readonly id: string
  /** Id of the server that it was sent to. */
  readonly server: string
  readonly call: ActionCall
  /** Title of the action that was clicked. */
  readonly title: string
  /** Server time. */
  readonly startedTicks: Ticks
  readonly endedTicks: Ticks | null
  readonly startedMs: number
  /** Wall clock of this browser, ms; null: it goes on. */
  readonly endedMs: number | null
  readonly state: ActivityState
  /** Sentence of the last check; empty: nothing yet. */
  readonly text: string
  /** Text of the server itself, where `text` is another sentence. */
  readonly detail?: string
  /** 0 to 1; null: not known. */
  readonly progress: number | null
  readonly error: ErrorInfo | null
  /** Response of the server when it accepted. */
  readonly accepted: unknown
  readonly attempts: number
  /** Id of the entry that undid it. */
  readonly undoneBy: string | null
  /** The state that it made was seen to have ended since: by another client, or with a load of the database. */
  readonly isOver?: true
  /** Mark of the server's operations before; left out: the action begins none, or it could not be read. */
  readonly mark?: OperationMark
  /** Identity of what it has made, as it was seen first; left out: nothing was seen that has one. */
  readonly made?: string
  /** Figures that the action was to change; left out: it has no such measure. */
  readonly figures?: Figures
  /** Figures recorded of the server or an environment beside it; left out: not yet, or not measured so. */
  readonly beside?: Figures
  /** Kept with the entry: a reset or a restart wipes what was recorded. Null: nothing was recorded then. */
  readonly before?: EffectSide | null
  readonly after?: EffectSide | null
  /** Batches that built the index again, where the action was to do that. */
  readonly rebuild?: EffectSide | null
}

export const isFinished = ({ state }: ActivityEntry): boolean =>
  state !== 'sending' && state !== 'running' && state !== 'checking'

/** There is nothing left to do about it: a retry makes no sense. */
export const isSettled = ({ state }: ActivityEntry): boolean => state === 'done' || state === 'gone'
