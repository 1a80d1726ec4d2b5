import { readStored, writeStored } from '../../../ui/storage.ts'

/* What the browser keeps of queries: those that were run, and those that were saved under a name. */

export interface KeptQuery {
  readonly database: string
  readonly text: string
  readonly parameters: string
  /** When it was run or saved last, wall clock, ms. */
  readonly atMs: number
  /** Empty: it was run, and has no name. */
  readonly name: string
}

const RECENT = 'query.recent'
const SAVED = 'query.saved'
const MOST_RECENT = 50
const MOST_SAVED = 500
/** A longer text is not kept: the store of the browser is small. */
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

/** Newest first. */
export const recentQueries = (): readonly KeptQuery[] => read(RECENT)

/** By name. */
export const savedQueries = (): readonly KeptQuery[] => read(SAVED).toSorted((a, b) => a.name.localeCompare(b.name))

const isSame = (a: KeptQuery, b: KeptQuery): boolean =>
  a.database === b.database && a.text === b.text && a.parameters === b.parameters

/** Puts it before the others; the same one is not kept twice. */
export function keepRecent(query: KeptQuery): void {
  if (query.text.trim() === '' || query.text.length + query.parameters.length > LONGEST) return
  const others = recentQueries().filter((each) => !isSame(each, query))
  writeStored(RECENT, JSON.stringify([query, ...others].slice(0, MOST_RECENT)))
}

/** Saves a query; replaces the query of the same name and database. False: the browser did not keep it. */
export function saveQuery(query: KeptQuery): boolean {
  const others = savedQueries().filter(({ name, database }) => name !== query.name || database !== query.database)
  if (others.length >= MOST_SAVED || query.text.length + query.parameters.length > LONGEST) return false
  return writeStored(SAVED, JSON.stringify([...others, query]))
}

export function forgetSaved({ name, database }: Pick<KeptQuery, 'name' | 'database'>): void {
  const others = savedQueries().filter((each) => each.name !== name || each.database !== database)
  writeStored(SAVED, JSON.stringify(others))
}

/** Text that was last typed for a database, and the link that it replaced: an older link does not overwrite it. */
export interface QueryDraft {
  readonly text: string
  readonly parameters: string
  readonly link: string
}

const draftKey = (database: string): string => `query.draft.${database}`

export function readDraft(database: string): QueryDraft | null {
  try {
    const draft: unknown = JSON.parse(readStored(draftKey(database)) ?? 'null')
    if (typeof draft !== 'object' || draft === null) return null
    const [text, parameters, link] = ['text', 'parameters', 'link'].map((key): unknown => Reflect.get(draft, key))
    return typeof text === 'string' && typeof parameters === 'string' && typeof link === 'string'
      ? { text, parameters, link }
      : null
  } catch {
    return null
  }
}

export const writeDraft = (database: string, draft: QueryDraft): boolean =>
  writeStored(draftKey(database), JSON.stringify(draft))
