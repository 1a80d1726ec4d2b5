import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import { spanFromMs, type Ticks } from '../../../../base/ticks.ts'
import type { HeldTombstones, HugeDocument, IndexFacts } from '../../../../ravendb/answers/database-answers.ts'
import type { DatabaseNotice } from '../../../../ravendb/databases/database-details.ts'
import type { StorageEnvironment } from '../../../../ravendb/databases/environments.ts'
import type { OngoingTask } from '../../../../ravendb/databases/ongoing-tasks.ts'
import { StateDot, type Tone } from '../../../../ui/Badge.tsx'
import type { RowColumn } from '../../../../ui/table/RowTable.tsx'
import type { FailedResponse, KeptErrors, PackageQuery } from '../../../package/contract.ts'

/* Columns of what a package has of one database. */

const foreign = (text: string | null): ReactNode => <bdi>{text ?? UNKNOWN}</bdi>
const time = (at: Ticks | null, clock: Clock): string => (at === null ? UNKNOWN : formatDateTime(at, clock, 0))

const toneOf = ({ state, status, isStale }: IndexFacts): Tone =>
  state === 'Error' ? 'error' : state === 'Disabled' || status === 'Paused' ? 'warn' : isStale ? 'busy' : 'ok'

export const indexColumns = (clock: Clock): readonly RowColumn<IndexFacts>[] => [
  { title: 'Index', cell: ({ name }) => foreign(name) },
  {
    title: 'State',
    cell: (index) => (
      <StateDot tone={toneOf(index)}>
        {index.state === 'Normal' ? (index.status ?? index.state) : index.state}
        {index.isStale ? ', stale' : ''}
      </StateDot>
    ),
  },
  { title: 'Behind', cell: ({ behind }) => formatCount(behind), hint: 'Changes of the collection furthest behind' },
  { title: 'Entries', cell: ({ entries }) => (entries === null ? UNKNOWN : formatCount(entries)) },
  { title: 'Errors', cell: ({ errors }) => formatCount(errors) },
  { title: 'Engine', cell: ({ engine }) => engine ?? UNKNOWN },
  {
    title: 'Last batch',
    cell: ({ indexedTicks }) => time(indexedTicks, clock),
  },
]

export const ERROR_COLUMNS: readonly RowColumn<KeptErrors>[] = [
  { title: 'Index', cell: ({ index }) => foreign(index) },
  { title: 'Kept', cell: ({ count }) => formatCount(count) },
  { title: 'Newest', cell: ({ newest }) => foreign(newest) },
]

export const taskColumns = (clock: Clock): readonly RowColumn<OngoingTask>[] => [
  { title: 'Task', cell: ({ name }) => foreign(name) },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: ({ state, connection, error }) => foreign(error ?? connection ?? state) },
  { title: 'Last full backup', cell: ({ lastFullTicks }) => time(lastFullTicks, clock) },
]

export const noticeColumns = (clock: Clock): readonly RowColumn<DatabaseNotice>[] => [
  { title: 'Title', cell: ({ title }) => foreign(title) },
  { title: 'Severity', cell: ({ severity }) => severity },
  { title: 'Message', cell: ({ message }) => foreign(message) },
  { title: 'Raised', cell: ({ atTicks }) => time(atTicks, clock) },
]

export const queryColumns = (clock: Clock): readonly RowColumn<PackageQuery>[] => [
  { title: 'Query', cell: ({ query }) => foreign(query) },
  { title: 'Index', cell: ({ index }) => foreign(index) },
  {
    title: 'Runs for',
    cell: ({ runningMs }) => (runningMs === null ? UNKNOWN : formatDuration(spanFromMs(runningMs))),
  },
  { title: 'Started', cell: ({ startTicks }) => time(startTicks, clock) },
]

export const TOMBSTONE_COLUMNS: readonly RowColumn<HeldTombstones>[] = [
  { title: 'Name', cell: ({ name }) => foreign(name) },
  { title: 'Kind', cell: ({ process }) => process ?? UNKNOWN },
  { title: 'Collection', cell: ({ collection }) => foreign(collection === '' ? 'all' : collection) },
  { title: 'Tombstones', cell: ({ left }) => (left === null ? UNKNOWN : formatCount(left)) },
]

export const STORAGE_COLUMNS: readonly RowColumn<StorageEnvironment>[] = [
  { title: 'Environment', cell: ({ name }) => foreign(name) },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Data', cell: ({ dataBytes }) => formatBytes(dataBytes) },
  { title: 'Free in it', cell: ({ freeBytes }) => (freeBytes === null ? UNKNOWN : formatBytes(freeBytes)) },
  { title: 'Temp', cell: ({ tempBytes }) => formatBytes(tempBytes) },
]

export const HUGE_COLUMNS: readonly RowColumn<HugeDocument>[] = [
  { title: 'Document', cell: ({ id }) => foreign(id) },
  { title: 'Size', cell: ({ bytes }) => formatBytes(bytes) },
]

export const FAILED_COLUMNS: readonly RowColumn<FailedResponse>[] = [
  { title: 'Entry', cell: ({ entry }) => foreign(entry) },
  { title: 'Why', cell: ({ message }) => foreign(message) },
]
