import type { ReactNode } from 'react'
import type { CssPx } from '../../../base/brand.ts'
import { formatShare } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import type { ResponseOf } from '../../../capture/client/requests/requests.ts'
import type {} from '../../../feeds/stacks/contract.ts'
import { READ_FOR_MS } from './read-for.ts'
import { useThreads } from './useThreadWatch.ts'

/** Maximum number of jobs listed, those with the most CPU. */
const MOST_JOBS = 8
/** Number of requested buckets; the server sends one list of threads per second. */
const MOST_BUCKETS = 900 as CssPx

interface CostThreadsProps {
  readonly range: TimeRange
  /** End of the query, wall clock of this browser, ms. */
  readonly endedMs: number
}

/** A job, or the remainder, and its share of all cores. */
interface Used {
  readonly what: string
  readonly share: number
}

/** Mean over the seconds with data; NaN: there is no data. */
function meanOf(percent: Float32Array): number {
  const known = percent.filter((value) => !Number.isNaN(value))
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Shares of all cores over the seconds of a history, without entries that used no CPU. */
export function usedIn({
  jobs,
  others,
  restOfProcess,
  restOfMachine,
  idle,
}: ResponseOf<'threads.history'>): readonly Used[] {
  const rows: readonly (readonly [string, Float32Array])[] = [
    ...jobs.map(
      ({ job, percent }) => [job.database === null ? job.label : `${job.label} of ${job.database}`, percent] as const,
    ),
    ['Other threads of the server', others],
    ['Rest of the server', restOfProcess],
    ['Other programs', restOfMachine],
    ['Idle', idle],
  ]
  return rows.map(([what, percent]) => ({ what, share: meanOf(percent) / 100 })).filter(({ share }) => share > 0)
}

/** CPU of the server's threads by job during a query, as far as lists of threads were received in that time. */
export function CostThreads({ range, endedMs }: CostThreadsProps): ReactNode {
  const live = useThreads(true)
  const version = Math.floor(Math.min(useNow(), endedMs + READ_FOR_MS) / 1000)
  const { response, error } = useRequest(
    'threads.history',
    { ...range, widthPx: MOST_BUCKETS, limit: MOST_JOBS },
    { version, everyMs: 1000 },
  )
  if (error !== null) return <ErrorNotice error={error} tone="warn" />
  if (response === null) return null
  const used = usedIn(response)
  if (used.length === 0 && live !== null && live.error !== null) return <ErrorNotice error={live.error} tone="warn" />
  if (used.length === 0)
    return (
      <p className="note" role="status">
        Threads are watched from now on. No list of them was received in these seconds: run the query again.
      </p>
    )
  return (
    <RowTable<Used>
      label="CPU by job"
      rows={used}
      keyOf={({ what }) => what}
      columns={[
        { title: 'CPU in these seconds', cell: ({ what }) => what },
        { title: 'Share of all cores', isFigure: true, cell: ({ share }) => formatShare(share) },
      ]}
    />
  )
}
