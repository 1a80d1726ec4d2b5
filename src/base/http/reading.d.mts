/** Whether a request only reads; false also for what is not known. `url`: path and query, percent-encoded. */
export function isReading(method: string, url: string): boolean
