import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import {
  forgetSaved,
  isOf,
  recentQueries,
  savedQueries,
  saveQuery,
  withoutRepeats,
  type KeptQuery,
} from './kept-queries.ts'
import styles from './query.module.css'
import { cx } from '../../../ui/theme/cx.ts'

interface KeptQueriesProps {
  readonly server: string
  readonly database: string
  readonly text: string
  readonly parameters: string
  /** Whether the name field gets the focus first, because the user wants to save. */
  readonly beginsWithName: boolean
  /** Puts a query into the editor without running it. */
  readonly onTake: (query: KeptQuery) => void
}

/** Queries that were run in this browser, and queries saved under a name. */
export function KeptQueries(props: KeptQueriesProps): ReactNode {
  const { server, database, text, parameters, beginsWithName, onTake } = props
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (beginsWithName) formRef.current?.querySelector('input')?.focus()
  }, [beginsWithName])
  const [name, setName] = useState('')
  const [find, setFind] = useState('')
  const [failed, setFailed] = useState(false)
  const [, setCount] = useState(0)
  const renew = (): void => setCount((count) => count + 1)
  const words = find.toLowerCase()
  const isWanted = (query: KeptQuery): boolean =>
    isOf(query, { server, database }) && `${query.name}\n${query.text}`.toLowerCase().includes(words)
  const saved = savedQueries().filter(isWanted)
  const recent = withoutRepeats(recentQueries().filter(isWanted))
  const save = (): void => {
    setFailed(!saveQuery({ server, database, text, parameters, name: name.trim(), atMs: Date.now() }))
    setName('')
    renew()
  }
  return (
    <section className={cx('stack', styles.history)} aria-label="Saved and recent queries">
      <div className="row">
        <form
          ref={formRef}
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <TextField label="Name" value={name} onChange={setName} />
          <Button submits small disabled={name.trim() === '' || text.trim() === ''}>
            Save query
          </Button>
        </form>
        <TextField label="Find" type="search" value={find} onChange={setFind} />
        {failed ? (
          <span role="alert">Not saved: the store of this browser is full, or the query is too long.</span>
        ) : null}
      </div>
      {saved.length === 0 ? null : <h3>Saved</h3>}
      <ul>
        {saved.map((query) => (
          <li key={`${query.server ?? ''} ${query.name}`} className={styles.kept}>
            <button type="button" className={styles.keptText} title={query.text} onClick={() => onTake(query)}>
              <b>{query.name}</b> {query.text}
            </button>
            <Button
              small
              aria-label={`Remove ${query.name}`}
              onClick={() => {
                forgetSaved(query)
                renew()
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <h3>Recent</h3>
      {recent.length === 0 ? <p className="note">No query of this database was run from this browser.</p> : null}
      <ul>
        {recent.map((query) => (
          <li key={`${query.server ?? ''} ${query.text}\n${query.parameters}`} className={styles.kept}>
            <button type="button" className={styles.keptText} title={query.text} onClick={() => onTake(query)}>
              {query.text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
