import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { UnlessClosed } from '../../../capture/frame/notices/UnlessClosed.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { fromCollection, fromIndex } from './completion.ts'
import { NEW_MS } from './useNames.ts'
import styles from './query.module.css'

/** Maximum number of names shown of each kind; the completion offers all. */
const SHOWN = 12

interface FirstQueriesProps {
  readonly database: string
  readonly onTake: (text: string) => void
}

/** Suggested queries for an empty editor. A click inserts one and does not run it. */
export function FirstQueries({ database, onTake }: FirstQueriesProps): ReactNode {
  const { data } = useQuery({ ...requestOptions(useCapture(), 'query.names', { database }), staleTime: NEW_MS })
  if (data === undefined) return null
  if (!data.loaded)
    return (
      <UnlessClosed database={database}>
        <p className="note">The database is not loaded: names of collections and indexes are offered once it is.</p>
      </UnlessClosed>
    )
  const collections = data.collections.toSorted((a, b) => b.documents - a.documents)
  return (
    <div className={styles.names}>
      <Names
        title="From a collection"
        names={collections.map(({ name, documents }) => ({
          name,
          note: formatCount(documents),
          text: fromCollection(name),
        }))}
        onTake={onTake}
      />
      <Names
        title="From an index"
        names={data.indexes.map((name) => ({ name, text: fromIndex(name) }))}
        onTake={onTake}
      />
    </div>
  )
}

interface NamesProps {
  readonly title: string
  readonly names: readonly { readonly name: string; readonly note?: string; readonly text: string }[]
  readonly onTake: (text: string) => void
}

function Names({ title, names, onTake }: NamesProps): ReactNode {
  if (names.length === 0) return null
  const more = names.length - SHOWN
  return (
    <section className={styles.names} aria-label={title}>
      <h2 className="note">{title}</h2>
      <div className="row">
        {names.slice(0, SHOWN).map(({ name, note, text }) => (
          <Button key={name} small title={text} onClick={() => onTake(text)}>
            <span className="cut">{name}</span>
            {note === undefined ? null : <span className="note"> {note}</span>}
          </Button>
        ))}
        {more > 0 ? <span className="note">and {formatCount(more)} more: type to find one</span> : null}
      </div>
    </section>
  )
}
