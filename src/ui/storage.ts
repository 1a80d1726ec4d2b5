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

/** `changed`: another page of this browser stored something else. Returns how to stop. */
export function watchStored(key: string, changed: () => void): () => void {
  const take = (event: StorageEvent): void => {
    if (event.key === PREFIX + key || event.key === null) changed()
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** False: it is kept for this page only. */
export function writeStored(key: string, value: string): boolean {
  try {
    globalThis.localStorage.setItem(PREFIX + key, value)
    return true
  } catch {
    return false
  }
}
