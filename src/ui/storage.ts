/**
 * The only way to `localStorage`: it may be missing, full or forbidden, and then a preference is simply not kept.
 * Keys share one prefix, because the origin belongs to the server and its official studio.
 */
const PREFIX = 'rookery.'

/** Null: nothing stored, or no storage. */
export function readStored(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(PREFIX + key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string): void {
  try {
    globalThis.localStorage.setItem(PREFIX + key, value)
  } catch {
    // Kept for this page only.
  }
}
