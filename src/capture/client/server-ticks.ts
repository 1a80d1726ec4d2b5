import { type Ticks, ticksFromMs } from '../../base/ticks.ts'
import type { CaptureState } from './state.ts'
import { useCaptureState } from './useCaptureState.ts'

/** A moment of this computer's clock, ms since 1970, by the server's, which all data is stamped with. */
export const serverTicks = ({ clockAheadMs }: Pick<CaptureState, 'clockAheadMs'>, ms: number): Ticks =>
  ticksFromMs(Math.round(ms - clockAheadMs))

/** The same for what is rendered. */
export function useServerTicks(): (ms: number) => Ticks {
  const state = useCaptureState()
  return (ms) => serverTicks(state, ms)
}
