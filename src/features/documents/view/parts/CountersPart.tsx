import type { ReactNode } from 'react'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import type { CounterInfo, OpenedDocument } from '../../contract.ts'
import styles from '../documents.module.css'

const COLUMNS: readonly RowColumn<CounterInfo>[] = [
  { title: 'Counter', cell: ({ name }) => name },
  { title: 'Value', cell: ({ value }) => <span className={styles.number}>{value}</span> },
]

interface CountersPartProps {
  readonly database: string
  readonly opened: OpenedDocument
}

export function CountersPart({ database, opened }: CountersPartProps): ReactNode {
  const has = opened.counters.length > 0
  const { response, error } = useRequest('documents.counters', has ? { database, id: opened.id } : undefined, {
    version: opened.changeVector,
    everyMs: 1000,
  })
  if (!has) return <EmptyState title="No counters">This document has no counter.</EmptyState>
  if (response === null) return error === null ? <Spinner>Reading counters …</Spinner> : <ErrorNotice error={error} />
  return (
    <div className={styles.part}>
      <RowTable<CounterInfo> label="Counters" rows={response} keyOf={({ name }) => name} columns={COLUMNS} />
    </div>
  )
}
