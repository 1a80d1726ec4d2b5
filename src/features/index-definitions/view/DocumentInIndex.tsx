import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { indented } from '../../../base/json/exact.ts'
import { formatPlural } from '../../../base/text/format.ts'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { MOST_ENTRIES, type DocumentInIndex as Found, type ReduceNode } from '../contract.ts'
import styles from './indexes.module.css'

interface DocumentInIndexProps {
  readonly database: string
  readonly index: string
  /** Whether the index is map-reduce: it has trees of reduce keys instead of entries by document. */
  readonly isReduce: boolean
}

/** Form that shows the result of indexing a document: its entries, or the trees of its reduce keys. */
export function DocumentInIndex({ database, index, isReduce }: DocumentInIndexProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [id, setId] = useState('')
  const { data, error, isFetching, refetch } = useQuery({
    ...requestOptions(useCapture(), 'definitions.ofDocument', { database, index, id, isReduce }),
    enabled: id !== '',
    staleTime: 0,
  })
  const info = errorInfoOf('definitions.ofDocument', error)
  const show = (): void => {
    // Spaces at either end are part of an id.
    if (typed === id) void refetch()
    else setId(typed)
  }
  return (
    <section className="stack" aria-label="A document in the index">
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          show()
        }}
      >
        <TextField label="Document id" value={typed} onChange={setTyped} placeholder="orders/1-A" />
        <Button submits disabled={typed === ''}>
          {isReduce ? 'Show its keys' : 'Show its entries'}
        </Button>
      </form>
      {isFetching ? (
        <Spinner>Reading the index</Spinner>
      ) : info !== null ? (
        <ErrorNotice error={info} />
      ) : data === undefined ? null : (
        <OfDocument id={id} found={data} />
      )}
    </section>
  )
}

function OfDocument({ id, found }: { readonly id: string; readonly found: Found }): ReactNode {
  if (found.kind === 'entries')
    return (
      <>
        <p role="status">
          {found.entries.length === 0 ? (
            <>
              The index has no entry of <bdi>{id}</bdi>: its maps leave it out or fail on it, it is not indexed yet, or
              there is no such document.
            </>
          ) : (
            `${found.entries.length === MOST_ENTRIES ? 'The first ' : ''}${formatPlural(found.entries.length, 'entry', 'entries')}, as stored in the index.`
          )}
        </p>
        {found.entries.length === 0 ? null : (
          <pre className={cx('raised', styles.text)} tabIndex={0} aria-label="Entries of the document">
            {indented(`[${found.entries.join(',')}]`)}
          </pre>
        )}
      </>
    )
  return (
    <>
      <p role="status">
        {found.trees.length === 0 ? (
          <>
            <bdi>{id}</bdi> adds to no key of the index.
          </>
        ) : (
          `It adds to ${formatPlural(found.trees.length, 'key')}.`
        )}
      </p>
      {found.trees.map(({ key, depth, pages, entries, root }) => (
        <section key={key} className="stack" aria-label={`Key ${key}`}>
          <h3>
            <bdi>{key}</bdi>
          </h3>
          <p className="note">
            Depth {depth}, pages: {pages}, map results: {entries}.
          </p>
          {root === null ? null : (
            <ul className={styles.tree}>
              <TreeNode node={root} isOpen />
            </ul>
          )}
        </section>
      ))}
    </>
  )
}

/** Maximum number of map results listed for a leaf; the others are counted. */
const MOST_LISTED = 200

function TreeNode({ node, isOpen }: { readonly node: ReduceNode; readonly isOpen: boolean }): ReactNode {
  const { page, result, children, entries } = node
  return (
    <li>
      <details open={isOpen}>
        <summary>
          Page {page}
          {result === null ? '' : ': '}
          {result === null ? null : <code>{result}</code>}
        </summary>
        <ul className={styles.tree}>
          {children.map((child) => (
            <TreeNode key={child.page} node={child} isOpen={isOpen && hasSource(child)} />
          ))}
          {entries.slice(0, MOST_LISTED).map(({ data, source }, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- map results have no identity but their place
            <li key={i}>
              <code>{data}</code>
              {source === null ? null : (
                <>
                  {' '}
                  of <bdi>{source}</bdi>
                </>
              )}
            </li>
          ))}
          {entries.length > MOST_LISTED ? <li className="note">{entries.length - MOST_LISTED} more</li> : null}
        </ul>
      </details>
    </li>
  )
}

/** Whether the node or a node below it contains a map result of the document. */
const hasSource = ({ children, entries }: ReduceNode): boolean =>
  entries.some(({ source }) => source !== null) || children.some(hasSource)
