import { isFileSource } from '../../capture/client/state.ts'
import type { SavedPlace } from '../../capture/archive/saved-capture.ts'
import type { HeldStacks } from '../../feeds/stacks/data/later-stacks.ts'
import type { Snapshot, StackStore } from '../../feeds/stacks/data/table.ts'

/** A stack snapshot of a saved capture. */
interface SavedSnapshot {
  readonly node: string
  /** Path of its entry, below which the reader finds its source. */
  readonly path: string
  readonly snapshot: Snapshot
  readonly store: StackStore
}

/** Snapshots of the places, in their order; those of the live server are its own, whichever database was watched. */
export function savedSnapshots({ store }: HeldStacks, places: readonly SavedPlace[]): SavedSnapshot[] {
  if (store === null) return []
  const live = places.find(({ source }) => !isFileSource(source))
  return [...store.snapshots.values()].flatMap((snapshot): SavedSnapshot[] => {
    const { source, id } = snapshot.info
    const place = isFileSource(source) ? places.find((each) => each.source === source) : live
    if (place === undefined) return []
    const folder = place === live ? 'server' : place.own.replace(/^db:/, '')
    // Numbers of one length, so that a list of entries keeps the order of snapshots.
    const number = String(id).padStart(6, '0')
    const path = `${place.node}/${folder}/admin.threads.stack-trace-${number}.json`
    return [{ node: place.node, path, snapshot, store }]
  })
}

/** Threads of snapshots, by which their size is estimated. */
export const threadsOf = (snapshots: readonly SavedSnapshot[]): number =>
  snapshots.reduce((sum, { snapshot }) => sum + snapshot.rows.length, 0)
