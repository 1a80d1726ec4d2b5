/** Writes the rows of one export. The members are used in the order of their declaration. */
export interface Form {
  readonly begin: string
  /** Rows as the server sent them. */
  readonly page: (rows: readonly string[], isFirst: boolean) => string | Uint8Array
  readonly end: () => string | Uint8Array
}
