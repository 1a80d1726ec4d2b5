import { type Ticks, ticksFromMs } from '../../base/ticks.ts'
import type { CaptureState } from './state.ts'
import { useCaptureState } from './useCaptureState.ts'

/** Converts a moment of this computer's clock, ms since 1970, to the server's clock, which stamps all data. */
export const serverTicks = ({ clockAheadMs }: Pick<CaptureState, 'clockAheadMs'>, ms: number): Ticks =>
  ticksFromMs(Math.round(ms - clockAheadMs))

/** The same for rendering. */
export function useServerTicks(): (ms: number) => Ticks {
  const state = useCaptureState()
  return (ms) => serverTicks(state, ms)
}
