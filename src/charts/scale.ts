import type { CssPx } from '../base/brand.ts'
import type { Ticks, TimeRange } from '../base/ticks.ts'

/** Part of the axis in which pixels are proportional to time. */
export interface ScalePiece extends TimeRange {
  readonly startPx: CssPx
  readonly endPx: CssPx
}

/**
 * Time ↔ CSS pixels. Linear but for folds: idle stretches that would take more than their share and are shown
 * `foldPx` wide instead. `pieces` and `folds` together tile `range` without overlap; both ascend.
 *
 * ```
 * time  |-----------|......................|--------|
 * px    |-----------|/\/|--------|            folds: [ … ], pieces: the rest
 * ```
 */
export interface TimeScale {
  readonly range: TimeRange
  readonly widthPx: number
  /** Slope of every piece; folds are steeper. */
  readonly ticksPerPx: number
  readonly pieces: readonly ScalePiece[]
  readonly folds: readonly ScalePiece[]
  /** Strictly increasing; linear outside of the range. */
  readonly toPx: (at: number) => number
  /** Inverse of `toPx`, to the precision of a double (a quarter of a tick). */
  readonly toTicks: (xPx: number) => Ticks
}

/**
 * Idle ranges and the width of a folded one. An idle range of `n` linear pixels is shown `min(n, foldPx)` wide. This is
 * continuous in zoom and pan, so that nothing jumps when a range begins to fold.
 */
export interface FoldRule {
  /** Starts and ends alternate, ascending, disjoint. Empty: no folds. */
  readonly idleSpans: Float64Array
  readonly foldPx: number
}

export const NO_FOLDS: FoldRule = { idleSpans: new Float64Array(0), foldPx: 0 }

/** 10 µs. Below it a tick is wider than a finger, and the last bit of a double becomes visible. */
export const MIN_SPAN_TICKS = 100
/** About ten years. */
export const MAX_SPAN_TICKS = 10 * 365.25 * 86_400 * 10_000_000

/** Index of the first idle span that ends after `at`. O(log n) */
function firstIdleAfter(idleSpans: Float64Array, at: number): number {
  let low = 0
  let high = idleSpans.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((idleSpans[middle * 2 + 1] ?? Infinity) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Indexes of the idle ranges that overlap `range`. */
function idleIn(range: TimeRange, idleSpans: Float64Array): number[] {
  const found: number[] = []
  for (
    let i = firstIdleAfter(idleSpans, range.startTicks);
    i * 2 < idleSpans.length && (idleSpans[i * 2] ?? Infinity) < range.endTicks;
    i++
  )
    found.push(i)
  return found
}

/**
 * Scale that shows exactly `range` in `widthPx`. The resolution is found by folding the longest idle ranges first,
 * which frees pixels for the rest, until no idle range is wider than a fold. A range that is idle as a whole is linear.
 */
export function buildTimeScale(input: {
  readonly range: TimeRange
  readonly widthPx: number
  readonly rule?: FoldRule
}): TimeScale {
  const { range, rule = NO_FOLDS } = input
  const widthPx = Math.max(1, input.widthPx)
  const { idleSpans, foldPx } = rule
  const lengthOf = (i: number): number => (idleSpans[i * 2 + 1] ?? 0) - (idleSpans[i * 2] ?? 0)
  const visibleOf = (i: number): number =>
    Math.min(idleSpans[i * 2 + 1] ?? 0, range.endTicks) - Math.max(idleSpans[i * 2] ?? 0, range.startTicks)

  const longestFirst = idleIn(range, idleSpans).toSorted((a, b) => lengthOf(b) - lengthOf(a))
  const spanTicks = Math.max(MIN_SPAN_TICKS / 100, range.endTicks - range.startTicks)
  let linearTicks = spanTicks
  let linearPx = widthPx
  let folded: number[] = []
  for (const i of longestFirst) {
    if (lengthOf(i) <= (linearTicks / linearPx) * foldPx) break
    const restTicks = linearTicks - visibleOf(i)
    if (restTicks <= 0) {
      folded = []
      linearTicks = spanTicks
      linearPx = widthPx
      break
    }
    folded.push(i)
    linearTicks = restTicks
    linearPx -= (foldPx * visibleOf(i)) / lengthOf(i)
  }
  return tile(range, widthPx, linearTicks / linearPx, rule, folded)
}

function tile(
  range: TimeRange,
  widthPx: number,
  ticksPerPx: number,
  rule: FoldRule,
  folded: readonly number[],
): TimeScale {
  const { idleSpans, foldPx } = rule
  const pieces: ScalePiece[] = []
  const folds: ScalePiece[] = []
  let atTicks: number = range.startTicks
  let atPx = 0
  const advanceTo = (list: ScalePiece[], endTicks: number, endPx: number): void => {
    if (endTicks <= atTicks) return
    list.push({
      startTicks: atTicks as Ticks,
      endTicks: endTicks as Ticks,
      startPx: atPx as CssPx,
      endPx: endPx as CssPx,
    })
    atTicks = endTicks
    atPx = endPx
  }
  for (const i of folded.toSorted((a, b) => a - b)) {
    const idleStart = idleSpans[i * 2] ?? 0
    const idleEnd = idleSpans[i * 2 + 1] ?? 0
    const start = Math.max(idleStart, range.startTicks)
    advanceTo(pieces, start, atPx + (start - atTicks) / ticksPerPx)
    const end = Math.min(idleEnd, range.endTicks)
    advanceTo(folds, end, atPx + (foldPx * (end - start)) / (idleEnd - idleStart))
  }
  advanceTo(pieces, range.endTicks, widthPx)

  const all = [...pieces, ...folds].toSorted((a, b) => a.startTicks - b.startTicks)
  const [first] = all
  const last = all.at(-1)
  if (first === undefined || last === undefined) throw new Error('a time scale needs a range that is not empty')
  const find = (value: number, key: 'startTicks' | 'startPx'): ScalePiece => {
    let low = 0
    let high = all.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((all[middle]?.[key] ?? Infinity) <= value) low = middle
      else high = middle - 1
    }
    return all[low] ?? first
  }
  return {
    range,
    widthPx,
    ticksPerPx,
    pieces,
    folds,
    toPx: (at) => {
      if (at < range.startTicks) return (at - range.startTicks) / ticksPerPx
      if (at > range.endTicks) return widthPx + (at - range.endTicks) / ticksPerPx
      const piece = find(at, 'startTicks')
      return (
        piece.startPx + ((at - piece.startTicks) / (piece.endTicks - piece.startTicks)) * (piece.endPx - piece.startPx)
      )
    },
    toTicks: (xPx) => {
      if (xPx < 0) return (range.startTicks + xPx * ticksPerPx) as Ticks
      if (xPx > widthPx) return (range.endTicks + (xPx - widthPx) * ticksPerPx) as Ticks
      const piece = find(xPx, 'startPx')
      return (piece.startTicks +
        ((xPx - piece.startPx) / (piece.endPx - piece.startPx)) * (piece.endTicks - piece.startTicks)) as Ticks
    },
  }
}

/** Point `byPx` pixels to the right (negative: left) of `from` on an axis with that resolution and fold rule. */
export function advanceAlong(from: Ticks, byPx: number, ticksPerPx: number, rule: FoldRule): Ticks {
  const { idleSpans, foldPx } = rule
  const direction = byPx < 0 ? -1 : 1
  let leftPx = Math.abs(byPx)
  let at: number = from
  const count = idleSpans.length >> 1
  let i = firstIdleAfter(idleSpans, at)
  if (direction < 0 && (i >= count || (idleSpans[i * 2] ?? 0) >= at)) i--
  while (i >= 0 && i < count) {
    const start = idleSpans[i * 2] ?? 0
    const end = idleSpans[i * 2 + 1] ?? 0
    const near = direction > 0 ? Math.max(start, at) : Math.min(end, at)
    const gapPx = Math.abs(near - at) / ticksPerPx
    if (gapPx >= leftPx) break
    leftPx -= gapPx
    at = near
    const steepness = Math.max(ticksPerPx, (end - start) / foldPx)
    const far = direction > 0 ? end : start
    const idlePx = Math.abs(far - at) / steepness
    if (idlePx >= leftPx) return (at + direction * leftPx * steepness) as Ticks
    leftPx -= idlePx
    at = far
    i += direction
  }
  return (at + direction * leftPx * ticksPerPx) as Ticks
}

/** Range of `widthPx` at that resolution, with `anchor` at `anchorPx`. */
export function rangeAround(
  anchor: Ticks,
  anchorPx: number,
  widthPx: number,
  ticksPerPx: number,
  rule: FoldRule,
): TimeRange {
  return {
    startTicks: advanceAlong(anchor, -anchorPx, ticksPerPx, rule),
    endTicks: advanceAlong(anchor, widthPx - anchorPx, ticksPerPx, rule),
  }
}

/** Limits the length of the range, then moves it into `bounds`, and cuts it only if it is longer. */
export function clampRange(range: TimeRange, bounds: TimeRange): TimeRange {
  const longest = Math.min(MAX_SPAN_TICKS, Math.max(MIN_SPAN_TICKS, bounds.endTicks - bounds.startTicks))
  const middle = (range.startTicks + range.endTicks) / 2
  const span = Math.min(longest, Math.max(MIN_SPAN_TICKS, range.endTicks - range.startTicks))
  let startTicks = span === range.endTicks - range.startTicks ? (range.startTicks as number) : middle - span / 2
  if (startTicks + span > bounds.endTicks) startTicks = bounds.endTicks - span
  if (startTicks < bounds.startTicks) startTicks = bounds.startTicks
  return { startTicks: startTicks as Ticks, endTicks: (startTicks + span) as Ticks }
}

/** Zooms by `factor` (below 1: in). The time under `anchorPx` keeps its place unless bounds prevent it. */
export function zoomAbout(
  scale: TimeScale,
  rule: FoldRule,
  anchorPx: number,
  factor: number,
  bounds: TimeRange,
): TimeRange {
  const anchor = scale.toTicks(anchorPx)
  const { startTicks, endTicks } = scale.range
  if (endTicks - startTicks <= MIN_SPAN_TICKS && factor <= 1) return scale.range
  const linear = {
    startTicks: (anchor - (anchor - startTicks) * factor) as Ticks,
    endTicks: (anchor + (endTicks - anchor) * factor) as Ticks,
  }
  // Within one idle range the axis is linear and stays so.
  const i = firstIdleAfter(rule.idleSpans, linear.startTicks)
  const allIdle =
    (rule.idleSpans[i * 2] ?? Infinity) <= linear.startTicks &&
    (rule.idleSpans[i * 2 + 1] ?? -Infinity) >= linear.endTicks
  const wanted =
    allIdle && scale.folds.length === 0
      ? linear
      : rangeAround(anchor, anchorPx, scale.widthPx, scale.ticksPerPx * factor, rule)
  return clampRange(wanted, bounds)
}

/** Pans by `byPx` (positive: towards later) at the same resolution. */
export function panBy(scale: TimeScale, rule: FoldRule, byPx: number, bounds: TimeRange): TimeRange {
  const { startTicks, endTicks } = scale.range
  if (scale.folds.length === 0 && scale.pieces.length === 1) {
    const shift = byPx * scale.ticksPerPx
    const linear = { startTicks: (startTicks + shift) as Ticks, endTicks: (endTicks + shift) as Ticks }
    if (rule.idleSpans.length === 0 || linear.startTicks < bounds.startTicks || linear.endTicks > bounds.endTicks)
      return clampRange(linear, bounds)
  }
  const moved =
    byPx >= 0
      ? rangeAround(
          advanceAlong(endTicks, byPx, scale.ticksPerPx, rule),
          scale.widthPx,
          scale.widthPx,
          scale.ticksPerPx,
          rule,
        )
      : rangeAround(advanceAlong(startTicks, byPx, scale.ticksPerPx, rule), 0, scale.widthPx, scale.ticksPerPx, rule)
  // At the bounds a pan stops instead of changing the resolution.
  if (byPx > 0 && moved.endTicks > bounds.endTicks)
    return clampRange(rangeAround(bounds.endTicks, scale.widthPx, scale.widthPx, scale.ticksPerPx, rule), bounds)
  if (byPx < 0 && moved.startTicks < bounds.startTicks)
    return clampRange(rangeAround(bounds.startTicks, 0, scale.widthPx, scale.ticksPerPx, rule), bounds)
  return clampRange(moved, bounds)
}
