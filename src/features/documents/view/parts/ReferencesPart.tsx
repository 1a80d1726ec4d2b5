import { useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatPlural } from '../../../../base/text/format.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Progress, Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { Collection, Reference } from '../../contract.ts'
import { MOST_REFERENCES } from '../../data/reference-limit.ts'
import styles from '../documents.module.css'
import { openDocument, useOpen } from '../useOpen.ts'
import { useReferences } from './useReferences.ts'

interface ReferencesPartProps {
  readonly database: string
  readonly id: string
}

/** Documents that refer to this one, read from the selected collections: the server keeps no such list. */
export function ReferencesPart({ database, id }: ReferencesPartProps): ReactNode {
  const { response, error } = useRequest(
    'documents.collections',
    { database },
    { version: 0, everyMs: 1000, changedEveryMs: 0 },
  )
  if (response === null)
    return error === null ? <Spinner>Reading the collections …</Spinner> : <ErrorNotice error={error} />
  return <FindReferences database={database} id={id} collections={response.collections} />
}

function LinkToDocument({ id }: { readonly id: string }): ReactNode {
  const { go } = useOpen()
  return (
    <button type="button" className={cx(styles.open, styles.name)} onClick={() => go(openDocument(id))}>
      {id}
    </button>
  )
}

const COLUMNS: readonly RowColumn<Reference>[] = [
  { title: 'Id', cell: ({ id }) => <LinkToDocument id={id} /> },
  { title: 'Collection', cell: ({ collection }) => collection },
  { title: 'Fields', cell: ({ fields }) => <span className={cx('mono', styles.name)}>{fields.join(', ')}</span> },
]

const sumOf = (collections: readonly Collection[]): number =>
  collections.reduce((sum, { documents }) => sum + documents, 0)

interface FindReferencesProps extends ReferencesPartProps {
  readonly collections: readonly Collection[]
}

function FindReferences({ database, id, collections }: FindReferencesProps): ReactNode {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  /** Number of documents in the searched collections. */
  const [expected, setExpected] = useState(0)
  const { state, search, failure, find, stop } = useReferences(database, id)
  const isRunning = state === 'running'
  // Small collections first, so that results appear early.
  const chosen = collections.filter(({ name }) => !left.has(name)).toSorted((a, b) => a.documents - b.documents)
  const documents = sumOf(chosen)
  const toggle = (name: string): void => {
    const next = new Set(left)
    if (!next.delete(name)) next.add(name)
    setLeft(next)
  }
  return (
    <section className={cx('stack', styles.whole)} aria-label="References">
      <p className="note">
        Finds documents with a field that holds this id and nothing else. Every document of the chosen collections is
        read once. No index is used or created. Revisions, attachments and ids within longer text are not searched.
      </p>
      <fieldset className={styles.collectionChoice} disabled={isRunning}>
        <legend>Collections to read</legend>
        {collections.map(({ name, documents: count }) => (
          <label key={name} className="inline">
            <input type="checkbox" checked={!left.has(name)} onChange={() => toggle(name)} />
            <span className={styles.name}>
              {name} <span className="faint">{formatCount(count)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="row">
        {isRunning ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button
            tone="primary"
            disabled={documents === 0}
            title={documents === 0 ? 'Choose a collection that has documents.' : undefined}
            onClick={() => {
              setExpected(documents)
              find(chosen.map(({ name }) => name))
            }}
          >
            Find references in {formatPlural(documents, 'document')}
          </Button>
        )}
        <Button
          small
          tone="quiet"
          disabled={isRunning}
          onClick={() => setLeft(left.size === 0 ? new Set(collections.map(({ name }) => name)) : new Set())}
        >
          {left.size === 0 ? 'Choose none' : 'Choose all'}
        </Button>
        {isRunning ? (
          <Progress
            label={`${formatCount(search?.read ?? 0)} of ${formatCount(expected)} documents read, ${formatBytes(search?.bytes ?? 0)}`}
            share={expected === 0 || search === null ? null : Math.min(1, search.read / expected)}
          />
        ) : null}
        <AttemptFailure of={failure} />
      </div>
      {search === null ? null : (
        <p role="status">
          {formatPlural(search.found.length, 'document')} {search.found.length === 1 ? 'refers' : 'refer'} to this one
          {isRunning
            ? ' so far.'
            : ` in ${formatPlural(search.read, 'document')} that ${search.read === 1 ? 'was' : 'were'} read.`}
          {search.unsearched === 0
            ? ''
            : ` ${formatPlural(search.unsearched, 'document')} that may have the id ${search.unsearched === 1 ? 'has' : 'have'} too many levels to be searched.`}
          {state === 'stopped' || state === 'failed' ? ' The search did not end: there may be more.' : ''}
          {search.found.length >= MOST_REFERENCES
            ? ` It stops at ${formatCount(MOST_REFERENCES)}: there may be more.`
            : ''}
        </p>
      )}
      {search === null || search.found.length === 0 ? null : (
        <RowTable<Reference> label="References" rows={search.found} keyOf={({ id: from }) => from} columns={COLUMNS} />
      )}
    </section>
  )
}
