import type { FeedWatch, LaterPart, SourceFeed, TableTaker, WatchContext } from '../../../capture/worker/feed.ts'
import type { StacksFeed, StacksFeedOptions } from './feed.ts'
import { isOfStacks } from './reading/recognised.ts'
import type { StackStore } from './table.ts'

const NOTHING_HELD = { tables: 0, other: 0, rows: 0 }

/** Snapshots that a page has. */
export interface HeldStacks {
  /** Snapshots; null: the code of the feed is not loaded, and there are none. */
  readonly store: StackStore | null
}

interface Watch {
  readonly context: WatchContext
  /** Watch of the feed; null: its code is not loaded yet. */
  own: FeedWatch | null
}

/**
 * The feed of stacks and threads, whose code is loaded when a panel requests it or a file has stacks: the first picture
 * of other panels needs none of it.
 */
export function laterStacks(options: StacksFeedOptions): SourceFeed & TableTaker & HeldStacks {
  let feed: StacksFeed | null = null
  let fetching: Promise<StacksFeed> | null = null
  const watches = new Set<Watch>()

  const begin = async (): Promise<StacksFeed> => {
    const { StacksFeed } = await import('./feed.ts')
    feed = new StacksFeed(options)
    for (const watch of watches) watch.own = feed.watch(watch.context)
    return feed
  }
  /** Rejects if the code cannot be loaded; the next call tries again. */
  const fetched = (): Promise<StacksFeed> => {
    fetching ??= begin().catch((error: unknown) => {
      fetching = null
      throw error
    })
    return fetching
  }

  return {
    name: 'stacks',
    get store() {
      return feed?.store ?? null
    },
    responses: {},
    later: async (): Promise<LaterPart> => {
      const own = await fetched()
      const { responses, exporters } = await own.later()
      return { responses: { ...own.responses, ...responses }, exporters }
    },
    watch: (context) => {
      if (context.ref.kind === 'file') return null
      const watch: Watch = { context, own: feed?.watch(context) ?? null }
      watches.add(watch)
      return {
        close: () => {
          watches.delete(watch)
          watch.own?.close()
        },
        loadNow: () => undefined,
        retryNow: () => undefined,
      }
    },
    recognises: isOfStacks,
    prepare: async () => void (await fetched()),
    reader: (...args) => {
      if (feed === null) throw new Error('The reader of stacks was not prepared.')
      return feed.reader(...args)
    },
    takeRows: async (rows, sourceOf) => rows.table === 'stacks' && (await fetched()).takeRows(rows, sourceOf),
    extent: () => feed?.extent() ?? null,
    summary: () => feed?.summary() ?? [],
    spans: () => feed?.spans() ?? [],
    byteLength: () => feed?.byteLength() ?? NOTHING_HELD,
  }
}
