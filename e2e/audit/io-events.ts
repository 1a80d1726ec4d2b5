import type { IoEvent } from '../../src/testing/server/io-events.ts'
import { nearestRank } from './statistics.ts'

/* Events of I/O as the server sent them, grouped as the studio shows them. */

export const KIND_TITLES: Readonly<Record<string, string>> = {
  JournalWrite: 'Journal write',
  DataFlush: 'Data flush',
  DataSync: 'Data sync',
  Compression: 'Compression',
}

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

export const durationsOf = (events: readonly IoEvent[]): number[] =>
  events.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)

export const medianOf = (events: readonly IoEvent[]): number => nearestRank(durationsOf(events), 0.5)

/** Name of an environment in the studio: its folder, or the kind of the database's own. Slashes of an index are underscores. */
export function laneOf(path: string, database: string): string {
  const folder = path.split('/').at(-1) ?? path
  return folder === database ? 'Documents' : folder
}

export interface TickRange {
  readonly fromTicks: number
  readonly toTicks: number
}

export const startsIn = ({ startTicks }: IoEvent, { fromTicks, toTicks }: TickRange): boolean =>
  startTicks >= fromTicks && startTicks < toTicks

/** Range from the first start to just after the last one, in two halves of equal length. */
export function halvesOf(events: readonly IoEvent[]): readonly [TickRange, TickRange] {
  const starts = events.map(({ startTicks }) => startTicks)
  const [fromTicks, toTicks] = [Math.min(...starts), Math.max(...starts) + 1]
  const middle = Math.floor((fromTicks + toTicks) / 2)
  return [
    { fromTicks, toTicks: middle },
    { fromTicks: middle, toTicks },
  ]
}

/** Length of the union of spans. */
export function lengthOf(spans: readonly (readonly [number, number])[]): number {
  let [length, reached] = [0, Number.NEGATIVE_INFINITY]
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    length += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return length
}
