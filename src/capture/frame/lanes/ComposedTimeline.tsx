import { useState, type ReactNode } from 'react'
import { formatDateTime, formatDuration, type Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { buildTimeScale } from '../../../charts/scale.ts'
import { AXIS_PX } from '../../../charts/timeline/axis-picture.ts'
import { LaneTimeline } from '../../../charts/timeline/LaneTimeline.tsx'
import { nearSight } from '../../../charts/timeline/lanes/near-sight.ts'
import { useLanes } from '../../../charts/timeline/lanes/useLanes.ts'
import { marksWindow } from '../../../charts/timeline/marks-window.ts'
import { useMarkers } from '../../../charts/timeline/markers.ts'
import type { Gap } from '../../client/state.ts'
import { useView } from '../../client/view.ts'
import { StretchFacts } from '../range/StretchFacts.tsx'
import { useMoving, type Viewport } from '../range/useViewport.ts'
import { chosenKey, foldLane, isShownHere, moveLane, resizeLane, type ChosenLane } from './chosen.ts'
import {
  COMPOSED_LANES,
  composedGaps,
  heightOf,
  itemOf,
  layoutComposed,
  type ComposedMark,
  type ComposedPicture,
  type ComposedRow,
} from './composed.ts'
import { paramsForLanes, type LaneId, type LaneItem, type LaneSubject, type LaneView } from './lane.ts'
import { LaneFacts } from './LaneFacts.tsx'
import { LaneHead, LaneMenu } from './LaneHead.tsx'
import { LaneReader, type LaneReaderProps } from './LaneReader.tsx'
import { OtherLaneReader } from './servers/OtherLaneReader.tsx'
import { selectedTime, type Composed } from './useComposed.ts'
import styles from './lanes.module.css'

export interface ComposedTimelineProps {
  readonly label: string
  readonly describedBy?: string
  readonly composed: Composed
  readonly viewport: Viewport
  readonly clock: Clock
  /** Version of the capture. */
  readonly version: number
  readonly gaps: readonly Gap[]
  readonly known: TimeRange | null
  /** Placed below the timeline of a panel, on its axis. */
  readonly isBelow?: boolean
  /** Mark that is selected in the panel itself, outside of these lanes. */
  readonly outside?: LaneSubject | null
  readonly onWidth?: (widthPx: number) => void
  /** Lanes whose marks the panel itself shows: a click follows the link of the mark. */
  readonly followed?: readonly LaneId[]
}

/** Borders of a timeline, px. */
const FRAME_PX = 4

/** Lanes of any features on one clock, with one cursor and one selection. */
export function ComposedTimeline(props: ComposedTimelineProps): ReactNode {
  const { composed, clock, known, outside = null, isBelow = false } = props
  const { lanes: chosen, definitions, readings, setLanes } = composed
  const { view, change } = useView()
  const tokens = useCanvasTokens()
  const markers = useMarkers()
  const lanes = useLanes()
  const viewport = inOwnWidth(useMoving(props.viewport), lanes.sight.widthPx)
  const { scale, rule, ended } = viewport
  const [sizing, setSizing] = useState<{ readonly key: string; readonly heightPx: number } | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)

  const shown = sizing === null ? chosen : resizeLane(chosen, sizing.key, sizing.heightPx)
  const layout = layoutComposed(shown, definitions, readings)
  const { selection, related } = composed
  const picture: ComposedPicture = {
    layout,
    marks: new Map(layout.tracks.map(({ key, own }) => [key, own.marks])),
    scale,
    tokens,
    clock,
    scrollPx: lanes.sight.scrollPx,
    gaps: composedGaps(layout, props.gaps),
    known,
    selected: selectedTime(composed, outside),
    selectedTrack: selection === null ? null : `${selection.lane} ${selection.track}`,
    related,
  }
  const laneOfKey = (key: string): ChosenLane | undefined => chosen.find((each) => chosenKey(each) === key)
  const window = marksWindow(scale, rule)
  const viewOf = ({ chosen: { source, object } }: ComposedRow): LaneView | null =>
    lanes.sight.widthPx <= 0
      ? null
      : {
          sources: source === null ? view.sources : [source],
          object,
          window,
          params: paramsForLanes(view.params),
          markers,
          clock,
        }
  const select = (mark: ComposedMark | null): void => {
    if (mark === null) return composed.select(null)
    const { lane, own } = mark.track
    const { link } = itemOf(mark)
    const of = laneOfKey(lane)
    const isFollowed = of !== undefined && props.followed?.includes(of.id) === true && isShownHere(of, view.sources)
    if (isFollowed && link !== null) return change(link.parts, { push: true })
    composed.select({ lane, startTicks: mark.startTicks, durationTicks: mark.durationTicks, track: own.key })
  }
  const dropAt = (row: ComposedRow, dyPx: number): void => {
    const middlePx = row.topPx + row.heightPx / 2 + dyPx
    const before = layout.rows.filter(({ key, topPx, heightPx }) => key !== row.key && topPx + heightPx / 2 < middlePx)
    setLanes(moveLane(chosen, row.key, before.length))
  }
  /** Height of the row before the drag. */
  const beforeSizing = ({ key, definition, heightPx }: ComposedRow): number => {
    const lane = laneOfKey(key)
    return lane === undefined ? heightPx : heightOf(lane, definition)
  }
  const titleOf = (key: string): string => {
    const lane = laneOfKey(key)
    return lane === undefined ? key : composed.titleOf(lane)
  }
  return (
    <div
      className={styles.timeline}
      style={{ ['--content' as string]: `${String(layout.heightPx + FRAME_PX + (isBelow ? 0 : AXIS_PX))}px` }}
    >
      {nearSight(lanes.sight, layout.rows).map((row) =>
        row.definition === null ? null : (
          <RowReader
            key={row.key}
            row={row}
            definition={row.definition}
            view={viewOf(row)}
            version={props.version}
            isEnded={ended}
            composed={composed}
          />
        ),
      )}
      <LaneTimeline
        label={props.label}
        {...(props.describedBy === undefined ? {} : { describedBy: props.describedBy })}
        gutterLabel="Rows"
        lanes={lanes}
        contract={COMPOSED_LANES}
        picture={picture}
        viewport={viewport}
        isBelow={isBelow}
        anchorTicks={picture.selected?.startTicks ?? null}
        renderName={(row) => (
          <LaneHead
            row={row}
            title={composed.titleOf(row.chosen)}
            shortTitle={composed.shortTitleOf(row.chosen)}
            isLoading={composed.isLoading}
            isDragged={dragged === row.key}
            onFold={() => setLanes(foldLane(chosen, row.key))}
            onMove={(dyPx, isDone) => {
              setDragged(isDone ? null : row.key)
              if (isDone) dropAt(row, dyPx)
            }}
            onResize={(dyPx, isDone) => {
              const heightPx = beforeSizing(row) + dyPx
              setSizing(isDone ? null : { key: row.key, heightPx })
              if (isDone) setLanes(resizeLane(chosen, row.key, heightPx))
            }}
          />
        )}
        renderMenu={(row) => (
          <LaneMenu row={row} title={composed.titleOf(row.chosen)} lanes={chosen} onChange={setLanes} />
        )}
        renderCard={(mark) => <LaneFacts lane={titleOf(mark.track.lane)} item={itemOf(mark)} clock={clock} />}
        renderStretch={(hit) => <StretchFacts hit={hit} clock={clock} one="mark" idle="Nothing happened." />}
        describe={(focus) => (focus === null ? '' : describeMark(titleOf(focus.track.lane), itemOf(focus), clock))}
        onSelect={select}
        {...(props.onWidth === undefined ? {} : { onWidth: props.onWidth })}
      />
    </div>
  )
}

interface RowReaderProps extends Omit<LaneReaderProps, 'lane' | 'onReading'> {
  readonly row: ComposedRow
  readonly composed: Composed
}

/** Reads a lane from the capture of its server. */
function RowReader({ row: { key, chosen }, composed, version, ...props }: RowReaderProps): ReactNode {
  const lane = { ...props, lane: key, onReading: composed.setReading }
  const { server, source } = chosen
  if (server === null) return <LaneReader {...lane} version={version} />
  return <OtherLaneReader {...lane} server={server} source={source} servers={composed.servers} />
}

/** Converts a panel's viewport to the width of this plot. `widthPx` 0: not measured yet. */
function inOwnWidth(viewport: Viewport, widthPx: number): Viewport {
  const { range, rule, scale } = viewport
  if (widthPx === 0 || widthPx === scale.widthPx) return viewport
  const factor = scale.widthPx / widthPx
  return {
    ...viewport,
    scale: buildTimeScale({ range, widthPx, rule }),
    pan: (byPx) => viewport.pan(byPx * factor),
    zoom: (by, anchorPx) => viewport.zoom(by, anchorPx === undefined ? undefined : anchorPx * factor),
  }
}

const describeMark = (lane: string, item: LaneItem, clock: Clock): string =>
  `${lane}: ${item.title}, ${formatDateTime(item.startTicks, clock, 3)}${
    item.durationTicks > 0 ? `, ${formatDuration(item.durationTicks)}` : ''
  }. Enter selects it.`
