import { useEffect, type ReactNode } from 'react'
import type { ComposedPanel } from '../../client/panels.ts'
import type { CaptureState, SourceId } from '../../client/state.ts'
import { useView } from '../../client/view.ts'
import type { Viewport } from '../range/useViewport.ts'
import { AddLane } from './AddLane.tsx'
import { ComposedTimeline } from './ComposedTimeline.tsx'
import type { LaneId, LaneSubject } from './lane.ts'
import { LaneLegend } from './LaneLegend.tsx'
import { litBy, type RelationsOfTrack } from './lit.ts'
import { LaneTables } from './LaneTables.tsx'
import styles from './lanes.module.css'
import { SelectedMark } from './SelectedMark.tsx'
import { ClocksOfLanes } from './servers/ClocksOfLanes.tsx'
import { useComposed } from './useComposed.ts'

export interface LanesBelowProps {
  readonly panel: ComposedPanel
  /** Initial lanes; must be the same array each time. */
  readonly preset: readonly LaneId[]
  /** Viewport of the panel's own timeline, with which the lanes are aligned. */
  readonly viewport: Viewport
  readonly state: CaptureState
  /** Selected mark of the panel's own timeline; overlapping marks are highlighted. */
  readonly outside?: LaneSubject | null
  /** Must be the same function each time. */
  readonly ofTrack?: RelationsOfTrack
  /** Name of the lanes, for a panel that begins with lanes of its own. */
  readonly label?: string
  /** Receives the width of the axis; left out: the lanes have no axis and continue a timeline above. */
  readonly onWidth?: (widthPx: number) => void
  /** Lanes whose content the panel lists itself, so that they have no table here. */
  readonly listed?: readonly LaneId[]
  /** Lanes whose marks the panel itself shows: a click follows the link of the mark. */
  readonly followed?: readonly LaneId[]
}

const NO_LANES: readonly LaneId[] = []

const UNKNOWN_RELATIONS: RelationsOfTrack = () => ({})

/** Lanes of any features below the timeline of a panel, or alone: one axis, cursor, range, selection. */
export default function LanesBelow(props: LanesBelowProps): ReactNode {
  const { panel, preset, viewport, state, onWidth } = props
  const { outside = null, ofTrack = UNKNOWN_RELATIONS, label = 'Added lanes', listed = NO_LANES } = props
  const { clock, sources } = useView().view
  const composed = useComposed(panel, preset, outside)
  const item = composed.selected?.item ?? null
  const { shared } = viewport
  useEffect(() => {
    shared.lit.set(item === null ? null : litBy(item, ofTrack))
    return () => shared.lit.set(null)
  }, [shared, item, ofTrack])
  const isOfSource = ({ source }: { readonly source: SourceId }): boolean => sources.includes(source)
  return (
    <section
      className={styles.belowPanel}
      aria-label={label}
      data-lanes={composed.lanes.length > 0 && onWidth === undefined ? '' : undefined}
    >
      {composed.lanes.length === 0 ? null : (
        <ComposedTimeline
          label={label}
          composed={composed}
          viewport={viewport}
          isBelow={onWidth === undefined}
          {...(onWidth === undefined ? {} : { onWidth })}
          clock={clock}
          version={state.version}
          gaps={state.gaps.filter(isOfSource)}
          known={null}
          outside={outside}
          followed={props.followed ?? NO_LANES}
        />
      )}
      <div className={styles.belowTools}>
        <div className={styles.tables}>
          <LaneTables composed={composed} without={listed} range={viewport.range} clock={clock} />
          {composed.lanes.length === 0 ? null : (
            <details>
              <summary>Legend</summary>
              <LaneLegend composed={composed} />
            </details>
          )}
        </div>
        <AddLane composed={composed} />
      </div>
      <ClocksOfLanes composed={composed} />
      <SelectedMark composed={composed} clock={clock} />
    </section>
  )
}
