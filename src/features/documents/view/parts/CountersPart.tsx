import type { ReactNode } from 'react'
import { ActionButton } from '../../../../actions/view/ActionButton.tsx'
import { compareNumbers } from '../../../../base/json/compare-values.ts'
import { compareNames } from '../../../../base/text/compare-names.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { ActionTarget } from '../../../../actions/model.ts'
import type { CounterInfo, OpenedDocument } from '../../contract.ts'
import styles from '../documents.module.css'
import { useAfterChanges } from './useAfterChanges.ts'

const columnsOf = (target: ActionTarget): readonly RowColumn<CounterInfo>[] => [
  {
    title: 'Counter',
    cell: ({ name }) => <span className={styles.fileName}>{name}</span>,
    compare: (a, b) => compareNames(a.name, b.name),
  },
  {
    title: 'Value',
    cell: ({ value }) => <span className={styles.number}>{value}</span>,
    compare: (a, b) => compareNumbers(a.value, b.value),
    isFigure: true,
  },
  {
    title: 'Actions',
    cell: ({ name }) => (
      <span className="row tight" role="group" aria-label={`Actions on ${name}`}>
        <ActionButton action="document.count" target={target} inputs={{ counter: name }} />
        <ActionButton action="document.uncount" target={target} inputs={{ counter: name }} />
      </span>
    ),
  },
]

interface CountersPartProps {
  readonly database: string
  readonly opened: OpenedDocument
  readonly onChanged: () => void
}

export function CountersPart({ database, opened, onChanged }: CountersPartProps): ReactNode {
  const target: ActionTarget = { kind: 'document', database, name: opened.id }
  const changes = useAfterChanges(target, onChanged)
  const has = opened.counters.length > 0
  const { response, error } = useRequest('documents.counters', has ? { database, id: opened.id } : undefined, {
    version: `${opened.changeVector} ${String(changes)}`,
    everyMs: 1000,
  })
  return (
    <div className={cx('stack', styles.part)}>
      <div className="row">
        <ActionButton action="document.count" target={target} icon="add" />
        {has ? null : <span className="faint">This document has no counter.</span>}
      </div>
      {error === null ? null : <ErrorNotice error={error} tone={response === null ? 'error' : 'warn'} />}
      {!has ? null : response === null ? (
        error === null ? (
          <Spinner>Reading counters …</Spinner>
        ) : null
      ) : (
        <SideScrollBox label="Table of counters" className="raised">
          <RowTable<CounterInfo>
            label="Counters"
            rows={response}
            keyOf={({ name }) => name}
            columns={columnsOf(target)}
          />
        </SideScrollBox>
      )}
    </div>
  )
}
