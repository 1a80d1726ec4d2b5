/** Text that was typed but not saved. */
export interface Draft {
  /** Kind of object that the draft becomes; each kind has its own ids. */
  readonly kind: 'document' | 'query' | 'index'
  /** Id of the server. */
  readonly server: string
  readonly database: string
  /** Id of the edited object; empty: a new object, of which a database has a single draft, or its query. */
  readonly id: string
  /** Version from which the edit started, such as a change vector; empty: none. */
  readonly base: string
  readonly baseText: string
  readonly text: string
  /** Id for a new object. */
  readonly newId?: string
  /** Parameters of a query. */
  readonly parameters?: string
  /** Distinguishes drafts of the same object from several tabs; left out: the first of them. */
  readonly copy?: string
  /** Created by the store, different for each text. */
  readonly stamp?: string
  /** Wall clock of this browser, ms. */
  readonly changedMs: number
}

/** Object of a draft. */
export type DraftPlace = Pick<Draft, 'kind' | 'server' | 'database' | 'id'>

/** Key of the object, shared by all its drafts. Ignores the case of database names. */
export const placeKey = ({ server, kind, database, id }: DraftPlace): string =>
  JSON.stringify([server, kind, database.toLowerCase(), id])

/** Key of one draft. */
export const draftKey = (draft: DraftPlace & Pick<Draft, 'copy'>): string => keyOfCopy(placeKey(draft), draft.copy)

export const keyOfCopy = (place: string, copy: string | undefined): string =>
  copy === undefined ? place : `${place} ${copy}`

/** `orders/1-A`, `New document`, `Query of “Shop”`. */
export function draftName({ kind, id, newId = '', database }: Draft): string {
  if (kind === 'query') return `Query of “${database}”`
  return id === '' ? `New ${kind} ${newId}`.trim() : id
}

/**
 * Maximum number of drafts, and of UTF-16 units in all of them. Beyond it the oldest is offered for removal; none is
 * removed automatically.
 */
const MOST_DRAFTS = 300
const MOST_LENGTH = 50_000_000

const lengthOf = ({ text, baseText, parameters = '' }: Draft): number =>
  text.length + baseText.length + parameters.length

/** The oldest draft if there are too many; null otherwise. `all`: newest first. */
export function oldestTooMany(all: readonly Draft[]): { readonly oldest: Draft; readonly length: number } | null {
  const length = all.reduce((sum, draft) => sum + lengthOf(draft), 0)
  const oldest = all.at(-1)
  return oldest === undefined || (all.length <= MOST_DRAFTS && length <= MOST_LENGTH) ? null : { oldest, length }
}
