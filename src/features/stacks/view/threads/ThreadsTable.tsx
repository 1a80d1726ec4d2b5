import { useState, useSyncExternalStore, type ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatPlural,
  UNKNOWN,
} from '../../../../base/text/format.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import type { JobKey } from '../../../../feeds/stacks/contract/ids.ts'
import type { JobRow } from '../../../../feeds/stacks/contract/jobs.ts'
import type {
  ThreadRow,
  ThreadsResponse,
  ThreadsParams,
  ThreadSort,
} from '../../../../feeds/stacks/contract/threads.ts'
import { partsIn, planGroups, rowsIn, type GroupedRow, type GroupPlan } from './thread-groups.ts'
import styles from './threads.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { WaitStrip } from './WaitSummary.tsx'
import { WaitSwatch } from './WaitSwatch.tsx'
import { waitLook } from './wait-styles.ts'
import { describeLine, describeStackless, formatMs, formatPercent, jobName } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export interface ThreadsTableProps {
  /** Parameters of the request without the window of rows. */
  readonly base: Omit<ThreadsParams, 'offset' | 'limit'>
  /** Jobs of the grouped table; null: not grouped. */
  readonly jobs: readonly JobRow[] | null
  /** Response that `jobs` belong to; a new one means new rows. */
  readonly jobsOf: object
  readonly openJobs: readonly JobKey[]
  readonly version: number
  readonly selected: number | null
  readonly onSort: (sort: TableSort<ThreadSort>) => void
  readonly onSelect: (row: ThreadRow) => void
  readonly onToggleJob: (key: JobKey) => void
  /** Content after `12 of 57 threads`. */
  readonly children?: ReactNode
}

const column = (id: ThreadSort, title: string, width: number, parts: Partial<TableColumn> = {}): TableColumn => ({
  ...parts,
  id,
  title,
  width,
  sortable: true,
})

const columnsFor = (isNarrow: boolean): readonly TableColumn[] => [
  column('job', 'Job', isNarrow ? 180 : 270, { grow: 2, pinned: true }),
  column('cpu', 'CPU', isNarrow ? 76 : 112, { align: 'end' }),
  column('wait', 'Waits for', 96),
  { id: 'line', title: 'What it does', width: 300, grow: 3 },
  column('cpuSince', 'CPU since snapshot', 132, { align: 'end' }),
  column('userCpu', 'User', 88, { align: 'end' }),
  column('kernelCpu', 'Kernel', 88, { align: 'end' }),
  column('allocated', 'Allocated', 92, { align: 'end' }),
  column('read', 'Reads', 96, { align: 'end' }),
  column('write', 'Writes', 96, { align: 'end' }),
  column('state', 'State', 84),
  column('priority', 'Priority', 92),
  column('age', 'Age', 96, { align: 'end' }),
  column('name', 'Thread', 220),
  column('id', 'Id', 76, { align: 'end' }),
]

const NARROW = columnsFor(true)
const WIDE = columnsFor(false)

const narrowQuery = (): MediaQueryList => globalThis.matchMedia('(width < 40rem)')

const followWidth = (changed: () => void): (() => void) => {
  const query = narrowQuery()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

const useNarrow = (): boolean => useSyncExternalStore(followWidth, () => narrowQuery().matches)

/** Every thread with its job, CPU and activity; from the live list, a snapshot, or both joined. */
export function ThreadsTable(props: ThreadsTableProps): ReactNode {
  const { base, version, selected, jobs } = props
  const client = useCapture()
  const columns = useNarrow() ? NARROW : WIDE
  const what = JSON.stringify(base)
  const { response, error } = useRequest('stacks.threads', { ...base, offset: 0, limit: 0 }, { version, everyMs: 500 })
  const matchError = response?.matchError ?? null
  // Rows of the grouped table are placed by the jobs, so they are refreshed together with these.
  const [stamp, setStamp] = useState({ of: props.jobsOf, count: 0 })
  if (stamp.of !== props.jobsOf) setStamp({ of: props.jobsOf, count: stamp.count + 1 })
  const plan = jobs === null ? null : planGroups(jobs, props.openJobs)
  return (
    <div className={cx('column', styles.threads)}>
      <div className={cx('row', styles.bar)}>
        <span role="status">
          {response === null
            ? 'Counting threads …'
            : response.matched === response.total
              ? formatPlural(response.total, 'thread')
              : `${formatCount(response.matched)} of ${formatPlural(response.total, 'thread')}`}
          {plan === null
            ? ''
            : ` in ${formatPlural(plan.jobs.length, 'job')}${base.snapshot === null ? '' : describeStackless(plan.jobs)}`}
        </span>
        {matchError === null ? null : <span role="alert">{matchError}</span>}
        {error === null ? null : <span role="alert">{error.message}</span>}
        {props.children}
      </div>
      <VirtualTable<GroupedRow>
        label="Threads"
        isLive={base.live}
        columns={columns}
        total={plan === null ? (response?.matched ?? 0) : plan.total}
        rowHeightPx={28}
        version={`${what}|${jobs === null ? version : `g${stamp.count}`}|${props.openJobs.join('\n')}`}
        fetchRows={(offset, limit, signal) =>
          plan === null
            ? fetchFlat(client, base, offset, limit, signal)
            : fetchGrouped(client, base, plan, offset, limit, signal)
        }
        renderCell={(row, id) =>
          row.type === 'job' ? (
            <JobCell row={row} id={id} />
          ) : (
            <ThreadCell thread={row.row} id={id} inGroup={row.inGroup} />
          )
        }
        rowKey={keyOf}
        selectedKey={selected === null ? null : String(selected)}
        sort={{ id: base.sort, descending: base.descending }}
        onSort={(next) => props.onSort(next as TableSort<ThreadSort>)}
        onRowClick={(row) => {
          if (row.type === 'job') props.onToggleJob(row.row.job.key)
          else if (row.row !== null) props.onSelect(row.row)
        }}
        onRowToggle={(row) => {
          if (row.type === 'job') props.onToggleJob(row.row.job.key)
        }}
      />
    </div>
  )
}

const keyOf = (row: GroupedRow): string =>
  row.type === 'job' ? `job ${row.row.job.key}` : row.row === null ? row.key : String(row.row.id)

type Base = ThreadsTableProps['base']

const requestThreads = async (
  client: CaptureClient,
  params: ThreadsParams,
  signal: AbortSignal,
): Promise<ThreadsResponse> => client.request('stacks.threads', params, signal)

async function fetchFlat(
  client: CaptureClient,
  base: Base,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<GroupedRow[]> {
  const { rows } = await requestThreads(client, { ...base, offset, limit }, signal)
  return rows.map((row) => ({ type: 'thread', row, key: String(row.id), inGroup: false }))
}

/** Maximum size of groups that are requested together; larger ones are requested one by one. */
const SMALL = 64

async function fetchGrouped(
  client: CaptureClient,
  base: Base,
  plan: GroupPlan,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<GroupedRow[]> {
  const held = new Map<JobKey, { from: number; rows: ThreadRow[] }>()
  const small: JobKey[] = []
  let expected = 0
  for (const part of partsIn(plan, offset, limit)) {
    const job = plan.jobs[part.at]
    if (job === undefined) continue
    if (job.threads <= SMALL) {
      small.push(job.job.key)
      expected += job.threads
      held.set(job.job.key, { from: 0, rows: [] })
      continue
    }
    const params = { ...base, jobs: [job.job.key], offset: part.from, limit: part.to - part.from }
    held.set(job.job.key, { from: part.from, rows: [...(await requestThreads(client, params, signal)).rows] })
  }
  if (small.length > 0) {
    // Threads may have started since the jobs were counted.
    const { rows } = await requestThreads(client, { ...base, jobs: small, offset: 0, limit: expected + SMALL }, signal)
    for (const row of rows) held.get(row.job.key)?.rows.push(row)
  }
  return rowsIn(plan, offset, limit, held)
}

function JobCell({ row, id }: { readonly row: GroupedRow & { type: 'job' }; readonly id: string }): ReactNode {
  const { job, threads, cpuPercent, waits } = row.row
  switch (id) {
    case 'job':
      return (
        <span className={cx('line', styles.group)}>
          <span className={row.isOpen ? styles.open : styles.closed}>
            <Icon name="chevron" sizePx={12} />
          </span>
          <bdi className={styles.cut}>{jobName(job)}</bdi>
          <span className={cx('note', styles.count)}>{formatPlural(threads, 'thread')}</span>
        </span>
      )
    case 'cpu':
      return <CpuCell percent={cpuPercent} />
    case 'line':
      return <WaitStrip counts={waits} />
    default:
      return null
  }
}

interface ThreadCellProps {
  readonly thread: ThreadRow | null
  readonly id: string
  readonly inGroup: boolean
}

function ThreadCell({ thread, id, inGroup }: ThreadCellProps): ReactNode {
  if (thread === null) return id === 'job' ? <span className="faint">ended meanwhile</span> : null
  switch (id) {
    case 'job':
      return (
        <bdi className={inGroup ? styles.member : styles.cut} title={jobName(thread.job)}>
          {inGroup ? thread.name || `Thread ${thread.id}` : jobName(thread.job)}
        </bdi>
      )
    case 'cpu':
      return <CpuCell percent={thread.cpuPercent} />
    case 'wait':
      return thread.line === null ? null : (
        <span className="inline">
          <WaitSwatch kind={thread.line.wait} /> {waitLook(thread.line.wait).title}
        </span>
      )
    case 'line':
      return (
        <span className={styles.line} title={thread.stack === null ? undefined : describeLine(thread.line)}>
          {thread.line === null ? <span className="faint">{noStack(thread)}</span> : describeLine(thread.line)}
        </span>
      )
    case 'cpuSince':
      return formatMs(thread.cpuSinceSnapshotMs)
    case 'userCpu':
      return formatMs(thread.userCpuMs)
    case 'kernelCpu':
      return formatMs(thread.kernelCpuMs)
    case 'allocated':
      return thread.allocatedBytes === null ? UNKNOWN : formatBytes(thread.allocatedBytes)
    case 'read':
      return formatByteRate(thread.io?.readBytesPerSecond ?? Number.NaN)
    case 'write':
      return formatByteRate(thread.io?.writeBytesPerSecond ?? Number.NaN)
    case 'state':
      return <>{thread.state ?? UNKNOWN}</>
    case 'priority':
      return <>{thread.priority ?? UNKNOWN}</>
    case 'age':
      return formatDuration(thread.ageTicks)
    case 'name':
      return <bdi className={styles.cut}>{thread.name === '' ? UNKNOWN : thread.name}</bdi>
    case 'id':
      return String(thread.id)
    default:
      return null
  }
}

const noStack = (thread: ThreadRow): string =>
  thread.seen === 'live' ? 'No stack snapshot' : 'No managed stack: a thread of the runtime itself'

/** The figure with a bar, relative to all cores. */
function CpuCell({ percent }: { readonly percent: number }): ReactNode {
  return (
    <span className={cx('line', styles.cpu)}>
      <span className={styles.meter} aria-hidden="true">
        <span style={{ width: `${Number.isNaN(percent) ? 0 : Math.min(100, percent)}%` }} />
      </span>
      <span className={styles.percent}>{formatPercent(percent)}</span>
    </span>
  )
}
