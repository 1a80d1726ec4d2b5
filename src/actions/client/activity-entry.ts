import type { Ticks } from '../../base/ticks.ts'
import type { Estimate } from '../../base/statistics/estimate.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'
import type { Figures } from '../figures.ts'
import type { ActionCall, OperationMark } from '../model.ts'

/**
 * `sending`: no response yet. `running`: accepted, without an end so far. `checking`: the response was lost, or the
 * state could not be read, and it is read again. Final: `done`, `nothing` (accepted, but the server has not changed),
 * `gone` (another client had removed the target), `failed`, `unknown`.
 */
export type ActivityState = 'sending' | 'running' | 'checking' | 'done' | 'nothing' | 'gone' | 'failed' | 'unknown'

/** Recording over a time before or after an action. */
export interface EffectSide {
  readonly startTicks: number
  readonly endTicks: number
  /** Batches with any work. */
  readonly batches: number
  readonly documents: number
  /** Median duration of those batches; null: there was none. */
  readonly medianTicks: number | null
  /** Estimate of that median with its range; left out: an older version measured it. */
  readonly median?: Estimate | null
  readonly busyShare: number
  /** Whether part of the time was not recorded. */
  readonly isPartial: boolean
}

/** A click, from its request to the final state. */
export interface ActivityEntry {
  /** Also the id of the request: a retry by the user repeats it. */
  readonly id: string
  /** Id of the server. */
  readonly server: string
  readonly call: ActionCall
  /** Title of the action that was clicked. */
  readonly title: string
  /** Server time. */
  readonly startedTicks: Ticks
  readonly endedTicks: Ticks | null
  readonly startedMs: number
  /** Wall clock of this browser, ms; null: not ended. */
  readonly endedMs: number | null
  readonly state: ActivityState
  /** Sentence of the last check; empty: none yet. */
  readonly text: string
  /** The server's own text, if `text` is another sentence. */
  readonly detail?: string
  /** 0 to 1; null: not known. */
  readonly progress: number | null
  readonly error: ErrorInfo | null
  /** The server's response when it accepted. */
  readonly accepted: unknown
  readonly attempts: number
  /** Id of the entry that undid it; null: none. */
  readonly undoneBy: string | null
  /** Whether its state was seen to have ended since, by another client or because the database was loaded. */
  readonly isOver?: true
  /** Mark of the server's operations before it; left out: the action begins none, or the mark could not be read. */
  readonly mark?: OperationMark
  /** Identity of what it created, as first seen; left out: none. */
  readonly made?: string
  /** Figures that the action was to change; left out: no such measure. */
  readonly figures?: Figures
  /** Figures recorded for the server or an environment beside it; left out: not yet, or not measured this way. */
  readonly beside?: Figures
  /** Recording before it, kept here because a reset or a restart removes it. Null: nothing was recorded. */
  readonly before?: EffectSide | null
  readonly after?: EffectSide | null
  /** Batches that rebuilt the index, for actions that do so. */
  readonly rebuild?: EffectSide | null
}

export const isFinished = ({ state }: ActivityEntry): boolean =>
  state !== 'sending' && state !== 'running' && state !== 'checking'

/** Whether a retry would make no sense. */
export const isSettled = ({ state }: ActivityEntry): boolean => state === 'done' || state === 'gone'
