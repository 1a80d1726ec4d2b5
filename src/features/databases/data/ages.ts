import { formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'

/** Formats an age in whole seconds or larger units. */
export const formatAge = (ms: number): string =>
  ms < 60_000 ? `${String(Math.floor(ms / 1000))} s` : formatDuration(spanFromMs(Math.floor(ms / 1000) * 1000))
