import type { ReactNode } from 'react'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { shapeOf } from '../../../base/rql/shape.ts'
import { formatPlural } from '../../../base/text/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { missingParameters } from '../data/run.ts'
import { DoneNotice, useDoneSince } from './DoneSince.tsx'
import type { Considered, QueryOutcome, QueryText } from '../contract.ts'

interface NeedsIndexProps {
  readonly query: QueryText
  readonly needs: Extract<QueryOutcome, { readonly outcome: 'needs-index' }>
  readonly onRun: () => void
}

const CREATE = ['database.create-auto-index'] as const

const CONSIDERED: readonly RowColumn<Considered>[] = [
  { title: 'Index', cell: ({ index }) => <bdi>{index}</bdi> },
  { title: 'Why not', cell: ({ reason }) => <bdi>{reason}</bdi> },
]

/** Shows the index that the server would have to create for a query, and a button to create it. */
export function NeedsIndex({ query, needs, onRun }: NeedsIndexProps): ReactNode {
  const { collection, fields, documents, considered } = needs
  const missing = missingParameters(shapeOf(query.text).parameters, query.parameters)
  const made = useDoneSince(query.database, CREATE)
  if (made !== null)
    return (
      <DoneNotice title="The index is there: the query can run." entry={made} button="Run the query" onRun={onRun} />
    )
  return (
    <Notice
      tone="warn"
      title="No index answers this query, so it was not run."
      actions={
        missing.length > 0 ? undefined : (
          <ActionButton
            action="database.create-auto-index"
            target={{ kind: 'database', database: query.database, name: null }}
            facts={documents === null ? {} : { documents }}
            inputs={{ query: query.text, parameters: query.parameters }}
          />
        )
      }
    >
      <p>
        The server would create an automatic index
        {collection === null ? '' : ` of ${collection}`}
        {fields.length === 0 ? '' : ` by ${fields.join(', ')}`}
        {documents === null
          ? '.'
          : `: it reads ${formatPlural(documents, 'document')} on each node, and every change after that.`}
      </p>
      {missing.length === 0 ? null : (
        <p>
          Give {missing.map((name) => `$${name}`).join(', ')} a value and run it again: the server creates the index
          when it runs the query.
        </p>
      )}
      {considered.length === 0 ? null : (
        <details>
          <summary>{formatPlural(considered.length, 'index', 'indexes')} considered</summary>
          <RowTable
            label="Indexes considered"
            rows={considered}
            keyOf={({ index, reason }) => `${index}\n${reason}`}
            columns={CONSIDERED}
          />
        </details>
      )}
    </Notice>
  )
}
