import { useState, type ReactNode } from 'react'
import { formatDateTime, formatPlural } from '../../../base/text/format.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { DefinitionFault, DefinitionText } from '../contract.ts'
import { FailingDocument } from './FailingDocument.tsx'
import styles from './indexes.module.css'
import type {} from '../../query/contract.ts'

const MOST = 50

/** Extracts the problem from an error, without the location in the server's code. */
export const errorSentence = (error: string): string =>
  (error.split('\n')[0] ?? error).replace(/^Failed to execute \w+ function on .*? Exception: /u, '').trim()

/** Number of the map that failed, from 0, read from the method name in the stack trace. */
export const mapOf = (error: string): number => Number(/\bMap_(\d+)\(/u.exec(error)?.[1] ?? 0)

/** Map results on which a reduce failed, as JSON text; null: the error does not contain them. */
export const reducedItem = (error: string): string | null =>
  /current item to reduce: (\{.*\})\)/u.exec(error.split('\n')[0] ?? '')?.[1] ?? null

/** Prefix of the text that the server reports instead of a document id when the reduce fails. */
const KEY = 'Reduce key:'

interface DocumentErrorsProps {
  readonly database: string
  readonly index: string
  /** Number of errors in the list of indexes. When it changes, the errors are read again. */
  readonly count: number
  /** Definition in the editors. */
  readonly definition: DefinitionText
  readonly onFaults: (faults: readonly DefinitionFault[]) => void
}

/** Documents for which the index fails: the document, the error, and its content beside the map. */
export function DocumentErrors({ database, index, count, definition, onFaults }: DocumentErrorsProps): ReactNode {
  const { clock } = useView().view
  const { response: data, error } = useRequest(
    'databases.indexErrors',
    { database, index },
    { version: count, everyMs: 1000 },
  )
  const [shown, setShown] = useState<{ readonly id: string; readonly error: string } | null>(null)
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
            {document === null ? null : document.startsWith(KEY) ? (
              <bdi>{document}</bdi>
            ) : (
              <button
                type="button"
                className={styles.error}
                aria-expanded={shown?.id === document}
                onClick={() => setShown(shown?.id === document ? null : { id: document, error: words })}
              >
                <bdi>{document}</bdi>
              </button>
            )}{' '}
            <span className="note">
              {action ?? ''} {atTicks === null ? '' : formatDateTime(atTicks, clock, 0)}
            </span>{' '}
            <bdi title={words}>{errorSentence(words)}</bdi>
            {reducedItem(words) === null ? null : (
              <>
                {' '}
                at <code>{reducedItem(words)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {shown === null ? null : (
        <FailingDocument
          key={shown.id}
          database={database}
          id={shown.id}
          map={mapOf(shown.error)}
          definition={definition}
          onFaults={onFaults}
        />
      )}
    </section>
  )
}
