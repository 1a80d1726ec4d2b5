import { readStored, removeStored, writeStored } from '../../../ui/storage.ts'

/* Queries that the browser keeps: those that were run, and those saved under a name. */

export interface KeptQuery {
  /** Id of the server; missing in older entries, which are shown for every server. */
  readonly server?: string
  readonly database: string
  readonly text: string
  readonly parameters: string
  /** Wall clock of the last run or save, ms. */
  readonly atMs: number
  /** Name under which the query is saved; empty: it was only run. */
  readonly name: string
}

const RECENT = 'query.recent'
const SAVED = 'query.saved'
const MOST_RECENT = 50
const MOST_OF_ALL = 300
const MOST_SAVED = 500
/** Maximum length of a kept query: the browser's storage is small. */
const LONGEST = 100_000

const isQuery = (item: unknown): item is KeptQuery =>
  typeof item === 'object' &&
  item !== null &&
  ['database', 'text', 'parameters', 'name'].every((key) => typeof Reflect.get(item, key) === 'string') &&
  typeof Reflect.get(item, 'atMs') === 'number'

function read(key: string): readonly KeptQuery[] {
  try {
    const list: unknown = JSON.parse(readStored(key) ?? '[]')
    return Array.isArray(list) ? list.filter(isQuery) : []
  } catch {
    return []
  }
}

/** Recent queries, newest first. */
export const recentQueries = (): readonly KeptQuery[] => read(RECENT)

/**
 * Keeps the first of queries with the same text and parameters. A query may be stored twice: with the id of the server,
 * and from before entries had one.
 */
export const withoutRepeats = (queries: readonly KeptQuery[]): readonly KeptQuery[] =>
  queries.filter(({ text, parameters }, at) => {
    const first = queries.findIndex((other) => other.text === text && other.parameters === parameters)
    return first === at
  })

/** Saved queries, sorted by name. */
export const savedQueries = (): readonly KeptQuery[] => read(SAVED).toSorted((a, b) => a.name.localeCompare(b.name))

const isSame = (a: KeptQuery, b: KeptQuery): boolean =>
  a.server === b.server && a.database === b.database && a.text === b.text && a.parameters === b.parameters

/** Whether `server` is an address, used while the id was unknown. Storage is per address anyway. */
const isAddress = (server: string): boolean => /^https?:/.test(server)

/**
 * Whether a query belongs to a database of a server. A query stored before the server's id was known belongs to every
 * server at this address.
 */
export const isOf = ({ server, database }: KeptQuery, of: Pick<KeptQuery, 'server' | 'database'>): boolean =>
  database === of.database && (server === undefined || server === of.server || isAddress(server))

/** Adds a query at the front, once. The maximum is per server. False: the browser did not store it. */
export function keepRecent(query: KeptQuery): boolean {
  if (query.text.trim() === '') return true
  if (query.text.length + query.parameters.length > LONGEST) return false
  const others = recentQueries().filter((each) => !isSame(each, query))
  let left = MOST_RECENT
  const kept = [query, ...others].filter(({ server }) => server !== query.server || left-- > 0)
  return writeStored(RECENT, JSON.stringify(kept.slice(0, MOST_OF_ALL)))
}

const isNamed = (query: KeptQuery, of: Pick<KeptQuery, 'server' | 'name' | 'database'>): boolean =>
  query.name === of.name && query.database === of.database && query.server === of.server

/** Saves a query and replaces the one of the same name, database and server. False: the browser did not store it. */
export function saveQuery(query: KeptQuery): boolean {
  const others = savedQueries().filter((each) => !isNamed(each, query))
  if (others.length >= MOST_SAVED || query.text.length + query.parameters.length > LONGEST) return false
  return writeStored(SAVED, JSON.stringify([...others, query]))
}

export function forgetSaved(query: Pick<KeptQuery, 'server' | 'name' | 'database'>): void {
  const others = savedQueries().filter((each) => !isNamed(each, query))
  writeStored(SAVED, JSON.stringify(others))
}

/** Draft from before drafts were kept per server, with the link after which it was typed. */
interface EarlierDraft {
  readonly text: string
  readonly parameters: string
  readonly link: string
}

const earlierKey = (database: string): string => `query.draft.${database}`

export function earlierDraft(database: string): EarlierDraft | null {
  try {
    const draft: unknown = JSON.parse(readStored(earlierKey(database)) ?? 'null')
    if (typeof draft !== 'object' || draft === null) return null
    const [text, parameters, link] = ['text', 'parameters', 'link'].map((key): unknown => Reflect.get(draft, key))
    return typeof text === 'string' && typeof parameters === 'string' && typeof link === 'string'
      ? { text, parameters, link }
      : null
  } catch {
    return null
  }
}

/** Removes an `EarlierDraft` once it is stored per server. */
export const forgetEarlier = (database: string): void => removeStored(earlierKey(database))
