import type { ReactNode } from 'react'
import { formatCount, UNKNOWN } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/database-details/useDetail.ts'
import type { DatabaseCounts } from '../../../../ravendb/databases/counts.ts'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

interface Count {
  readonly title: string
  readonly hint?: string
  readonly count: number | null
}

const GROUPS =
  'Counters of a document are stored together, in groups of some 2 KiB. The server does not count single ones.'

const SEGMENTS = 'Entries of a time series are stored together, in segments. The server does not count single ones.'

const countsOf = (counts: DatabaseCounts): readonly Count[] => [
  { title: 'Revisions', count: counts.revisions },
  { title: 'Attachments', count: counts.attachments },
  { title: 'Counter groups', hint: GROUPS, count: counts.counterGroups },
  { title: 'Time series segments', hint: SEGMENTS, count: counts.timeSeries },
  { title: 'Documents in conflict', count: counts.conflicts },
  { title: 'Tombstones', count: counts.tombstones },
]

const KINDS = 6

const COLUMNS: readonly RowColumn<Count>[] = [
  { title: 'Kind', cellHint: ({ hint }) => hint, cell: ({ title }) => title },
  { title: 'Number', cell: ({ count }) => (count === null ? UNKNOWN : formatCount(count)) },
]

/** Numbers of what a database has besides documents and indexes, which the list of databases has. */
export function CountsPart({ name }: { readonly name: string }): ReactNode {
  const requested = useDetail('databases.counts', { database: name })
  return (
    <DetailPart requested={requested} database={name} title="Counts" label="Counts" what="Counts" rows={KINDS}>
      {(counts) => (
        <RowTable className={styles.table} rows={countsOf(counts)} keyOf={({ title }) => title} columns={COLUMNS} />
      )}
    </DetailPart>
  )
}
