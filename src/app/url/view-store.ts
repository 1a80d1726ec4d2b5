import { Observed } from '../../base/observed.ts'
import { partsInScope, scopeAfter } from '../../capture/client/database-scope.ts'
import { distinctSources } from '../../capture/client/state.ts'
import type { View, ViewParts, ViewStore } from '../../capture/client/view.ts'
import { decodeAddress, encodeAddress } from './url.ts'
import type { Decoded, UnshownPicture } from './url.ts'

/**
 * Least time between two writes of the address while something moves. Safari refuses more than 100 in 30 s, Chromium
 * 200; the picture itself never waits for it.
 */
const WRITE_EVERY_MS = 310

export interface AddressStore extends Pick<ViewStore, 'change' | 'open' | 'href'> {
  /** Current view; the same object until something changed. */
  readonly getSnapshot: () => Decoded
  readonly subscribe: (changed: () => void) => () => void
  /** Says that a picture could not be shown, until another one is opened. */
  readonly setUnshown: (picture: UnshownPicture) => void
  /** Writes what waits to be written, now. */
  readonly flush: () => void
  readonly dispose: () => void
}

/** Keeps the database in scope and the sources together: see `database-scope.ts`. */
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
 * The view, kept in the hash of the page. Steps (`push`) are written at once and make an entry of the history; moves
 * replace the entry, not oftener than the browser allows. What the user types or goes back to is read again.
 */
export function createAddressStore(panels: readonly string[], page: Window = window): AddressStore {
  const address = new Observed(decodeAddress(page.location.hash, panels))
  let timer: ReturnType<typeof setTimeout> | null = null
  let writtenMs = Number.NEGATIVE_INFINITY
  let writtenHash = ''

  const write = (push: boolean): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const hash = encodeAddress(address.get())
    if (hash === page.location.hash) return
    writtenMs = Date.now()
    try {
      if (push) page.history.pushState(null, '', hash)
      else page.history.replaceState(null, '', hash)
      writtenHash = page.location.hash
    } catch {
      // The browser counts our writes more strictly than we do.
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
    if (page.location.hash === encodeAddress(address.get())) return
    // The event of an own write, while something newer waits to be written: the user went nowhere.
    if (timer !== null && page.location.hash === writtenHash) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    address.set(decodeAddress(page.location.hash, panels))
  }

  page.addEventListener('hashchange', read)
  page.addEventListener('popstate', read)
  page.addEventListener('pagehide', flush)
  // A landing without a hash gets its address.
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
