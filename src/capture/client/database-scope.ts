import { databaseKey } from '../../base/text/database-key.ts'
import { distinctSources, parseSourceId, type SourceId } from './state.ts'
import { useView, type View, type ViewParts } from './view.ts'

/** Names of the databases among sources, in their order. */
const databasesOf = (sources: readonly SourceId[]): readonly string[] =>
  sources.flatMap((id) => {
    const ref = parseSourceId(id)
    return ref?.kind === 'database' ? [ref.name] : []
  })

type Scoped = Pick<View, 'database' | 'sources'>

/** The database that panels of the group Database show: the chosen one, else the first that is watched; null: none. */
export const databaseInScope = ({ database, sources }: Scoped): string | null =>
  database ?? databasesOf(sources)[0] ?? null

/**
 * Parts of a view with this database in scope. Where exactly one database is watched, this one is watched in its place,
 * so that I/O and the page of a database are of the same one; several that were chosen stay.
 */
export function partsInScope({ sources }: Pick<View, 'sources'>, name: string): ViewParts {
  const watched = databasesOf(sources)
  if (watched.length !== 1) return { database: name }
  if (databaseKey(watched[0] ?? '') === databaseKey(name)) return { database: null }
  const replaced = sources.map((id): SourceId => (parseSourceId(id)?.kind === 'database' ? `db:${name}` : id))
  return { sources: distinctSources(replaced), database: null, selection: null }
}

/** The scope that follows from a change of sources: exactly one database is the one in scope. */
export const scopeAfter = (sources: readonly SourceId[], database: string | null): string | null =>
  databasesOf(sources).length === 1 ? null : database

interface DatabaseScope {
  /** Database in scope; null: none is chosen yet. A panel with `scope: 'database'` is shown only with a database. */
  readonly name: string | null
  /** Takes another database into scope. Loads none. */
  readonly choose: (name: string) => void
}

/** The database in scope, for panels with `scope: 'database'`; it is part of the address. */
export function useDatabaseScope(): DatabaseScope {
  const { view, change } = useView()
  return {
    name: databaseInScope(view),
    choose: (name) => change({ database: name }, { push: true }),
  }
}
