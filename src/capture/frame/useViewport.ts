import { useEffect, useMemo, useState } from 'react'
import type { Ticks } from '../../base/brand.ts'
import { ticksFromMs, type TimeRange } from '../../base/ticks.ts'
import type { CaptureState } from '../client/state.ts'
import { useView } from '../client/view.ts'
import { buildTimeScale, panBy, zoomAbout, type FoldRule, type TimeScale } from '../../charts/scale.ts'
import { fitRange, liveRange, revealRange, viewBounds } from '../../charts/timeline/viewport.ts'

/** A drag moves the picture at once and the shared view (URL, other panels) a moment later. */
const COMMIT_MS = 150

export interface Viewport {
  readonly range: TimeRange
  /** The range as the address has it: the same but while one moves, and a moment after. What is expensive is requested for it. */
  readonly settled: TimeRange
  /** Whether `range` is ahead of `settled`. */
  readonly moving: boolean
  readonly scale: TimeScale
  readonly rule: FoldRule
  readonly live: boolean
  /** Nothing more will come (files): there is no newest to follow. */
  readonly ended: boolean
  /** Null while nothing was received. */
  readonly behindTicks: number | null
  readonly goLive: () => void
  readonly pause: () => void
  readonly setRange: (range: TimeRange) => void
  /** Pixels; positive: towards later. */
  readonly pan: (byPx: number) => void
  /** Factor below 1: in. */
  readonly zoom: (factor: number, anchorPx?: number) => void
  readonly fit: () => void
  readonly reveal: (startTicks: number, durationTicks: number) => void
}

interface Draft {
  readonly range: TimeRange
  /** What held when it was made: once the shared view moves on, the draft is history. */
  readonly base: TimeRange | null
}

const whole = (range: TimeRange): TimeRange => ({
  startTicks: Math.round(range.startTicks) as Ticks,
  endTicks: Math.max(Math.round(range.endTicks), Math.round(range.startTicks) + 1) as Ticks,
})

/**
 * The range in view and all ways to move it. Any move but `goLive` pauses; collecting goes on. Where nothing more will
 * come (`ended`), `goLive` goes to the end, and without a range all of it is in view.
 */
export function useViewport(state: CaptureState, widthPx: number, rule: FoldRule, ended = false): Viewport {
  const { view, change } = useView()
  const [draft, setDraft] = useState<Draft | null>(null)
  const now = state.nowTicks ?? state.extent?.endTicks ?? null
  // Of nothing at all the last minute by this computer, and not one of 2019.
  const [openedTicks] = useState(() => ticksFromMs(Date.now()))
  const open = draft !== null && draft.base === view.range
  const live = !open && !ended && view.range === null
  const draftRange = open ? draft.range : null
  const firstTicks = state.extent?.startTicks ?? null
  const lastTicks = state.extent?.endTicks ?? null
  // The same objects while nothing changes: charts are redrawn for a new scale.
  const settled = useMemo(
    () =>
      view.range ??
      (ended && firstTicks !== null && lastTicks !== null
        ? fitRange({ startTicks: firstTicks, endTicks: lastTicks })
        : null) ??
      liveRange(now ?? openedTicks, view.liveSpan, widthPx, rule),
    [view.range, ended, firstTicks, lastTicks, now, openedTicks, view.liveSpan, widthPx, rule],
  )
  const range = draftRange ?? settled
  const scale = useMemo(() => buildTimeScale({ range, widthPx, rule }), [range, widthPx, rule])
  const bounds = viewBounds(state.extent, now, range)

  useEffect(() => {
    if (draft === null || draft.base !== view.range) return undefined
    const timer = setTimeout(() => {
      change({ range: whole(draft.range) })
      setDraft((now) => (now === draft ? null : now))
    }, COMMIT_MS)
    return () => clearTimeout(timer)
  }, [draft, view.range, change])

  /** From what the move before has left, rendered or not: several moves come between two frames. */
  const move = (next: (from: TimeScale) => TimeRange): void =>
    setDraft((before) => {
      const from =
        before !== null && before.base === view.range ? buildTimeScale({ range: before.range, widthPx, rule }) : scale
      return { range: next(from), base: view.range }
    })
  return {
    range,
    settled,
    moving: open,
    scale,
    rule,
    live,
    ended,
    behindTicks: now === null || ended ? null : Math.max(0, now - range.endTicks),
    goLive: () => {
      if (ended) {
        const spanTicks = range.endTicks - range.startTicks
        move(() => ({ startTicks: (bounds.endTicks - spanTicks) as Ticks, endTicks: bounds.endTicks }))
        return
      }
      setDraft(null)
      change({ range: null }, { push: true })
    },
    pause: () => change({ range: whole(range) }),
    setRange: (next) => move(() => next),
    pan: (byPx) => move((from) => panBy(from, rule, byPx, bounds)),
    zoom: (factor, anchorPx = widthPx / 2) => move((from) => zoomAbout(from, rule, anchorPx, factor, bounds)),
    fit: () => {
      const all = fitRange(state.extent)
      if (all !== null) move(() => all)
    },
    reveal: (startTicks, durationTicks) => {
      if (revealRange(range, startTicks, durationTicks) !== range)
        move((from) => revealRange(from.range, startTicks, durationTicks))
    },
  }
}
