/** An index of a database, as Indexing and links to it name it. */
export const keyOfIndex = (database: string, index: string): string => `db:${database}|${index}`
