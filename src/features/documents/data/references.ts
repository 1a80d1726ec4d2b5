import type { Node } from 'jsonc-parser'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/json-bytes.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { Reference, ReferenceSearch } from '../contract.ts'
import { idIn } from './collection-in.ts'
import { isServerMetadata } from './document-text.ts'
import { MOST_REFERENCES } from './reference-limit.ts'
import { itemsOf, jsonTree, propertiesOf, propertyOf, textOf } from './json-text.ts'

/* Finds documents that refer to another one by its id, by reading whole collections. */

/** Maximum number of fields listed for one document. */
const MOST_FIELDS = 20

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Nesting depth of the documents in `{"Results":[{…},{…}]}`. */
const IN_RESULTS = 2

/** Splits a response `{"Results":[{…},{…}]}`, received in pieces, into its documents, each as the server wrote it. */
export class ResultDocuments {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Parts of the document that is incomplete so far. */
  #parts: string[] = []

  /** Whether the response ended properly, not truncated. */
  isWhole = false

  /** Returns the documents that end in this piece. */
  push(piece: string): readonly string[] {
    const whole: string[] = []
    let from = this.#depth > IN_RESULTS ? 0 : piece.length
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charCodeAt(at)
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (char === BACKSLASH) this.#isEscaped = true
        else if (char === QUOTE) this.#isInString = false
      } else if (char === QUOTE) this.#isInString = true
      else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
        if (this.#depth === IN_RESULTS) from = at
        this.#depth += 1
      } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
        this.#depth -= 1
        if (this.#depth === 0) this.isWhole = true
        if (this.#depth !== IN_RESULTS) continue
        this.#parts.push(piece.slice(from, at + 1))
        whole.push(this.#parts.join(''))
        this.#parts = []
        from = piece.length
      }
    }
    if (this.#depth > IN_RESULTS) this.#parts.push(piece.slice(from))
    return whole
  }
}

/**
 * Returns a function that finds the fields of a document with that id. Ids are case-insensitive. `unsearched`: the
 * document has too many levels, and its text contains the id, which may be a part of a longer one.
 */
export function referencesTo(id: string): (raw: string) => Reference | 'unsearched' | null {
  const wanted = id.toLowerCase()
  // The longest part of the id that the server never escapes; it may escape any other character.
  const [plain = ''] = (wanted.match(/[ !#-[\]-~]+/g) ?? []).toSorted((a, b) => b.length - a.length)
  return (raw) => {
    if (!raw.toLowerCase().includes(plain)) return null
    const own = idIn(raw)
    if (own.toLowerCase() === wanted) return null
    const tree = jsonTree(raw)
    if (tree === null) return 'unsearched'
    const metadata = propertyOf(raw, tree, '@metadata')
    const fields = new Set<string>()
    const walk = (node: Node, path: string): void => {
      if (fields.size >= MOST_FIELDS) return
      if (node.type === 'string' && String(node.value).toLowerCase() === wanted) fields.add(path)
      for (const item of itemsOf(node)) walk(item, `${path}[]`)
      for (const { key, value } of propertiesOf(raw, node)) {
        if (node === metadata && isServerMetadata(key)) continue
        const place = path === '' ? key : `${path}.${key}`
        if (key.toLowerCase() === wanted) fields.add(`${path === '' ? 'the document' : path}, as a name`)
        walk(value, place)
      }
    }
    walk(tree, '')
    return fields.size === 0
      ? null
      : { id: own, collection: textOf(raw, propertyOf(raw, metadata, '@collection')), fields: [...fields] }
  }
}

interface Search {
  read: number
  bytes: number
  unsearched: number
  readonly found: Reference[]
}

/** Running searches, by the name that the page gave them. */
export class ReferenceSearches {
  readonly #running = new Map<string, Search>()

  /** Progress of a search; null: no search of that name is running. */
  soFar(search: string): ReferenceSearch | null {
    const running = this.#running.get(search)
    return running === undefined ? null : { ...running, found: [...running.found] }
  }

  /** Reads each collection from one snapshot. Errors: `RavenError`; `Error` if a response was truncated. */
  async run(
    governor: Governor,
    params: { readonly search: string; readonly database: string; readonly id: string },
    collections: readonly string[],
    signal: AbortSignal,
  ): Promise<ReferenceSearch> {
    const search: Search = { read: 0, bytes: 0, unsearched: 0, found: [] }
    this.#running.set(params.search, search)
    try {
      const referenceIn = referencesTo(params.id)
      for (const collection of collections) {
        for await (const raw of documentsOf(governor, params.database, collection, search, signal)) {
          search.read += 1
          const reference = referenceIn(raw)
          if (reference === 'unsearched') search.unsearched += 1
          else if (reference !== null) search.found.push(reference)
          if (search.found.length >= MOST_REFERENCES) return search
        }
      }
      return search
    } finally {
      this.#running.delete(params.search)
    }
  }
}

async function* documentsOf(
  governor: Governor,
  database: string,
  collection: string,
  search: Search,
  outer: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { path, route } = ENDPOINTS.collectionDocuments
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, outer])
  try {
    const response = await governor.transfer(
      {
        method: 'GET',
        path: path({ database, name: collection }),
        route,
        body: null,
        right: 'Database',
        database,
        timeoutMs: Number.POSITIVE_INFINITY,
      },
      { signal },
    )
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    const documents = new ResultDocuments()
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {}
      if (done || value === undefined) break
      search.bytes += value.length
      yield* documents.push(decoder.decode(value, { stream: true }))
    }
    if (!documents.isWhole) throw new Error(`The documents of “${collection}” were cut off. Find references again.`)
  } finally {
    // Ends the response once the search has found enough.
    abort.abort()
  }
}
