import { useMemo } from 'react'
import type { ErrorInfo, SourceId } from '../../../../capture/client/state.ts'
import { paramsOfPanel, type ViewParams } from '../../../../capture/client/panels.ts'
import { useCoarseFirst } from '../../../../capture/client/requests/useCoarseFirst.ts'
import { BY_CLICK_MS } from '../../../../capture/client/requests/useRequest.ts'
import type { StallMarksResponse } from '../../../stalls/contract.ts'
import { NO_STALLS, stallsByLane, type StallsOfLanes } from './marks.ts'

/** Minimum time between two evaluations while data arrives, ms. */
const EVERY_MS = 30_000

export interface StallMarks {
  readonly stalls: StallsOfLanes
  /** Stall marks; null: not requested, or no response yet. */
  readonly response: StallMarksResponse | null
  readonly error: ErrorInfo | null
}

/** Stalls of these sources, by the rule of the Stalls panel. Requests nothing while `isOn` is false. */
export function useStallMarks(
  isOn: boolean,
  sources: readonly SourceId[],
  params: ViewParams,
  version: number,
): StallMarks {
  const wanted = { sources, settings: paramsOfPanel('stalls', params) }
  const { response, error } = useCoarseFirst(
    'stalls.marks',
    isOn && sources.length > 0
      ? { coarse: { ...wanted, isWhole: false }, whole: { ...wanted, isWhole: true } }
      : undefined,
    ({ isComplete }) => isComplete,
    { version, everyMs: EVERY_MS, changedEveryMs: BY_CLICK_MS },
  )
  const shown = isOn ? response : null
  const stalls = useMemo(() => (shown === null ? NO_STALLS : stallsByLane(shown.marks)), [shown])
  return { stalls, response: shown, error: isOn ? error : null }
}
