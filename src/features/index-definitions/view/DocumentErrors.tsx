import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { indented } from '../../../base/json/exact.ts'
import { formatDateTime, formatPlural } from '../../../base/text/format.ts'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './indexes.module.css'

const MOST = 50

/** Extracts the problem from an error, without the place in the server where it was noticed. */
export const errorSentence = (error: string): string =>
  (error.split('\n')[0] ?? error).replace(/^Failed to execute \w+ function on .*?\. Exception: /u, '').trim()

interface DocumentErrorsProps {
  readonly database: string
  readonly index: string
  /** As the list has it: they are read again when it changes. */
  readonly count: number
}

/** Documents that fail in an index: which, why, and the document itself beside the map. */
export function DocumentErrors({ database, index, count }: DocumentErrorsProps): ReactNode {
  const { clock } = useView().view
  const { response: data, error } = useRequest(
    'databases.indexErrors',
    { database, index },
    { version: count, everyMs: 1000 },
  )
  const [shown, setShown] = useState<string | null>(null)
  if (error !== null) return <ErrorNotice error={error} />
  if (data === null) return <Spinner>Reading the errors</Spinner>
  if (!data.loaded) return null
  const { errors, total } = data
  return (
    <section className="stack" aria-label="Documents that fail">
      <p role="status">
        {total === 0
          ? 'No error is kept of it.'
          : `${formatPlural(total, 'error')} ${total === 1 ? 'is' : 'are'} kept of it${total > MOST ? `, the newest ${MOST} of which are shown` : ''}. A document shows at a click.`}
      </p>
      <ul className={styles.scroll}>
        {errors.slice(0, MOST).map(({ document, action, error: words, atTicks }) => (
          <li key={`${document} ${action} ${atTicks} ${words}`}>
            {document === null ? null : (
              <button
                type="button"
                className={styles.error}
                aria-expanded={shown === document}
                onClick={() => setShown(shown === document ? null : document)}
              >
                <bdi>{document}</bdi>
              </button>
            )}{' '}
            <span className="note">
              {action ?? ''} {atTicks === null ? '' : formatDateTime(atTicks, clock, 0)}
            </span>{' '}
            <bdi title={words}>{errorSentence(words)}</bdi>
          </li>
        ))}
      </ul>
      {shown === null ? null : <FailingDocument database={database} id={shown} />}
    </section>
  )
}

function FailingDocument({ database, id }: { readonly database: string; readonly id: string }): ReactNode {
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'query.run', {
      database,
      text: 'from @all_docs where id() = $id',
      parameters: JSON.stringify({ id }),
      start: 0,
      pageSize: 1,
    }),
    staleTime: 0,
  })
  const info = errorInfoOf('query.run', error)
  if (info !== null) return <ErrorNotice error={info} />
  if (data === undefined) return <Spinner>Reading the document</Spinner>
  const [row] = data.outcome === 'results' ? data.page.rows : []
  return row === undefined ? (
    <p role="status">
      The document <bdi>{id}</bdi> does not exist any more, so that it fails no longer.
    </p>
  ) : (
    <pre className={cx('raised', styles.text)} tabIndex={0} aria-label={`Document ${id}`}>
      {indented(row)}
    </pre>
  )
}
