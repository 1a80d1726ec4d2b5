import { useEffect, type ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import { formatBytes, formatDateTime, formatDuration } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { StretchFacts } from '../../../../capture/frame/range/StretchFacts.tsx'
import type { Gap, SourceId } from '../../../../capture/client/state.ts'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { nearSight, type LaneSight } from '../../../../charts/timeline/lanes/near-sight.ts'
import { useLanes, useReveal } from '../../../../charts/timeline/lanes/useLanes.ts'
import { formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import type { IoEventRef, IoFilter } from '../../../../feeds/io/contract/rows.ts'
import { HoverFacts } from '../details/HoverFacts.tsx'
import { gapOfTrack, layoutGaps } from '../gaps.ts'
import { useMarks } from '../useIoData.ts'
import { IO_LANES } from './draw.ts'
import type { IoPicture } from './picture.ts'
import { kindLook } from './kinds.ts'
import { RowMenu } from './RowMenu.tsx'
import { RowName } from './RowName.tsx'
import { trackOf, type IoLayout, type LayoutRow } from './layout.ts'
import type { IoPalette } from './palette.ts'
import { stallOf, type StallsOfLanes } from '../stalls/marks.ts'

export interface TimelineProps {
  readonly layout: IoLayout
  readonly viewport: Viewport
  readonly gaps: readonly Gap[]
  readonly filter: IoFilter
  readonly version: number
  readonly palette: IoPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly sources: readonly SourceId[]
  readonly selected: IoEventRef | null
  readonly overlaps: readonly IoEventRef[]
  readonly stalls: StallsOfLanes
  /** Counter that increases when the selected event should scroll into view. */
  readonly reveal: number
  /** Id of the text that explains the keyboard commands. */
  readonly describedBy: string
  readonly onSelect: (ref: IoEventRef | null) => void
  /** Called with the `selection` of a link to a stall. */
  readonly onStall: (selection: string) => void
  readonly onToggle: (row: LayoutRow) => void
  readonly onWidth: (widthPx: number) => void
  /** Lanes in view, for use before the plot is measured. */
  readonly firstSight: LaneSight | undefined
  /** Called after each layout. */
  readonly onSight: (sight: LaneSight) => void
}

/** Lanes of storage environments, with a track for each kind of I/O. */
export function Timeline(props: TimelineProps): ReactNode {
  const { layout, palette, sizes, clock, known, selected, overlaps, stalls, version } = props
  const viewport = useMoving(props.viewport)
  const { scale, rule } = viewport
  const lanes = useLanes(props.firstSight)
  const { marks, error } = useMarks(nearSight(lanes.sight, layout.tracks), scale, rule, props.filter, version)
  const gaps = layoutGaps(layout, props.gaps, gapOfTrack)
  const { scrollPx } = lanes.sight
  const { tokens } = palette
  const picture: IoPicture = {
    layout,
    scale,
    marks,
    gaps,
    scrollPx,
    tokens,
    palette,
    sizes,
    clock,
    known,
    selected,
    overlaps,
    stalls,
  }
  const { onSight } = props
  const { sight } = lanes
  useEffect(() => {
    if (sight.widthPx > 0) onSight(sight)
  }, [sight, onSight])
  useReveal(
    lanes,
    props.reveal === 0 || selected === null ? null : `${props.reveal} ${formatEventRef(selected)}`,
    selected === null ? null : trackOf(layout, selected.lane, selected.kind),
  )
  return (
    <LaneTimeline
      label="I/O timeline"
      describedBy={props.describedBy}
      lanes={lanes}
      contract={IO_LANES}
      picture={picture}
      viewport={viewport}
      renderName={(row) => <RowName row={row} onToggle={props.onToggle} />}
      renderMenu={(row) => <RowMenu row={row} />}
      renderCard={(hit) => (
        <HoverFacts hit={hit} stalls={stalls} sources={props.sources} version={version} clock={clock} />
      )}
      renderStretch={(hit) => <StretchFacts hit={hit} clock={clock} one="event" idle="No I/O in any lane." />}
      describe={(focus) =>
        focus === null
          ? ''
          : `${kindLook(focus.ref.kind).title} on ${focus.track.lane.label}, ${formatDateTime(focus.startTicks, clock, 7)}, ${formatDuration(focus.durationTicks)}, ${formatBytes(focus.ref.sizeBytes)}. ${stalledBy(stalls, focus.ref)}Enter pins it.`
      }
      error={error}
      onSelect={(hit) => {
        if (hit?.type === 'stall') props.onStall(hit.stall.selection)
        else props.onSelect(hit?.type === 'mark' ? hit.ref : null)
      }}
      onWidth={props.onWidth}
    />
  )
}

/** Part of a sentence about the stall of an event; empty: not marked as a stall. */
export function stalledBy(stalls: StallsOfLanes, ref: IoEventRef): string {
  const stall = stallOf(stalls, ref)
  return stall === null ? '' : `Stalled, cause: ${stall.title}. `
}
