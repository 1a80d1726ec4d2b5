import { formatTicks, msFromSpan, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { ListColumn } from '../../../capture/exporting/list-text.ts'
import type { IoEventRow } from '../../../feeds/io/contract/rows.ts'
import type { IoKindSummary } from '../../../feeds/io/contract/summary.ts'
import { hasRate } from '../../../feeds/io/contract/speed.ts'

/** Columns of event lists (slowest, concurrent), named as in `EVENT_FIELDS`. */
export const EVENT_COLUMNS: readonly ListColumn<IoEventRow>[] = [
  { name: 'start_utc', value: (event) => formatTicks(event.startTicks) },
  { name: 'duration_ms', value: (event) => msFromSpan(event.durationTicks) },
  { name: 'size_bytes', value: (event) => (event.hasNoSize === true ? null : event.sizeBytes) },
  { name: 'kind', value: (event) => event.kind },
  { name: 'environment', value: (event) => event.laneLabel },
  { name: 'file', value: (event) => event.file },
  { name: 'source', value: (event) => event.source },
]

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

const ms = (ticks: number): number => ticks / 10_000

/**
 * Columns of the summary of a range, one line per kind. Roll-ups are separate because they are not single events. For
 * data syncs, `size_bytes` is what was flushed since the previous sync, so there is no rate.
 */
export function summaryColumns(range: TimeRange): readonly ListColumn<IoKindSummary>[] {
  const seconds = (range.endTicks - range.startTicks) / TICKS_PER_SECOND
  return [
    { name: 'kind', value: ({ kind }) => kind },
    { name: 'from_utc', value: () => formatTicks(range.startTicks) },
    { name: 'to_utc', value: () => formatTicks(range.endTicks) },
    { name: 'count', value: ({ count }) => count },
    { name: 'max_ms', value: ({ maxTicks }) => ms(maxTicks) },
    { name: 'p50_ms', value: ({ p50Ticks }) => ms(p50Ticks) },
    { name: 'p90_ms', value: ({ p90Ticks }) => ms(p90Ticks) },
    { name: 'p99_ms', value: ({ p99Ticks }) => ms(p99Ticks) },
    { name: 'p999_ms', value: ({ p999Ticks }) => ms(p999Ticks) },
    { name: 'size_bytes', value: ({ bytes }) => bytes },
    { name: 'without_size', value: ({ unsized }) => unsized },
    { name: 'bytes_per_s', value: ({ kind, whole }) => (hasRate(kind) ? known(whole.bytes / seconds) : null) },
    { name: 'events_per_s', value: ({ whole }) => known(whole.events / seconds) },
    { name: 'busy_ms', value: ({ busyTicks }) => ms(busyTicks) },
    { name: 'busy_share', value: ({ whole }) => known(whole.busyTicks / TICKS_PER_SECOND / seconds) },
    { name: 'roll_ups', value: ({ rollUps }) => rollUps },
    { name: 'roll_up_bytes', value: ({ rollUpBytes }) => rollUpBytes },
    { name: 'roll_ups_without_size', value: ({ rollUpsUnsized }) => rollUpsUnsized },
    { name: 'roll_up_busy_ms', value: ({ rollUpBusyTicks }) => ms(rollUpBusyTicks) },
    { name: 'roll_up_max_ms', value: ({ rollUpMaxTicks }) => ms(rollUpMaxTicks) },
  ]
}
