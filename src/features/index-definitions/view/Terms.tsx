import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { itemsOf, memberOf, plainText } from '../../../base/json/exact.ts'
import { quoted } from '../../../base/rql/shape.ts'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import styles from './indexes.module.css'
import type {} from '../../query/contract.ts'

const MOST = 200

/** Pause, ms, before the fields of an index that has none yet are read again: it has them once it has an entry. */
const FIELDS_EVERY_MS = 3000

interface Term {
  /** The indexed term. */
  readonly term: string
  /** Number of entries with the term, as the server wrote it. */
  readonly count: string
}

/** Reads the terms from a facet result. */
export const termsIn = (row: string): readonly Term[] =>
  itemsOf(memberOf(row, 'Values') ?? '[]').map((value) => ({
    term: plainText(memberOf(value, 'Range') ?? ''),
    count: memberOf(value, 'Count') ?? '',
  }))

const termOrder = new Intl.Collator('en', { numeric: true })

/** Orders terms by number of entries, then numeric terms by value, not as text. */
const byFrequency = (a: Term, b: Term): number =>
  Number(b.count) - Number(a.count) || Number(a.term) - Number(b.term) || termOrder.compare(a.term, b.term)

/** Terms of a field of an index, with the number of entries of each. Sends a facet query, which changes nothing. */
export function Terms({ database, index }: { readonly database: string; readonly index: string }): ReactNode {
  const capture = useCapture()
  const { data: fields, error } = useQuery({
    ...requestOptions(capture, 'query.fields', { database, kind: 'index', name: index }),
    staleTime: 10_000,
    refetchInterval: ({ state: { data: read } }) =>
      read?.loaded === true && read.fields.length === 0 ? FIELDS_EVERY_MS : false,
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const names = fields?.loaded === true ? fields.fields : []
  const field = chosen ?? names[0] ?? null
  const found = useQuery({
    ...requestOptions(capture, 'query.run', {
      database,
      text: `from index ${quoted(index)} select facet(${quoted(field ?? '')}, $options)`,
      parameters: `{"options":{"PageSize":${MOST},"TermSortMode":"CountDesc"}}`,
      start: 0,
      pageSize: 1,
    }),
    enabled: field !== null,
    staleTime: 10_000,
  })
  const info = errorInfoOf('query.run', error ?? found.error)
  if (info !== null) return <ErrorNotice error={info} />
  if (fields === undefined) return <Spinner>Reading the fields</Spinner>
  if (!fields.loaded || found.data?.outcome === 'unloaded') return <p role="status">The database is not loaded.</p>
  if (field === null) return <p className="note">The index has no field yet. It has its fields once it has an entry.</p>
  const outcome = found.data
  const rows = outcome?.outcome === 'results' ? outcome.page.rows.flatMap(termsIn).toSorted(byFrequency) : []
  return (
    <section className="stack" aria-label="Terms">
      <div className="row">
        <Select
          label="Field"
          value={field}
          options={names.map((value) => ({ value, text: value }))}
          onChange={setChosen}
        />
      </div>
      {outcome === undefined ? (
        <Spinner>Reading the terms</Spinner>
      ) : outcome.outcome === 'refused' ? (
        <p role="alert">{outcome.message}</p>
      ) : (
        <>
          <div className="row">
            <p role="status">
              {rows.length === MOST ? `The ${MOST} most frequent terms.` : `${formatPlural(rows.length, 'term')}.`}
              {outcome.outcome === 'results' && outcome.page.isStale
                ? ' The index was stale when they were read: terms and counts may have changed since.'
                : ''}
            </p>
            {/* A facet query over many entries is expensive, so it is not repeated by itself. */}
            <Button small disabled={found.isFetching} onClick={() => void found.refetch()}>
              Read again
            </Button>
          </div>
          <div className={styles.scroll} tabIndex={0} role="group" aria-label="Terms of the field">
            <RowTable<Term> label={`Terms of ${field}`} rows={rows} keyOf={({ term }) => term} columns={TERM_COLUMNS} />
          </div>
        </>
      )}
    </section>
  )
}

const TERM_COLUMNS = [
  { title: 'Term', cell: ({ term }: Term) => <bdi>{term}</bdi> },
  { title: 'Entries', isFigure: true, cell: ({ count }: Term) => formatCount(Number(count)) },
]
