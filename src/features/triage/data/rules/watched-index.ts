import { formatPlural } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { FAR_BEHIND_DOCUMENTS } from '../thresholds.ts'
import type { IndexTrouble } from '../facts.ts'

/** An index of a database whose indexing is watched, as that feed knows it now. */
export interface WatchedIndex {
  readonly source: SourceId
  readonly index: string
  /** The server reports it as failed; null: it does not. */
  readonly failure: 'faulty' | 'error' | null
  /** `Running`, `Paused`, `Disabled`, … */
  readonly status: string | null
  readonly isStale: boolean
  /** Documents that it has yet to take; null: unknown. */
  readonly behind: number | null
  readonly atTicks: Ticks
}

/** Trouble of a watched index; null: none. */
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
    return { ...base, trouble: 'stopped', detail: failure === 'faulty' ? 'It could not be opened.' : 'It is in error.' }
  if (!isStale) return null
  const lag = behind === null ? 'It is not up to date.' : `${formatPlural(behind, 'document')} behind.`
  if (status === 'Paused' || status === 'Disabled')
    return { ...base, trouble: 'stopped', detail: `Its status is ${status}. ${lag}` }
  return behind !== null && behind >= FAR_BEHIND_DOCUMENTS ? { ...base, trouble: 'behind', detail: lag } : null
}
