/**
 * The only way to `localStorage`: it may be missing, full or forbidden, and then a preference is simply not kept.
 * Keys share one prefix, because the origin belongs to the server and its official studio.
 */
const PREFIX = 'rookery.'

/** Reads a stored text; null where nothing is stored, or there is no storage. */
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

/** The same for all keys that begin with `start`. `rest`: the key without it; null: everything was removed. */
export function watchStoredUnder(start: string, changed: (rest: string | null) => void): () => void {
  const take = ({ key }: StorageEvent): void => {
    if (key === null) changed(null)
    else if (key.startsWith(PREFIX + start)) changed(key.slice(PREFIX.length + start.length))
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** Rests of the keys that begin with `start`; empty: nothing stored, or no storage. */
export function storedUnder(start: string): readonly string[] {
  try {
    const { localStorage } = globalThis
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
    return keys.filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length + start.length))
  } catch {
    return []
  }
}

export function removeStored(key: string): void {
  try {
    globalThis.localStorage.removeItem(PREFIX + key)
  } catch {
    // Without a storage there is nothing to remove.
  }
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
