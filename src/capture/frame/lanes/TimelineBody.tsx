import type { ReactNode, Ref } from 'react'
import lanePanel from '../../../ui/lane-panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import type { LanesBelowProps } from './LanesBelow.tsx'
import { LazyLanesBelow } from './LazyLanesBelow.tsx'

/** Axis and frame of a chart of lanes, CSS pixels. */
const FRAME_PX = 38

interface TimelineBodyProps {
  /** Classes of the panel for the grid, and for its areas. */
  readonly classes: Readonly<Partial<Record<'body' | 'chart' | 'below' | 'side', string>>>
  readonly bodyRef?: Ref<HTMLDivElement>
  /** Timeline of the panel itself. */
  readonly chart: ReactNode
  /** Height of all its lanes, CSS pixels. */
  readonly contentPx: number
  /** Height above which the lanes scroll in a pane of their own, CSS pixels. */
  readonly mostPx?: number
  /** Lanes of any features on the same axis, below the timeline. */
  readonly lanes: LanesBelowProps
  /** Sums of what is in view, below the lanes. */
  readonly sums: ReactNode
  /** Cards beside the timeline. */
  readonly side: ReactNode
  readonly sideLabel: string
}

/** Places the parts of a panel with a timeline of its own. Its keys act while the focus is in it. */
export function TimelineBody(props: TimelineBodyProps): ReactNode {
  const { classes, bodyRef, chart, contentPx, mostPx = Number.POSITIVE_INFINITY, lanes, sums, side, sideLabel } = props
  return (
    <div ref={bodyRef} className={cx('stack', lanePanel.body, classes.body)} tabIndex={-1}>
      <div
        className={cx(lanePanel.chart, classes.chart)}
        data-pane={contentPx > mostPx ? '' : undefined}
        style={{ ['--content' as string]: `${contentPx + FRAME_PX}px` }}
      >
        {chart}
      </div>
      <div className={classes.below}>
        <LazyLanesBelow {...lanes} />
        {sums}
      </div>
      <aside className={cx('column', lanePanel.side, classes.side)} aria-label={sideLabel}>
        {side}
      </aside>
    </div>
  )
}
