import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { parseSourceId, type SourceId } from '../../../capture/client/state.ts'
import type { SnapshotInfo } from '../../../feeds/stacks/contract/snapshots.ts'

/**
 * Choice of snapshots in a form for links: ids are valid on one page only, times everywhere. `nth` (from 0) is for
 * documents without a time. `previous`: the snapshot before the one in view.
 */
export type SnapshotChoice =
  | { readonly type: 'latest' | 'previous' | 'first' | 'all' | 'view' }
  | { readonly type: 'at'; readonly atTicks: Ticks }
  | { readonly type: 'between'; readonly startTicks: Ticks; readonly endTicks: Ticks }
  | { readonly type: 'nth'; readonly nth: number }

const PLAIN = ['latest', 'previous', 'first', 'all', 'view'] as const

export function formatChoice(choice: SnapshotChoice): string {
  switch (choice.type) {
    case 'at':
      return `${choice.atTicks}`
    case 'between':
      return `${choice.startTicks}..${choice.endTicks}`
    case 'nth':
      return `n${choice.nth}`
    default:
      return choice.type
  }
}

/** Parses a choice from a link; null: invalid. */
export function parseChoice(text: string | undefined): SnapshotChoice | null {
  const plain = PLAIN.find((each) => each === text)
  if (plain !== undefined) return { type: plain }
  const nth = /^n(\d{1,6})$/.exec(text ?? '')?.[1]
  if (nth !== undefined) return { type: 'nth', nth: Number(nth) }
  const times = /^(\d{1,16})(?:\.\.(\d{1,16}))?$/.exec(text ?? '')
  if (times === null) return null
  const [, start = '', end] = times
  return end === undefined
    ? { type: 'at', atTicks: Number(start) as Ticks }
    : { type: 'between', startTicks: Number(start) as Ticks, endTicks: Number(end) as Ticks }
}

/** Choice of this single snapshot among `all`, for a link. */
export function choiceOf(snapshot: SnapshotInfo, all: readonly SnapshotInfo[]): SnapshotChoice {
  const twins = all.filter((each) => each.atTicks === snapshot.atTicks)
  return Number.isNaN(snapshot.atTicks) || twins.length > 1
    ? { type: 'nth', nth: all.indexOf(snapshot) }
    : { type: 'at', atTicks: snapshot.atTicks }
}

/**
 * Snapshots in view. Those of a server cover the whole process, whichever of its databases was watched, also in a saved
 * capture; those of another file are its own.
 */
export function snapshotsOf(snapshots: readonly SnapshotInfo[], sources: readonly SourceId[]): SnapshotInfo[] {
  const isFile = (id: SourceId): boolean => parseSourceId(id)?.kind === 'file'
  const server = sources.some((id) => !isFile(id))
  const isChosen = (source: SourceId): boolean => {
    if (sources.includes(source)) return true
    const place = /^file:.+\/.+\/(?=server$)/.exec(source)?.[0]
    return place !== undefined && sources.some((id) => id.startsWith(place))
  }
  return snapshots.filter(({ source }) => (isFile(source) ? isChosen(source) : server))
}

const within = (snapshots: readonly SnapshotInfo[], { startTicks, endTicks }: TimeRange): SnapshotInfo[] =>
  snapshots.filter(({ atTicks }) => atTicks >= startTicks && atTicks < endTicks)

/**
 * The newest snapshot. A list of threads without stacks (`threads/runaway` of a debug package) is a snapshot too, but
 * one with stacks is preferred.
 */
export const newestOf = (snapshots: readonly SnapshotInfo[]): SnapshotInfo | null =>
  snapshots.findLast(({ sampled }) => sampled > 0) ?? snapshots.at(-1) ?? null

/**
 * Snapshots of a choice, ascending. `chosen`: those that `previous` precedes. `view`: range of the page. A time from a
 * link without a snapshot here selects nothing, which is shown.
 */
export function chooseSnapshots(
  snapshots: readonly SnapshotInfo[],
  choice: SnapshotChoice,
  view: TimeRange,
  chosen: readonly SnapshotInfo[] = [],
): SnapshotInfo[] {
  switch (choice.type) {
    case 'latest': {
      const newest = newestOf(snapshots)
      return newest === null ? [] : [newest]
    }
    case 'first':
      return snapshots.slice(0, 1)
    case 'all':
      return [...snapshots]
    case 'view':
      return within(snapshots, view)
    case 'previous': {
      const [first] = chosen
      const at = first === undefined ? 0 : snapshots.indexOf(first)
      const before = at > 0 ? newestOf(snapshots.slice(0, at)) : null
      return before === null ? [] : [before]
    }
    case 'at':
      return snapshots.filter(({ atTicks }) => atTicks === choice.atTicks)
    case 'between':
      return within(snapshots, choice)
    case 'nth':
      return snapshots.slice(choice.nth, choice.nth + 1)
  }
}
