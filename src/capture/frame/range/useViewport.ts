import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Ticks, ticksFromMs, type TimeRange } from '../../../base/ticks.ts'
import type { CaptureState } from '../../client/state.ts'
import { useView } from '../../client/view.ts'
import { buildTimeScale, panBy, zoomAbout, type FoldRule, type TimeScale } from '../../../charts/scale.ts'
import { SharedTime } from '../../../charts/timeline/lanes/shared-time.ts'
import { fitRange, liveEnd, liveRange, revealRange, viewBounds } from '../../../charts/timeline/viewport.ts'
import { RangeMotion, type Draft } from './range-motion.ts'

export interface Viewport {
  /** While one moves, up to 500 ms behind it: a chart has it from {@link useMoving}. */
  readonly range: TimeRange
  /** The range as the address has it: the same but while one moves, and a moment after. What is expensive is requested for it. */
  readonly settled: TimeRange
  /** Whether `range` is ahead of `settled`. */
  readonly moving: boolean
  readonly scale: TimeScale
  readonly motion: RangeMotion
  readonly rule: FoldRule
  readonly live: boolean
  /** Nothing more will come (files): there is no newest to follow. */
  readonly ended: boolean
  /** Null while nothing was received. */
  readonly behindTicks: number | null
  readonly goLive: () => void
  readonly pause: () => void
  /** To a range, or to one made of what is in view at that moment, rendered or not. */
  readonly setRange: (next: TimeRange | ((now: TimeRange) => TimeRange)) => void
  /** Pixels; positive: towards later. */
  readonly pan: (byPx: number) => void
  /** Factor below 1: in. */
  readonly zoom: (factor: number, anchorPx?: number) => void
  readonly fit: () => void
  readonly reveal: (startTicks: number, durationTicks: number) => void
  /** Cursor and highlight, for all timelines that are given this viewport. */
  readonly shared: SharedTime
}

const whole = (range: TimeRange): TimeRange => ({
  startTicks: Math.round(range.startTicks) as Ticks,
  endTicks: Math.max(Math.round(range.endTicks), Math.round(range.startTicks) + 1) as Ticks,
})

/** The newest moment of all that was seen; of what is live up to a second later, so that it changes once a second. */
export function newestOf({
  nowTicks,
  extent,
  sources,
}: Pick<CaptureState, 'nowTicks' | 'extent' | 'sources'>): Ticks | null {
  const newest = nowTicks ?? extent?.endTicks ?? null
  return newest === null || !sources.some(({ phase }) => phase === 'live') ? newest : liveEnd(newest)
}

/**
 * The range in view and all ways to move it. Any move but `goLive` pauses; collecting goes on. Where nothing more will
 * come (`ended`), `goLive` goes to the end, and without a range all of it is in view.
 */
export function useViewport(state: CaptureState, widthPx: number, rule: FoldRule, ended = false): Viewport {
  const { view, change } = useView()
  const [motion] = useState(() => new RangeMotion())
  const [shared] = useState(() => new SharedTime())
  const draft = useSyncExternalStore(motion.subscribeCalm, motion.calmDraft)
  const now = newestOf(state)
  // Without any data, the view is the last minute by this computer, and not one of 2019.
  const [openedTicks] = useState(() => ticksFromMs(Date.now()))
  const open = isOpen(draft, view.range)
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
  useEffect(() => motion.stop, [motion])

  // Else the toolbar and the charts would be rendered for each response that the panel receives.
  return useMemo(() => {
    const extent = firstTicks === null || lastTicks === null ? null : { startTicks: firstTicks, endTicks: lastTicks }
    const bounds = viewBounds(extent, now, settled)
    const base = view.range
    /** Range in view now, rendered or not: several moves come between two frames. */
    const current = (): TimeRange => {
      const newest = motion.draft()
      return isOpen(newest, base) ? newest.range : settled
    }
    const setRange: Viewport['setRange'] = (next) => {
      const range = typeof next === 'function' ? next(current()) : next
      motion.move({ range, base }, (rested) => change({ range: whole(rested) }))
    }
    const move = (next: (from: TimeScale) => TimeRange): void =>
      setRange((now) => next(buildTimeScale({ range: now, widthPx, rule })))
    return {
      range,
      settled,
      moving: open,
      scale,
      motion,
      shared,
      rule,
      live,
      ended,
      behindTicks: now === null || ended ? null : Math.max(0, now - range.endTicks),
      goLive: () => {
        if (ended) {
          const { endTicks } = bounds
          setRange((now) => ({ startTicks: (endTicks - (now.endTicks - now.startTicks)) as Ticks, endTicks }))
          return
        }
        motion.stop()
        change({ range: null }, { push: true })
      },
      pause: () => change({ range: whole(current()) }),
      setRange,
      pan: (byPx) => move((from) => panBy(from, rule, byPx, bounds)),
      zoom: (factor, anchorPx = widthPx / 2) => move((from) => zoomAbout(from, rule, anchorPx, factor, bounds)),
      fit: () => {
        const all = fitRange(extent)
        if (all !== null) setRange(all)
      },
      reveal: (startTicks, durationTicks) => {
        const from = current()
        const next = revealRange(from, startTicks, durationTicks)
        if (next !== from) setRange(next)
      },
    }
  }, [
    motion,
    shared,
    range,
    settled,
    scale,
    open,
    live,
    ended,
    now,
    firstTicks,
    lastTicks,
    view.range,
    change,
    widthPx,
    rule,
  ])
}

const isOpen = (draft: Draft | null, base: TimeRange | null): draft is Draft => draft !== null && draft.base === base

/** The viewport with the range of this frame, for what is drawn. */
export function useMoving(viewport: Viewport): Viewport {
  const { motion, rule, settled } = viewport
  const { widthPx } = viewport.scale
  const base = useView().view.range
  const draft = useSyncExternalStore(motion.subscribe, motion.draft)
  const moving = isOpen(draft, base)
  const range = moving ? draft.range : settled
  return useMemo(
    () => ({ ...viewport, range, scale: buildTimeScale({ range, widthPx, rule }), moving }),
    [viewport, range, moving, widthPx, rule],
  )
}
