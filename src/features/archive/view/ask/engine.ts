import type { TimeRange } from '../../../../base/ticks.ts'
import type { Recording } from '../../../../capture/archive/recordings.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import { ask, type Asked, type AskTable } from '../asked.ts'

/** Open data: recordings, and what the page holds of other sources. */
export interface OpenData {
  readonly capture: Pick<CaptureClient, 'getState' | 'request'>
  readonly recordings: readonly Recording[]
  /** Range of the page, which is used where all is too much; null: none is chosen. */
  readonly range: TimeRange | null
}

/** Statement to run. */
export interface AskOrder {
  readonly sql: string
  readonly signal: AbortSignal
  /** Reports progress in words. */
  readonly report: (text: string) => void
}

/** Runs SQL over the tables of an archive. */
export interface AskEngine {
  readonly tables: readonly AskTable[]
  /** Errors: `Error` with the words of DuckDB, or what to do. */
  readonly ask: (order: AskOrder, open: OpenData) => Promise<Asked>
}

/** DuckDB of `rookery open`, over the files of its folder. */
export const nativeEngine = (tables: readonly AskTable[]): AskEngine => ({
  tables,
  ask: ({ sql, signal }) => ask(sql, signal),
})
