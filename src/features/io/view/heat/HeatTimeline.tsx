import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, formatPlural } from '../../../../base/text/format.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { useMoving } from '../../../../capture/frame/range/useViewport.ts'
import { StretchFacts } from '../../../../capture/frame/range/StretchFacts.tsx'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { nearSight } from '../../../../charts/timeline/lanes/near-sight.ts'
import { useLanes, useReveal } from '../../../../charts/timeline/lanes/useLanes.ts'
import { formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import { layoutGaps } from '../gaps.ts'
import { kindLook } from '../timeline/kinds.ts'
import { RowMenu } from '../timeline/RowMenu.tsx'
import { RowName } from '../timeline/RowName.tsx'
import { stalledBy, type TimelineProps } from '../timeline/Timeline.tsx'
import { HEAT_LANES } from './draw.ts'
import { HeatFacts } from './HeatFacts.tsx'
import type { HeatLayout, HeatTrack } from './layout.ts'
import type { HeatPicture } from './picture.ts'
import { trackOfEvent } from './layout.ts'
import { useHeat } from './useHeat.ts'

/** Height of the strip at a lane's foot that shows a gap of one kind; its others are known. */
const GAP_PX = 4
const stripOf = ({ lane, refs, topPx, heightPx }: HeatTrack, gap: Gap) =>
  lane.id === gap.lane && refs.some(({ kind }) => kind === gap.kind)
    ? { topPx: topPx + heightPx - GAP_PX, heightPx: GAP_PX }
    : null

/** Heat maps of the latencies of storage environments over time, on the clock of all panels. */
export default function HeatTimeline(
  props: Omit<TimelineProps, 'layout' | 'sizes'> & { readonly layout: HeatLayout },
): ReactNode {
  const { layout, palette, clock, known, selected, overlaps, stalls, version } = props
  const viewport = useMoving(props.viewport)
  const { scale, rule } = viewport
  const lanes = useLanes()
  const { heats, error } = useHeat(nearSight(lanes.sight, layout.tracks), scale, rule, props.filter, version)
  const picture: HeatPicture = {
    layout,
    scale,
    heats,
    marks: new Map(Array.from(heats, ([key, { marks }]) => [key, marks])),
    gaps: layoutGaps(layout, props.gaps, stripOf),
    isFiltered: Object.values(props.filter).some((bound) => bound !== null),
    scrollPx: lanes.sight.scrollPx,
    tokens: palette.tokens,
    palette,
    clock,
    known,
    selected,
    overlaps,
    stalls,
  }
  useReveal(
    lanes,
    props.reveal === 0 || selected === null ? null : `${props.reveal} ${formatEventRef(selected)}`,
    selected === null ? null : trackOfEvent(layout, selected),
  )
  return (
    <LaneTimeline
      label="I/O latency heat map"
      describedBy={props.describedBy}
      lanes={lanes}
      contract={HEAT_LANES}
      picture={picture}
      viewport={viewport}
      renderName={(row) => <RowName row={row} onToggle={props.onToggle} />}
      renderMenu={(row) => <RowMenu row={row} />}
      renderCard={(hit) => (
        <HeatFacts hit={hit} stalls={stalls} sources={props.sources} version={version} clock={clock} />
      )}
      renderStretch={(hit) => <StretchFacts hit={hit} clock={clock} one="event" idle="No I/O in any lane." />}
      describe={(focus) =>
        focus === null
          ? ''
          : `Slowest of ${formatPlural(focus.count, kindLook(focus.ref.kind).one, kindLook(focus.ref.kind).many)} on ${focus.track.lane.label}: ${formatDuration(focus.durationTicks)}, ${formatDateTime(focus.startTicks, clock, 7)}. ${stalledBy(stalls, focus.ref)}Enter pins it.`
      }
      error={error}
      onSelect={(hit) => {
        if (hit?.type === 'stall') props.onStall(hit.stall.selection)
        else props.onSelect(hit?.type === 'mark' ? hit.ref : hit?.type === 'cell' ? hit.slowest.ref : null)
      }}
      onWidth={props.onWidth}
    />
  )
}
