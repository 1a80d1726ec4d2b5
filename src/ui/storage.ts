import { serverPathOf } from '../base/http/stand-alone.mjs'

/**
 * The only way to `localStorage`: it may be missing, full or forbidden, and then a preference is simply not kept.
 * Keys share one prefix, because the origin belongs to the server and its official studio. Where the stand-alone server has
 * several servers on its origin, each has a prefix of its own, as if it had an origin: changes that are allowed on one are
 * not on another, and drafts stay apart. Appearance is one for all.
 */
const PREFIX = 'rookery.'
const OF_ALL: ReadonlySet<string> = new Set(['theme', 'palette', 'rail'])
const scope = serverPathOf((globalThis as { location?: Location }).location?.pathname ?? '')
const OWN = scope === '' ? PREFIX : `${PREFIX}${scope}.`

const keyOf = (key: string): string => (OF_ALL.has(key) ? PREFIX : OWN) + key

/** Reads a stored text; null where nothing is stored, or there is no storage. */
export function readStored(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(keyOf(key))
  } catch {
    return null
  }
}

/** `changed`: another page of this browser stored something else. Returns how to stop. */
export function watchStored(key: string, changed: () => void): () => void {
  const take = (event: StorageEvent): void => {
    if (event.key === keyOf(key) || event.key === null) changed()
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** The same for all keys that begin with `start`. `rest`: the key without it; null: everything was removed. */
export function watchStoredUnder(start: string, changed: (rest: string | null) => void): () => void {
  const take = ({ key }: StorageEvent): void => {
    if (key === null) changed(null)
    else if (key.startsWith(OWN + start)) changed(key.slice(OWN.length + start.length))
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** Rests of the keys that begin with `start`; empty: nothing stored, or no storage. */
export function storedUnder(start: string): readonly string[] {
  try {
    const { localStorage } = globalThis
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
    return keys.filter((key) => key.startsWith(OWN + start)).map((key) => key.slice(OWN.length + start.length))
  } catch {
    return []
  }
}

export function removeStored(key: string): void {
  try {
    globalThis.localStorage.removeItem(keyOf(key))
  } catch {
    // Without a storage there is nothing to remove.
  }
}

/** False: it is kept for this page only. */
export function writeStored(key: string, value: string): boolean {
  try {
    globalThis.localStorage.setItem(keyOf(key), value)
    return true
  } catch {
    return false
  }
}
