/** Live data comes every few seconds: for so long after a query its costs are read again, ms. */
export const READ_FOR_MS = 30_000
