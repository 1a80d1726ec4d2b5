import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActionFacts } from '../../actions/model.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { DatabaseRow } from '../../ravendb/databases/databases.ts'
import { listNames } from '../../base/text/list-names.ts'

/** Time, ms, for which the list of indexes is used. */
const FRESH_MS = 5000
/** Time, ms, for which names are used: definitions change seldom. */
const NAMES_FRESH_MS = 60_000
/** Minimum number of typed letters; fewer match every name. */
const LEAST_TYPED = 2
/** Maximum number of databases in which the actions on an index are read because its name was typed. */
const MOST_READ = 3

export interface PaletteIndex {
  readonly database: string
  readonly name: string
  /** Facts for the actions on the index; null: not known. */
  readonly facts: ActionFacts | null
}

interface PaletteIndexes {
  readonly indexes: readonly PaletteIndex[]
  /** Sentence for a query without a match. */
  readonly nothing: string
}

/**
 * Indexes of all databases, once something is typed. Names come from the server's records, which loads no database and
 * keeps none loaded. State and actions are read only for databases whose index was typed, or that were read before.
 */
export function useIndexes(query: string, chosen: readonly string[], rows: readonly DatabaseRow[]): PaletteIndexes {
  const capture = useCapture()
  const typed = query.trim().toLowerCase()
  const isTyped = typed.length >= LEAST_TYPED
  // Shards are managed by their parent's name, which the list does not have.
  const others = rows.flatMap(({ name, isSharded }) => (isSharded || chosen.includes(name) ? [] : [name]))
  const databases = [...chosen, ...others]
  const { data: named } = useQuery({
    ...requestOptions(capture, 'databases.indexNames', { databases }),
    enabled: isTyped && databases.length > 0,
    staleTime: NAMES_FRESH_MS,
  })
  const found = named?.found ?? []
  const matching = found.filter(({ names }) => names.some((name) => isMeant(typed, name)))
  const wanted = new Set(isTyped ? matching.slice(0, MOST_READ).map(({ database }) => database) : [])
  const requested = [...new Set([...wanted, ...chosen])]
  const queries = useQueryClient()
  const listOf = (database: string, isWanted: boolean) =>
    requestOptions(capture, 'actions.indexes', isWanted ? { database } : { database, onlyKnown: true })
  const lists = useQueries({
    queries: requested.map((database) => ({
      ...listOf(database, wanted.has(database)),
      staleTime: FRESH_MS,
      enabled: isTyped,
      // A further letter changes what is read of a database: without it the actions would leave the list meanwhile.
      placeholderData: () => queries.getQueryData(listOf(database, !wanted.has(database)).queryKey),
    })),
  })
  const known = lists.flatMap(({ data }, i): PaletteIndex[] =>
    data?.loaded === true
      ? data.indexes.map(({ name, facts }): PaletteIndex => ({ database: requested[i] ?? '', name, facts }))
      : [],
  )
  const keyOf = ({ database, name }: Omit<PaletteIndex, 'facts'>): string => `${database}|${name}`
  const keys = new Set(known.map(keyOf))
  const only = found
    .flatMap(({ database, names }) => names.map((name): PaletteIndex => ({ database, name, facts: null })))
    .filter((index) => !keys.has(keyOf(index)))
  const searched = databases.filter((name) =>
    [...found.map(({ database }) => database), ...known.map(({ database }) => database)].includes(name),
  )
  return { indexes: [...known, ...only], nothing: nothingWords(searched, databases.length) }
}

/** Whether all typed words are in the name, or the whole name is typed among others: `pause Orders/ByCompany`. */
const isMeant = (typed: string, name: string): boolean => {
  const lower = name.toLowerCase()
  return typed.includes(lower) || typed.split(/\s+/).some((word) => word.length > LEAST_TYPED && lower.includes(word))
}

function nothingWords(searched: readonly string[], all: number): string {
  if (all > 0 && searched.length === all) return 'No panel, database, index or action of that name.'
  if (searched.length === 0) return 'No panel, database or action. Indexes are searched in databases that are chosen.'
  return `No panel, database or action. Indexes are searched in ${listNames(searched)} only; choose others.`
}
