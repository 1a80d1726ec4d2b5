import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Ticks, ticksFromMs, type TimeRange } from '../../../base/ticks.ts'
import type { CaptureState } from '../../client/state.ts'
import { useView } from '../../client/view.ts'
import { buildTimeScale, panBy, zoomAbout, type FoldRule, type TimeScale } from '../../../charts/scale.ts'
import { SharedTime } from '../../../charts/timeline/lanes/shared-time.ts'
import { fitRange, liveEnd, liveRange, revealRange, viewBounds } from '../../../charts/timeline/viewport.ts'
import { RangeMotion, type Draft } from './range-motion.ts'

export interface Viewport {
  /** Range in view; up to 500 ms behind during a movement, for which charts use {@link useMoving}. */
  readonly range: TimeRange
  /** Range in the address, which follows a movement when it has ended. Expensive data is requested for it. */
  readonly settled: TimeRange
  /** Whether `range` differs from `settled`. */
  readonly moving: boolean
  readonly scale: TimeScale
  readonly motion: RangeMotion
  readonly rule: FoldRule
  readonly live: boolean
  /** Whether no more data will come (files), so that there is no newest data to follow. */
  readonly ended: boolean
  /** Delay of the newest data; null: nothing was received. */
  readonly behindTicks: number | null
  readonly goLive: () => void
  readonly pause: () => void
  /** Sets a range, or one computed from the range in view at that moment, rendered or not. */
  readonly setRange: (next: TimeRange | ((now: TimeRange) => TimeRange)) => void
  /** In pixels; positive: towards later. */
  readonly pan: (byPx: number) => void
  /** A factor below 1 zooms in. */
  readonly zoom: (factor: number, anchorPx?: number) => void
  readonly fit: () => void
  readonly reveal: (startTicks: number, durationTicks: number) => void
  /** Cursor and highlight for all timelines with this viewport. */
  readonly shared: SharedTime
}

const whole = (range: TimeRange): TimeRange => ({
  startTicks: Math.round(range.startTicks) as Ticks,
  endTicks: Math.max(Math.round(range.endTicks), Math.round(range.startTicks) + 1) as Ticks,
})

/** Time of the newest data; for live sources rounded up to a second, so that it changes once a second. */
export function newestOf({
  nowTicks,
  extent,
  sources,
}: Pick<CaptureState, 'nowTicks' | 'extent' | 'sources'>): Ticks | null {
  const newest = nowTicks ?? extent?.endTicks ?? null
  return newest === null || !sources.some(({ phase }) => phase === 'live') ? newest : liveEnd(newest)
}

/**
 * The range in view and all ways to move it. Any movement except `goLive` pauses; data is still collected. If no more
 * data will come (`ended`), `goLive` goes to the end, and without a range everything is in view.
 */
export function useViewport(state: CaptureState, widthPx: number, rule: FoldRule, ended = false): Viewport {
  const { view, change } = useView()
  const [motion] = useState(() => new RangeMotion())
  const [shared] = useState(() => new SharedTime())
  const draft = useSyncExternalStore(motion.subscribeCalm, motion.calmDraft)
  const now = newestOf(state)
  // Without data, the view is the last minute of this computer's clock.
  const [openedTicks] = useState(() => ticksFromMs(Date.now()))
  const open = isOpen(draft, view.range)
  const live = !open && !ended && view.range === null
  const draftRange = open ? draft.range : null
  const firstTicks = state.extent?.startTicks ?? null
  const lastTicks = state.extent?.endTicks ?? null
  // The same objects while nothing changes, since a new scale makes charts draw again.
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

  // Otherwise toolbar and charts would render for each response of the panel.
  return useMemo(() => {
    const extent = firstTicks === null || lastTicks === null ? null : { startTicks: firstTicks, endTicks: lastTicks }
    const bounds = viewBounds(extent, now, settled)
    const base = view.range
    /** Current range, rendered or not: several movements may come between two frames. */
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

/** The viewport with the range of this frame, for drawing. */
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
