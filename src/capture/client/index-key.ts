/** Key of an index of a database, as in Indexing and in links to it. */
export const keyOfIndex = (database: string, index: string): string => `db:${database}|${index}`
