import { formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'

/** Whole seconds or larger. */
export const formatAge = (ms: number): string =>
  ms < 60_000 ? `${String(Math.floor(ms / 1000))} s` : formatDuration(spanFromMs(Math.floor(ms / 1000) * 1000))
