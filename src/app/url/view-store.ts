import { Observed } from '../../base/observed.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import { databaseInScope, partsInScope, scopeAfter } from '../../capture/client/database-scope.ts'
import { distinctSources } from '../../capture/client/state.ts'
import type { View, ViewParts, ViewStore } from '../../capture/client/view.ts'
import { decodeAddress, encodeAddress } from './url.ts'
import type { Decoded, UnshownPicture } from './url.ts'

/**
 * Minimum time between two writes of the address during a movement. Safari refuses more than 100 in 30 s, Chromium 200;
 * the picture itself does not wait for it.
 */
const WRITE_EVERY_MS = 310

export interface AddressStore extends Pick<ViewStore, 'change' | 'open' | 'href'> {
  /** Current view; the same object until it changes. */
  readonly getSnapshot: () => Decoded
  readonly subscribe: (changed: () => void) => () => void
  /** Reports that a picture could not be shown, until another one is opened. */
  readonly setUnshown: (picture: UnshownPicture) => void
  /** Writes a pending change at once. */
  readonly flush: () => void
  readonly dispose: () => void
}

/** Keeps the database in scope and the sources consistent, see `database-scope.ts`. */
function inScope(view: View, changes: ViewParts): ViewParts {
  const sources = changes.sources === undefined ? view.sources : distinctSources(changes.sources)
  const { database } = changes
  if (database !== undefined && database !== null)
    return { ...changes, sources, ...partsInScope({ sources }, database) }
  return changes.sources === undefined
    ? changes
    : { ...changes, sources, database: scopeAfter(sources, database === undefined ? view.database : database) }
}

/** Whether `next` has another database in scope, or none. A view without one has nothing of another database. */
function leavesDatabase(view: View, next: View): boolean {
  const name = databaseInScope(view)
  return name !== null && databaseKey(name) !== databaseKey(databaseInScope(next) ?? '')
}

function withParts(view: View, changes: ViewParts, databaseParams: readonly string[]): View {
  const parts = inScope(view, changes)
  const next = { ...view, ...parts, params: view.params }
  const left = leavesDatabase(view, next) ? databaseParams : []
  if (parts.params === undefined && left.length === 0) return next
  const params = new Map<string, string>(Object.entries(view.params))
  for (const key of left) params.delete(key)
  for (const [key, value] of Object.entries(parts.params ?? {})) {
    if (value === '') params.delete(key)
    else params.set(key, value)
  }
  return { ...next, params: Object.fromEntries(params) }
}

/**
 * Store of the view in the hash of the page. Steps (`push`) are written at once and add an entry to the history;
 * movements replace the entry, as often as the browser allows. Changes of the hash by the user are read.
 * `databaseParams`: parameters that are dropped when the view leaves its database.
 */
export function createAddressStore(
  panels: readonly string[],
  databaseParams: readonly string[],
  page: Window = window,
): AddressStore {
  const address = new Observed(decodeAddress(page.location.hash, panels))
  let timer: ReturnType<typeof setTimeout> | null = null
  let writtenMs = Number.NEGATIVE_INFINITY
  /** Hash that was last written or read. */
  let knownHash = page.location.hash

  const viewWith = (parts: ViewParts): View => withParts(address.get().view, parts, databaseParams)

  const write = (push: boolean): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // The user went elsewhere while a change was pending, and the browser has not reported it yet.
    if (!push && page.location.hash !== knownHash) return read()
    const hash = encodeAddress(address.get())
    if (hash === page.location.hash) return
    writtenMs = Date.now()
    try {
      if (push) page.history.pushState(null, '', hash)
      else page.history.replaceState(null, '', hash)
      knownHash = page.location.hash
    } catch {
      // The browser limits writes more strictly than we do.
      timer = setTimeout(() => write(push), 5000)
    }
  }

  const flush = (): void => {
    if (timer !== null) write(false)
  }

  const go = (next: Decoded, push: boolean): void => {
    if (push) flush()
    address.set(next)
    if (push) write(true)
    else timer ??= setTimeout(() => write(false), Math.max(0, writtenMs + WRITE_EVERY_MS - Date.now()))
  }

  const read = (): void => {
    const isOwn = page.location.hash === knownHash
    knownHash = page.location.hash
    if (page.location.hash === encodeAddress(address.get())) return
    // Event of our own write while a newer change is pending: the user went nowhere.
    if (timer !== null && isOwn) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    address.set(decodeAddress(page.location.hash, panels))
  }

  page.addEventListener('hashchange', read)
  page.addEventListener('popstate', read)
  page.addEventListener('pagehide', flush)
  // A page without a hash gets its address.
  if (page.location.hash === '') write(false)

  return {
    getSnapshot: address.get,
    subscribe: address.subscribe,
    change: (parts, options) => go({ ...address.get(), view: viewWith(parts) }, options?.push === true),
    open: (panel, parts = {}) => go({ panel, view: viewWith(parts), notes: [] }, true),
    href: (panel, parts = {}) => encodeAddress({ panel, view: viewWith(parts) }),
    setUnshown: (unshown) => address.set({ ...address.get(), unshown }),
    flush,
    dispose: () => {
      flush()
      page.removeEventListener('hashchange', read)
      page.removeEventListener('popstate', read)
      page.removeEventListener('pagehide', flush)
    },
  }
}
