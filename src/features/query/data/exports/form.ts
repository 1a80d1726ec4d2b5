/** How rows of an export are written. Made for a single export, in the order of the members. */
export interface Form {
  readonly begin: string
  /** Rows as the server sent them. */
  readonly page: (rows: readonly string[], isFirst: boolean) => string | Uint8Array
  readonly end: () => string | Uint8Array
}
