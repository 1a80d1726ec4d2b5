import { serverPathOf } from '../base/http/stand-alone.mjs'

/**
 * The only access to `localStorage`. It may be missing, full or forbidden; then a preference is not kept. Keys share
 * one prefix, because the origin belongs to the server and its official studio. Where the stand-alone server has
 * several servers on its origin, each has a prefix of its own: the permission to change one does not apply to another,
 * and drafts stay apart. Appearance is shared.
 */
const PREFIX = 'rookery.'
const OF_ALL: ReadonlySet<string> = new Set(['theme', 'palette', 'rail'])
const scope = serverPathOf((globalThis as { location?: Location }).location?.pathname ?? '')
const OWN = scope === '' ? PREFIX : `${PREFIX}${scope}.`

const keyOf = (key: string): string => (OF_ALL.has(key) ? PREFIX : OWN) + key

/** Reads a stored text; null if there is none, or no storage. */
export function readStored(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(keyOf(key))
  } catch {
    return null
  }
}

/** Calls `changed` when another page of this browser stores a new value. The result ends that. */
export function watchStored(key: string, changed: () => void): () => void {
  const take = (event: StorageEvent): void => {
    if (event.key === keyOf(key) || event.key === null) changed()
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** Calls `changed` for every key that begins with `start`. `rest`: without `start`; null: all removed. */
export function watchStoredUnder(start: string, changed: (rest: string | null) => void): () => void {
  const take = ({ key }: StorageEvent): void => {
    if (key === null) changed(null)
    else if (key.startsWith(OWN + start)) changed(key.slice(OWN.length + start.length))
  }
  globalThis.addEventListener('storage', take)
  return () => globalThis.removeEventListener('storage', take)
}

/** The keys that begin with `start`, without it; empty if there are none, or no storage. */
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

/** Returns false if the value is kept only for this page. */
export function writeStored(key: string, value: string): boolean {
  try {
    globalThis.localStorage.setItem(keyOf(key), value)
    return true
  } catch {
    return false
  }
}
