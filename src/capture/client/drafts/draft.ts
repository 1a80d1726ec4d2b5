/** Text that was typed and not saved yet. */
export interface Draft {
  /** Kind of thing that the draft becomes; each kind has its own ids. */
  readonly kind: 'document' | 'query' | 'index'
  /** Id of the server. */
  readonly server: string
  readonly database: string
  /** Id of the thing that is edited; empty: something new, of which a database has a single draft, and its query. */
  readonly id: string
  /** Version that the edit began from, such as a change vector; empty: there was none. */
  readonly base: string
  readonly baseText: string
  readonly text: string
  /** Id that something new is to get. */
  readonly newId?: string
  /** Parameters of a query. */
  readonly parameters?: string
  /** Tells drafts of the same thing apart that were typed in several tabs; left out: the first of them. */
  readonly copy?: string
  /** Made by the store, for each text another one. */
  readonly stamp?: string
  /** Wall clock of this browser, ms. */
  readonly changedMs: number
}

/** Thing that drafts are of. */
export type DraftPlace = Pick<Draft, 'kind' | 'server' | 'database' | 'id'>

/** Key of the thing, which all drafts of it share. Names of databases ignore case. */
export const placeKey = ({ server, kind, database, id }: DraftPlace): string =>
  JSON.stringify([server, kind, database.toLowerCase(), id])

/** Key of a single draft. */
export const draftKey = (draft: DraftPlace & Pick<Draft, 'copy'>): string => keyOfCopy(placeKey(draft), draft.copy)

export const keyOfCopy = (place: string, copy: string | undefined): string =>
  copy === undefined ? place : `${place} ${copy}`

/** `orders/1-A`, `New document`, `Query of “Shop”`. */
export function draftName({ kind, id, newId = '', database }: Draft): string {
  if (kind === 'query') return `Query of “${database}”`
  return id === '' ? `New ${kind} ${newId}`.trim() : id
}

/** More drafts than this, or longer ones together, in UTF-16 units: the oldest is offered for removal. None is removed by itself. */
const MOST_DRAFTS = 300
const MOST_LENGTH = 50_000_000

const lengthOf = ({ text, baseText, parameters = '' }: Draft): number =>
  text.length + baseText.length + parameters.length

/** The oldest draft, where there are more than should be kept; null: there are not. `all`: newest first. */
export function oldestTooMany(all: readonly Draft[]): { readonly oldest: Draft; readonly length: number } | null {
  const length = all.reduce((sum, draft) => sum + lengthOf(draft), 0)
  const oldest = all.at(-1)
  return oldest === undefined || (all.length <= MOST_DRAFTS && length <= MOST_LENGTH) ? null : { oldest, length }
}
