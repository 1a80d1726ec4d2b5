import type { RawSource } from '../reading/files.ts'
import type { Handlers } from '../worker/handlers.ts'
import { RawDocument } from './document.ts'
import type { RawRequests, RawRef } from './queries.ts'

/** Maximum number of open documents: the visible one, and those that a user returns to. */
const MAX_DOCUMENTS = 3

/**
 * Handles requests of the raw viewer. A document is opened by the first request about it, and closed when no part of it
 * is shown any more.
 */
export class RawRouter {
  readonly #source: (file: number, entry: string | null) => Promise<RawSource>
  /** By file and entry, least recently requested first. */
  readonly #documents = new Map<string, RawDocument>()

  constructor(source: (file: number, entry: string | null) => Promise<RawSource>) {
    this.#source = source
  }

  readonly responses = {
    'raw.status': (params) => this.#document(params).status(),
    'raw.rows': (params) => this.#document(params).rows(params),
    'raw.rowOf': (params) => this.#document(params).rowOf(params.at),
    'raw.children': (params, _governor, signal) => this.#document(params).children(params, signal),
    'raw.path': (params, _governor, signal) => this.#document(params).path(params.at, signal),
    'raw.value': (params, _governor, signal) => this.#document(params).value(params, signal),
    'raw.search': (params) => this.#document(params).search(params.find),
    'raw.hit': (params) => this.#document(params).hit(params),
    // Requests that end something must not open a document.
    'raw.leave': (params) => {
      this.#documents.get(keyOf(params))?.stop()
      this.#documents.delete(keyOf(params))
      return null
    },
    'raw.stop': (params) => {
      this.#documents.get(keyOf(params))?.stop()
      return null
    },
    'raw.endSearch': (params) => {
      this.#documents.get(keyOf(params))?.endSearch()
      return null
    },
  } satisfies Handlers<keyof RawRequests>

  #document(ref: RawRef): RawDocument {
    const key = keyOf(ref)
    const document = this.#documents.get(key) ?? new RawDocument(() => this.#source(ref.file, ref.entry))
    this.#documents.delete(key)
    this.#documents.set(key, document)
    for (const [oldest, left] of this.#documents) {
      if (this.#documents.size <= MAX_DOCUMENTS) break
      left.stop()
      this.#documents.delete(oldest)
    }
    return document
  }
}

const keyOf = ({ file, entry }: RawRef): string => JSON.stringify([file, entry])
