import { databaseKey } from '../../base/text/database-key.ts'
import { distinctSources, parseSourceId, type SourceId } from './state.ts'
import { useView, type View, type ViewParts } from './view.ts'

/** Names of the databases among the sources, in their order. */
const databasesOf = (sources: readonly SourceId[]): readonly string[] =>
  sources.flatMap((id) => {
    const ref = parseSourceId(id)
    return ref?.kind === 'database' ? [ref.name] : []
  })

type Scoped = Pick<View, 'database' | 'sources'>

/** The database that panels of the group Database show: the chosen one, else the first watched one; null: none. */
export const databaseInScope = ({ database, sources }: Scoped): string | null =>
  database ?? databasesOf(sources)[0] ?? null

/**
 * View with this database in scope. If exactly one database is watched, this one replaces it, so that I/O and the page
 * of a database show the same one; several chosen databases stay.
 */
export function partsInScope({ sources }: Pick<View, 'sources'>, name: string): ViewParts {
  const watched = databasesOf(sources)
  if (watched.length !== 1) return { database: name }
  if (databaseKey(watched[0] ?? '') === databaseKey(name)) return { database: null }
  const replaced = sources.map((id): SourceId => (parseSourceId(id)?.kind === 'database' ? `db:${name}` : id))
  return { sources: distinctSources(replaced), database: null, selection: null }
}

/** Scope after a change of sources: a single database becomes the one in scope. */
export const scopeAfter = (sources: readonly SourceId[], database: string | null): string | null =>
  databasesOf(sources).length === 1 ? null : database

interface DatabaseScope {
  /** Database in scope; null: none chosen. A panel with `scope: 'database'` is rendered only with one. */
  readonly name: string | null
  /** Sets the database in scope. Loads none. */
  readonly choose: (name: string) => void
}

/** The database in scope, for panels with `scope: 'database'`. It is part of the address. */
export function useDatabaseScope(): DatabaseScope {
  const { view, change } = useView()
  return {
    name: databaseInScope(view),
    choose: (name) => change({ database: name }, { push: true }),
  }
}
