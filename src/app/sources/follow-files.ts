import { errorText } from '../../base/text/error-text.ts'
import { isSameRange, type TimeRange } from '../../base/ticks.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { rangeOfSpans } from '../../capture/client/fitted-range.ts'
import type { PanelId } from '../../capture/client/panels.ts'
import { MAX_SOURCES } from '../../capture/client/state.ts'
import type { FileState, SourceId, SourceSpan } from '../../capture/client/state.ts'
import { isReading } from '../../features/files/view/progress.ts'
import { PANELS } from '../panels.ts'
import type { AddressStore } from '../url/view-store.ts'

/**
 * Reacts to files as they are opened: chooses the sources that a file has filled, fits the view to their time as it
 * grows, and opens a panel that shows them. Never changes a range that the user has set, before or meanwhile.
 */
export class FileFollower {
  readonly #client: CaptureClient
  readonly #store: AddressStore
  readonly #known: Set<SourceId>
  /** Debug packages that were handled. */
  readonly #packages: Set<number>
  /** Saved captures that were handled. */
  readonly #pictures: Set<number>
  /** Sources that the view is fitted to. */
  #fitted = new Set<SourceId>()
  /** Range as it was set here; another one was set by the user. */
  #range: TimeRange | null = null
  #isFitting = false
  /** True from the first source of the files that are being read until all are read. */
  #isFollowing = false
  /** Limits it to one panel for all files: a user who leaves that panel is not brought back. */
  #mayOpen = false
  readonly #unsubscribe: () => void

  constructor(client: CaptureClient, store: AddressStore) {
    this.#client = client
    this.#store = store
    this.#known = new Set(fileSources(client))
    this.#packages = new Set(packagesOf(client).map(({ id }) => id))
    this.#pictures = new Set(client.getState().files.map(({ id }) => id))
    this.#unsubscribe = client.subscribe(() => this.#changed())
  }

  dispose(): void {
    this.#unsubscribe()
  }

  #changed(): void {
    this.#openPackages()
    this.#openPictures()
    const fresh = fileSources(this.#client).filter((id) => !this.#known.has(id))
    if (fresh.length > 0) this.#choose(fresh)
    if (!this.#isFollowing) return
    const { sources, files } = this.#client.getState()
    this.#take(sources.flatMap(({ id, spans }) => (this.#fitted.has(id) ? spans : [])))
    if (files.some(isReading)) return
    this.#isFitting = false
    this.#isFollowing = false
    this.#mayOpen = false
  }

  /** Opens a package in Triage, unless the user is looking at the entries of another one. */
  #openPackages(): void {
    const opened = packagesOf(this.#client).filter(({ id }) => !this.#packages.has(id))
    if (opened.length === 0) return
    for (const { id } of opened) this.#packages.add(id)
    const { panel } = this.#store.getSnapshot()
    const isFirst = this.#client.getState().files.length === opened.length
    if (panel !== JUDGES && (yields(panel) || (panel === 'files' && isFirst))) this.#store.open(JUDGES)
  }

  /** Shows a saved capture as it was saved, in place of the default view of a file. */
  #openPictures(): void {
    for (const { id, name, picture, endedMs } of this.#client.getState().files) {
      if (picture === undefined || endedMs === null || this.#pictures.has(id)) continue
      this.#pictures.add(id)
      import('./open-picture.ts')
        .then(({ openPicture }) => openPicture(this.#store, name, picture))
        .catch((error: unknown) => {
          this.#store.setUnshown({ file: name, message: errorText(error) })
          // Delayed, since the capture changes several times a second.
          setTimeout(() => this.#pictures.delete(id), RETRY_AFTER_MS)
        })
    }
  }

  #choose(fresh: readonly SourceId[]): void {
    const { panel, view } = this.#store.getSnapshot()
    for (const id of fresh) this.#known.add(id)
    if (!this.#isFitting && (view.range === null || isSameRange(view.range, this.#range))) {
      // Files that are opened one after the other are fitted together.
      if (view.range === null) this.#fitted = new Set()
      this.#range = view.range
      this.#isFitting = true
    }
    for (const id of fresh) this.#fitted.add(id)
    // Findings about the servers of a package come first: the panel of its events is not opened.
    const isPackaged = packagesOf(this.#client).some(({ sources }) => fresh.some((id) => sources.includes(id)))
    if (!this.#isFollowing) this.#mayOpen = yields(panel) && !isPackaged
    this.#isFollowing = true
    const sources = [...new Set([...view.sources, ...fresh])].slice(0, MAX_SOURCES)
    if (sources.length > view.sources.length) this.#store.change({ sources }, { push: true })
  }

  #take(spans: readonly SourceSpan[]): void {
    const { panel, view } = this.#store.getSnapshot()
    const extent = rangeOfSpans(spans)
    if (extent === null) return
    this.#isFitting &&= isSameRange(view.range, this.#range)
    const range = this.#isFitting ? extent : view.range
    if (this.#isFitting) this.#range = extent
    const target = this.#mayOpen && yields(panel) ? panelFor(spans) : null
    this.#mayOpen &&= yields(panel) && target === null
    if (target !== null) this.#store.open(target, { range })
    else if (!isSameRange(view.range, range)) this.#store.change({ range })
  }
}

/** Time, ms, after which a picture that could not be shown is tried again, at the next change of the capture. */
const RETRY_AFTER_MS = 5000

/** Panel that judges servers. */
const JUDGES = 'triage'

const packagesOf = (client: CaptureClient): readonly FileState[] =>
  client.getState().files.filter(({ servers }) => servers > 0)

const fileSources = (client: CaptureClient): readonly SourceId[] =>
  client.getState().sources.flatMap((source) => (source.ref.kind === 'file' ? [source.id] : []))

const yields = (panel: string): boolean => PANELS.some(({ id, yieldsToFiles }) => id === panel && yieldsToFiles)

/** First panel that draws a feed of the file. */
function panelFor(spans: readonly SourceSpan[]): PanelId | null {
  const feeds = new Set(spans.map(({ feed }) => feed))
  return PANELS.find(({ fileFeeds }) => fileFeeds.some((feed) => feeds.has(feed)))?.id ?? null
}
