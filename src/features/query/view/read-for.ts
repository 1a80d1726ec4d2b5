/** Time after a query during which its costs are read again, ms: live data arrives every few seconds. */
export const READ_FOR_MS = 30_000
