/** Text that was typed and not saved yet. */
export interface Draft {
  /** Kind of thing that the draft becomes; each kind has its own ids. */
  readonly kind: 'document'
  /** Id of the server. */
  readonly server: string
  readonly database: string
  /** Id of the thing that is edited; empty: something new, of which a database has a single draft. */
  readonly id: string
  /** Version that the edit began from, such as a change vector; empty: there was none. */
  readonly base: string
  readonly baseText: string
  readonly text: string
  /** Id that something new is to get. */
  readonly newId?: string
  /** Wall clock of this browser, ms. */
  readonly changedMs: number
}

export type DraftPlace = Pick<Draft, 'kind' | 'server' | 'database' | 'id'>

/** Names of databases ignore case. */
export const draftKey = ({ server, kind, database, id }: DraftPlace): string =>
  JSON.stringify([server, kind, database.toLowerCase(), id])
