import type { Ticks } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { parseSourceId, type SourceId } from '../../../capture/client/state.ts'
import type { CaptureInfo } from '../contract/snapshots.ts'

/**
 * Which captures, in a form that a link can carry: ids mean nothing on another page, times do. `nth` (from 0) is for
 * documents that tell no time. `previous`: the one before what is looked at.
 */
export type CaptureChoice =
  | { readonly type: 'latest' | 'previous' | 'first' | 'all' | 'view' }
  | { readonly type: 'at'; readonly atTicks: Ticks }
  | { readonly type: 'between'; readonly startTicks: Ticks; readonly endTicks: Ticks }
  | { readonly type: 'nth'; readonly nth: number }

const PLAIN = ['latest', 'previous', 'first', 'all', 'view'] as const

export function formatChoice(choice: CaptureChoice): string {
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

/** Null: none, or not such a text. */
export function parseChoice(text: string | undefined): CaptureChoice | null {
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

/** What a link calls this one capture. `all` is what it is one of. */
export function choiceOf(capture: CaptureInfo, all: readonly CaptureInfo[]): CaptureChoice {
  const twins = all.filter((each) => each.atTicks === capture.atTicks)
  return Number.isNaN(capture.atTicks) || twins.length > 1
    ? { type: 'nth', nth: all.indexOf(capture) }
    : { type: 'at', atTicks: capture.atTicks }
}

/** Captures of a server are of the whole process, whichever of its databases was watched; those of a file are its own. */
export function capturesOf(captures: readonly CaptureInfo[], sources: readonly SourceId[]): CaptureInfo[] {
  const isFile = (id: SourceId): boolean => parseSourceId(id)?.kind === 'file'
  const server = sources.some((id) => !isFile(id))
  return captures.filter(({ source }) => (isFile(source) ? sources.includes(source) : server))
}

const within = (captures: readonly CaptureInfo[], { startTicks, endTicks }: TimeRange): CaptureInfo[] =>
  captures.filter(({ atTicks }) => atTicks >= startTicks && atTicks < endTicks)

/** Lists of threads without stacks (`threads/runaway` of a debug package) are captures, too; those with stacks tell more. */
export const newestOf = (captures: readonly CaptureInfo[]): CaptureInfo | null =>
  captures.findLast(({ sampled }) => sampled > 0) ?? captures.at(-1) ?? null

/**
 * The captures that a choice means, ascending. `chosen` is what `previous` stands before; `view` the range of the page.
 * A time from a link that is not here takes nothing: an empty answer is said on screen.
 */
export function chooseCaptures(
  captures: readonly CaptureInfo[],
  choice: CaptureChoice,
  view: TimeRange,
  chosen: readonly CaptureInfo[] = [],
): CaptureInfo[] {
  switch (choice.type) {
    case 'latest': {
      const newest = newestOf(captures)
      return newest === null ? [] : [newest]
    }
    case 'first':
      return captures.slice(0, 1)
    case 'all':
      return [...captures]
    case 'view':
      return within(captures, view)
    case 'previous': {
      const [first] = chosen
      const at = first === undefined ? 0 : captures.indexOf(first)
      const before = at > 0 ? newestOf(captures.slice(0, at)) : null
      return before === null ? [] : [before]
    }
    case 'at':
      return captures.filter(({ atTicks }) => atTicks === choice.atTicks)
    case 'between':
      return within(captures, choice)
    case 'nth':
      return captures.slice(choice.nth, choice.nth + 1)
  }
}
