import { Observed } from '../../base/observed.ts'
import { partsInScope, scopeAfter } from '../../capture/client/database-scope.ts'
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

function withParts(view: View, changes: ViewParts): View {
  const parts = inScope(view, changes)
  if (parts.params === undefined) return { ...view, ...parts }
  const params = new Map<string, string>(Object.entries(view.params))
  for (const [key, value] of Object.entries(parts.params)) {
    if (value === '') params.delete(key)
    else params.set(key, value)
  }
  return { ...view, ...parts, params: Object.fromEntries(params) }
}

/**
 * Store of the view in the hash of the page. Steps (`push`) are written at once and add an entry to the history;
 * movements replace the entry, as often as the browser allows. Changes of the hash by the user are read.
 */
export function createAddressStore(panels: readonly string[], page: Window = window): AddressStore {
  const address = new Observed(decodeAddress(page.location.hash, panels))
  let timer: ReturnType<typeof setTimeout> | null = null
  let writtenMs = Number.NEGATIVE_INFINITY
  /** Hash that was last written or read. */
  let knownHash = page.location.hash

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
    change: (parts, options) =>
      go({ ...address.get(), view: withParts(address.get().view, parts) }, options?.push === true),
    open: (panel, parts = {}) => go({ panel, view: withParts(address.get().view, parts), notes: [] }, true),
    href: (panel, parts = {}) => encodeAddress({ panel, view: withParts(address.get().view, parts) }),
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
