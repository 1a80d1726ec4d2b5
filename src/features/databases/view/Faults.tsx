import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import styles from './databases.module.css'
import { LongText } from '../../../ui/LongText.tsx'

const MOST_FAULTS = 20

/** Why databases failed to load, in the server's full text, of which the table has room for the beginning. */
export function Faults({ rows }: { readonly rows: readonly DatabaseRow[] }): ReactNode {
  const faults = rows.filter(({ state, error }) => state === 'faulted' && error !== null)
  if (faults.length === 0) return null
  return (
    <details className={styles.faults}>
      <summary>{formatPlural(faults.length, 'database')} failed to load: what the server says</summary>
      <div className={styles.words} role="region" aria-label="What the server says" tabIndex={0}>
        <dl>
          {faults.slice(0, MOST_FAULTS).map(({ name, error }) => (
            <div key={name}>
              <dt>
                <DatabaseLink name={name} />
              </dt>
              <dd>
                <LongText text={error ?? ''} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {faults.length > MOST_FAULTS ? <p>and {formatPlural(faults.length - MOST_FAULTS, 'more database')}</p> : null}
    </details>
  )
}
