import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatBytes, formatPlural } from '../../base/text/format.ts'
import { toggled } from '../../capture/client/param-text.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import type { ActionIndex } from '../contract.ts'
import { nameList, namesIn } from '../name-list.ts'
import { REPLACEMENT_OF } from '../rows/index-reading.ts'
import styles from './actions.module.css'

/** Time, ms, for which the list of indexes is used. */
const FRESH_MS = 5000

interface IndexesFieldProps {
  readonly label: string
  readonly database: string
  /** Names as a `nameList`. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Excludes replacements, whose files are temporary. 5.4 has no other engine and reports none. */
const canBeCompacted = ({ name, engine }: ActionIndex): boolean =>
  !name.startsWith(REPLACEMENT_OF) && (engine === null || engine === 'Lucene')

/** Checkboxes for the Lucene indexes of a loaded database. Read once, since each reading keeps the database loaded. */
export function IndexesField({ label, database, value, onChange }: IndexesFieldProps): ReactNode {
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'actions.indexes', { database }),
    staleTime: FRESH_MS,
  })
  const chosen = new Set(namesIn(value))
  const choose = (names: Iterable<string>): void => onChange(nameList([...names]))
  if (error !== null) return <p role="status">The indexes could not be read: {error.message}</p>
  if (data === undefined) return <p role="status">Reading the indexes …</p>
  if (!data.loaded)
    return <p role="status">The database is not loaded, so its indexes are not listed. Restart it to choose some.</p>
  const offered = data.indexes.filter(canBeCompacted)
  const names = offered.map(({ name }) => name)
  const missing = [...chosen].filter((name) => !names.includes(name))
  const others = data.indexes.filter((index) => !canBeCompacted(index) && !index.name.startsWith(REPLACEMENT_OF)).length
  const box = (name: string, more: string): ReactNode => (
    <label key={name} className="inline">
      <input
        type="checkbox"
        className={styles.choose}
        checked={chosen.has(name)}
        onChange={() => choose(toggled(chosen, name))}
      />
      <bdi>{name}</bdi>
      <span className="note">{more}</span>
    </label>
  )
  return (
    <fieldset className={styles.indexes}>
      <legend>
        {label}: {chosen.size === 0 ? 'none chosen' : `${chosen.size} chosen`}
      </legend>
      {missing.map((name) => box(name, 'does not exist, or cannot be compacted'))}
      {offered.map(({ name, facts: { sizeBytes } }) =>
        box(name, sizeBytes === undefined ? '' : formatBytes(sizeBytes)),
      )}
      {names.length < 2 ? null : (
        <span>
          <Button small onClick={() => choose(chosen.size === 0 ? names : [])}>
            {chosen.size === 0 ? 'Choose all' : 'Choose none'}
          </Button>
        </span>
      )}
      {names.length === 0 ? <small>It has no index that can be compacted.</small> : null}
      {others === 0 ? null : (
        <small>{formatPlural(others, 'Corax index', 'Corax indexes')} cannot be compacted: reset instead.</small>
      )}
    </fieldset>
  )
}
