import { formatByteRate, formatBytes, formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { FileState } from '../../../capture/client/state.ts'

export const isReading = (file: FileState): boolean => file.endedMs === null

/** Progress; undefined, for an indeterminate bar, if the size is not known. */
export const shareOf = (readBytes: number, totalBytes: number | null): number | undefined =>
  totalBytes !== null && totalBytes > 0 ? Math.min(1, readBytes / totalBytes) : undefined

/** Time, ms, before which a rate is meaningless. */
const SETTLED_MS = 250

export interface Progress {
  /** `12.0 MiB of 287 MiB`. */
  readonly bytes: string
  /** `143 MiB/s`; empty: too early. */
  readonly rate: string
  /** `2 s left`; empty: not known. */
  readonly left: string
}

/** Progress of reading, its mean rate, and the remaining time at that rate. */
export function describeProgress(
  {
    readBytes,
    totalBytes,
    startedMs,
  }: Pick<FileState, 'readBytes' | 'startedMs'> & { readonly totalBytes: number | null },
  nowMs: number,
): Progress {
  const bytes = totalBytes === null ? formatBytes(readBytes) : `${formatBytes(readBytes)} of ${formatBytes(totalBytes)}`
  const elapsedMs = nowMs - startedMs
  if (elapsedMs < SETTLED_MS || readBytes <= 0) return { bytes, rate: '', left: '' }
  const bytesPerMs = readBytes / elapsedMs
  const leftMs = totalBytes === null ? Number.NaN : Math.max(0, totalBytes - readBytes) / bytesPerMs
  return {
    bytes,
    rate: formatByteRate(bytesPerMs * 1000),
    left: Number.isFinite(leftMs) ? `${formatLeft(leftMs)} left` : '',
  }
}

/** In whole seconds, as it is an estimate. */
const formatLeft = (ms: number): string =>
  ms < 1000 ? 'less than a second' : formatDuration(spanFromMs(Math.round(ms / 1000) * 1000))

/** `1.43 GiB in 6.1 s, 240 MiB/s`: result of a completed reading. */
export function describeRead(file: FileState): string {
  const ms = Math.max(1, (file.endedMs ?? file.startedMs) - file.startedMs)
  if (ms < SETTLED_MS) return formatBytes(file.totalBytes)
  return `${formatBytes(file.totalBytes)} in ${formatDuration(spanFromMs(ms))}, ${formatByteRate((file.readBytes / ms) * 1000)}`
}
