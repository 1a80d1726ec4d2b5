import type { FileState, SourceId, SourceRef, SourceSpan, SourceState } from '../client/state.ts'
import type { Feed } from './feed.ts'
import { newState } from '../client/source-state.ts'

/** Sources that files filled. */
export class FileSources {
  readonly #feeds: readonly Feed[]
  #spans: ReadonlyMap<SourceId, readonly SourceSpan[]> = new Map()
  #isOld = false

  constructor(feeds: readonly Feed[]) {
    this.#feeds = feeds
  }

  /** Files have more rows. */
  changed(): void {
    this.#isOld = true
  }

  /** State of every source with rows from these files: that of the file, of several the last. */
  statesOf(files: readonly FileState[]): SourceState[] {
    if (this.#isOld) this.#spans = spansOf(this.#feeds)
    this.#isOld = false
    const states = files.flatMap((file) =>
      file.sources.map((id): SourceState => {
        const ref: SourceRef = { kind: 'file', name: id.slice('file:'.length) }
        const phase =
          file.phase === 'reading' || file.phase === 'listing' ? 'reading' : file.phase === 'read' ? 'read' : 'broken'
        return {
          ...newState(id, ref, phase, file.endedMs ?? file.startedMs),
          message: file.message,
          bytes: file.readBytes,
          spans: this.#spans.get(id) ?? [],
        }
      }),
    )
    return [...new Map(states.map((state) => [state.id, state])).values()]
  }
}

function spansOf(feeds: readonly Feed[]): Map<SourceId, SourceSpan[]> {
  const all = new Map<SourceId, SourceSpan[]>()
  const reported = feeds.flatMap((feed) =>
    (feed.spans?.() ?? []).map(({ source, firstMs, endMs }) => ({ source, feed: feed.name, firstMs, endMs })),
  )
  for (const { source, feed, firstMs, endMs } of reported) {
    const spans = all.get(source) ?? []
    const others = spans.filter((span) => span.feed !== feed)
    const same = spans.find((span) => span.feed === feed)
    const joined = {
      feed,
      firstMs: Math.min(firstMs, same?.firstMs ?? firstMs),
      endMs: Math.max(endMs, same?.endMs ?? endMs),
    }
    all.set(source, [...others, joined])
  }
  return all
}
