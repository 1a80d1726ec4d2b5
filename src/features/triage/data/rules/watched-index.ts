import { formatPlural } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { FAR_BEHIND_DOCUMENTS } from '../thresholds.ts'
import type { IndexTrouble } from '../facts.ts'

/** Index of a database whose indexing is watched, in its newest state. */
export interface WatchedIndex {
  readonly source: SourceId
  readonly index: string
  /** Kind of failure that the server reports. Null: none. */
  readonly failure: 'faulty' | 'error' | null
  /** Status: `Running`, `Paused`, `Disabled`, … */
  readonly status: string | null
  readonly isStale: boolean
  /** Number of documents that it has yet to process. Null: unknown. */
  readonly behind: number | null
  readonly atTicks: Ticks
}

/** Trouble of a watched index. Null: none. */
export function troubleOfWatched({
  source,
  index,
  failure,
  status,
  isStale,
  behind,
  atTicks,
}: WatchedIndex): IndexTrouble | null {
  const base = { source, index, sinceTicks: null, atTicks }
  if (failure !== null)
    return {
      ...base,
      trouble: 'stopped',
      isErrored: true,
      detail: failure === 'faulty' ? 'It could not be opened.' : 'It is in error.',
    }
  if (!isStale) return null
  const lag = behind === null ? 'It is not up to date.' : `${formatPlural(behind, 'document')} behind.`
  if (status === 'Paused' || status === 'Disabled')
    return { ...base, trouble: 'stopped', detail: `Its status is ${status}. ${lag}` }
  return behind !== null && behind >= FAR_BEHIND_DOCUMENTS ? { ...base, trouble: 'behind', detail: lag } : null
}
