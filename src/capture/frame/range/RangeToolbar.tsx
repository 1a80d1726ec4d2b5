import { useState, type ReactNode } from 'react'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatPlural,
  NOT_A_TIME,
  parseDateTime,
  type Clock,
} from '../../../base/text/format.ts'
import { outliers } from '../../../base/far-events.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import { fitRange } from '../../../charts/timeline/viewport.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useView } from '../../client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import styles from './RangeToolbar.module.css'
import type { Viewport } from './useViewport.ts'

export interface RangeToolbarProps {
  readonly viewport: Viewport
  /** Further switches of the panel. */
  readonly children?: ReactNode
}

const SPANS = [10, 30, 60, 300, 900, 3600].map((seconds) => ({
  value: String(seconds * TICKS_PER_SECOND),
  text: formatDuration(seconds * TICKS_PER_SECOND),
}))

/** A smaller delay is normal for a network. */
const BEHIND_LEAST_TICKS = TICKS_PER_SECOND / 2

/**
 * Buttons and fields for everything that wheel, drag and keys do to the range. On a narrow screen everything except
 * live and pause is behind one button, so that the chart is on the first screen.
 */
export function RangeToolbar(props: RangeToolbarProps): ReactNode {
  const { viewport, children } = props
  const { view, change } = useView()
  const { clock, liveSpan } = view
  const [open, setOpen] = useState(false)
  return (
    <div
      className={cx('row', styles.toolbar)}
      role="toolbar"
      aria-label="Time range"
      data-folded={open ? undefined : ''}
    >
      {viewport.ended ? null : (
        <Following
          viewport={viewport}
          liveSpan={liveSpan}
          onLiveSpan={(span) => change({ liveSpan: span, range: null })}
        />
      )}
      <div className={styles.more}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          Controls
        </Button>
      </div>
      <div className={cx('line', styles.group, styles.moves, styles.folds)}>
        <Button
          aria-label="Earlier"
          title="Earlier (A or ←)"
          onClick={() => viewport.pan(-viewport.scale.widthPx * 0.5)}
        >
          ←
        </Button>
        <Button aria-label="Zoom out" title="Zoom out (−)" onClick={() => viewport.zoom(2)}>
          −
        </Button>
        <span className={styles.span} title="Time in view">
          {formatDuration(viewport.range.endTicks - viewport.range.startTicks)}
        </span>
        <Button aria-label="Zoom in" title="Zoom in (+)" onClick={() => viewport.zoom(0.5)}>
          +
        </Button>
        <Button aria-label="Later" title="Later (D or →)" onClick={() => viewport.pan(viewport.scale.widthPx * 0.5)}>
          →
        </Button>
        <Button onClick={viewport.fit} title="Everything that was seen (0)">
          Fit all
        </Button>
      </div>
      <RangeEdges range={viewport.range} setRange={viewport.setRange} clock={clock} />
      <Far setRange={viewport.setRange} clock={clock} />
      <div className={cx('line', styles.group, styles.own, styles.folds)}>{children}</div>
    </div>
  )
}

/** Notice about far events that are left out of the initial view and of *Fit all*. */
function Far({ setRange, clock }: Pick<Viewport, 'setRange'> & { readonly clock: Clock }): ReactNode {
  const { extent } = useCaptureState()
  if (extent === null) return null
  return outliers(extent).map((events) => {
    const { count, startTicks } = events
    return (
      <span key={startTicks} className={cx('line note', styles.group)}>
        {formatPlural(count, 'event')} far away ({formatDate(startTicks, clock)})
        <Button small onClick={() => setRange(fitRange(events) ?? events)}>
          Show
        </Button>
      </span>
    )
  })
}

/** Editable start and end of the range. The shown text may be slightly old; an edit changes the current range. */
function RangeEdges({
  range,
  setRange,
  clock,
}: Pick<Viewport, 'range' | 'setRange'> & { readonly clock: Clock }): ReactNode {
  const digits = range.endTicks - range.startTicks < 100 * TICKS_PER_MS ? 6 : 3
  const from = formatDateTime(range.startTicks, clock, digits)
  const to = formatDateTime(range.endTicks, clock, digits)
  const setEdge = (edge: 'startTicks' | 'endTicks') => (text: string) => {
    const at = parseDateTime(text, clock, range[edge])
    if (Number.isNaN(at)) return NOT_A_TIME
    setRange((now) => {
      const span = now.endTicks - now.startTicks
      const next = { ...now, [edge]: at }
      if (next.endTicks > next.startTicks) return next
      // An end before the start means: go there, with the same length.
      return edge === 'startTicks'
        ? { startTicks: at, endTicks: (at + span) as Ticks }
        : { startTicks: (at - span) as Ticks, endTicks: at }
    })
    return null
  }
  return (
    <div
      className={cx('line', styles.group, styles.edges, styles.folds)}
      style={{ ['--letters' as string]: Math.max(from.length, to.length) }}
    >
      <CommitField label="From" hideLabel value={from} onCommit={setEdge('startTicks')} />
      <span aria-hidden="true">–</span>
      <CommitField label="To" hideLabel value={to} onCommit={setEdge('endTicks')} />
    </div>
  )
}

interface FollowingProps {
  readonly viewport: Viewport
  readonly liveSpan: TickSpan
  readonly onLiveSpan: (span: TickSpan) => void
}

/** Live or paused, and the length of the live view. */
function Following({ viewport, liveSpan, onLiveSpan }: FollowingProps): ReactNode {
  const { live, behindTicks } = viewport
  const custom = SPANS.some((each) => each.value === String(liveSpan))
    ? []
    : [{ value: String(liveSpan), text: formatDuration(liveSpan) }]
  return (
    <div className={cx('line', styles.group)}>
      <Button
        tone={live ? 'plain' : 'primary'}
        aria-pressed={live}
        onClick={viewport.goLive}
        title="Follow the newest (End)"
      >
        <span className={cx(styles.dot, live && styles.lit)} aria-hidden="true" />
        Live
        {live || behindTicks === null || behindTicks < BEHIND_LEAST_TICKS ? null : (
          <span className={styles.behind}>{formatWholeSeconds(behindTicks)} behind</span>
        )}
      </Button>
      <Button icon="pause" disabled={!live} onClick={viewport.pause} title="Hold the picture; collecting continues">
        Pause
      </Button>
      <Select
        label="Live window"
        hideLabel
        value={String(liveSpan)}
        options={[...custom, ...SPANS]}
        onChange={(value) => onLiveSpan(Number(value) as TickSpan)}
      />
    </div>
  )
}

/** In whole seconds, for values without a finer resolution. */
export function formatWholeSeconds(ticks: number): string {
  const seconds = Math.round(ticks / TICKS_PER_SECOND)
  return seconds < 60 ? `${String(seconds)} s` : formatDuration(seconds * TICKS_PER_SECOND)
}
