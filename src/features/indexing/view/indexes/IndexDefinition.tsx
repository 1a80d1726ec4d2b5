import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { IndexDefinitionText } from '../../../../actions/contract.ts'
import { errorInfoOf, requestOptions } from '../../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { IndexCode, IndexSource } from './IndexCode.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import styles from './indexes.module.css'
import { cx } from '../../../../ui/theme/cx.ts'

/** Definition of an index as written, and the reasons why it is stale. */
export function IndexDefinition({ database, index }: { readonly database: string; readonly index: string }): ReactNode {
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'actions.indexDefinition', { database, index }),
    staleTime: 10_000,
  })
  const info = errorInfoOf('actions.indexDefinition', error)
  if (info !== null) return <ErrorNotice error={info} tone="warn" />
  if (data === undefined) return <Spinner>Reading the definition</Spinner>
  if (!data.loaded) return null
  const { maps, reduce, fields, settings, sources, json, isStale, stalenessReasons } = data
  return (
    <section className={cx('stack', styles.definition)} aria-label={`Definition of ${index}`}>
      <div className={cx('row', styles.definitionHead)}>
        <h3>
          Definition of <bdi>{index}</bdi>
        </h3>
        <CopyButton label="Copy as JSON" text={() => json} />
      </div>
      {isStale === null ? <p>Whether it is stale is not known.</p> : null}
      {isStale !== true ? null : (
        <>
          <p>Stale, because:</p>
          <ul>
            {stalenessReasons.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <IndexSource maps={maps} reduce={reduce} />
      {fields.length === 0 ? null : <PairTable label="Fields" heads={['Field', 'Options']} pairs={fields} />}
      {settings.length === 0 ? null : <PairTable label="Configuration" heads={['Setting', 'Value']} pairs={settings} />}
      {sources.map(({ name, value }) => (
        <IndexCode key={name} title={`Additional source ${name}`} text={value} />
      ))}
    </section>
  )
}

interface PairTableProps {
  readonly label: string
  readonly heads: readonly [string, string]
  readonly pairs: IndexDefinitionText['fields']
}

const columnsUnder = ([name, value]: readonly [string, string]): readonly RowColumn<
  IndexDefinitionText['fields'][number]
>[] => [
  { title: name, cell: (field) => <bdi>{field.name}</bdi> },
  { title: value, cell: (field) => <bdi>{field.value}</bdi> },
]

const PairTable = ({ label, heads, pairs }: PairTableProps): ReactNode => (
  <RowTable
    className={styles.pairs}
    label={label}
    rows={pairs}
    keyOf={({ name }) => name}
    columns={columnsUnder(heads)}
  />
)
