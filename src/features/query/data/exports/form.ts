/** Writer of the rows of an export. Made for a single export; the members are used in their order. */
export interface Form {
  readonly begin: string
  /** Rows as the server sent them. */
  readonly page: (rows: readonly string[], isFirst: boolean) => string | Uint8Array
  readonly end: () => string | Uint8Array
}
