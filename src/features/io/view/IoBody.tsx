import { Suspense, useState, type ReactNode } from 'react'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { isFileSource } from '../../../capture/client/state.ts'
import type { LaneId, LaneSubject } from '../../../capture/frame/lanes/lane.ts'
import { TimelineBody } from '../../../capture/frame/lanes/TimelineBody.tsx'
import { useWalk } from '../../../capture/frame/lanes/useWalk.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { GapList } from '../../../capture/frame/notices/GapList.tsx'
import type { SizeScale } from '../../../charts/canvas/size-scale.ts'
import { sameEvent } from '../../../feeds/io/contract/event-ref.ts'
import type { IoLanesResponse } from '../../../feeds/io/contract/lanes.ts'
import type { IoCard, IoEventRef } from '../../../feeds/io/contract/rows.ts'
import type {} from '../../../feeds/server/contract.ts'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { PinnedCard } from './details/PinnedCard.tsx'
import { SlowestList } from './details/SlowestList.tsx'
import { SummaryTable } from './details/SummaryTable.tsx'
import styles from './panel.module.css'
import { kindsOf } from './timeline/kinds.ts'
import type { IoPalette } from './timeline/palette.ts'
import { Timeline, type TimelineProps } from './timeline/Timeline.tsx'
import { NO_EVENTS, type IoView } from './useIoView.ts'

const { Component: HeatTimeline } = lazyPanel(() => import('./heat/HeatTimeline.tsx'))

/** Height of live lanes, of some six environments, CSS pixels: what is below stays where it is as the first ones come. */
const LEAST_LIVE_PX = 290

interface IoBodyProps {
  readonly view: IoView
  readonly palette: IoPalette
  readonly sizes: SizeScale
  /** Id of the text that explains the keyboard commands. */
  readonly keysId: string
}

/** The lanes, sums below them, and outliers beside them. */
export function IoBody({
  view,
  palette,
  sizes,
  keysId,
  met,
}: IoBodyProps & { readonly met: IoLanesResponse }): ReactNode {
  const { settings, heat, layout, gaps, clock, selected, summary, range, isEmpty, slowest, show, manySources } = view
  const isOnlyFiles = view.sources.every(isFileSource)
  const { heightPx } = heat ?? layout
  useWalk(view.areaRef, slowest, (event) => sameEvent(event, selected), show)
  return (
    <TimelineBody
      classes={styles}
      bodyRef={view.bodyRef}
      contentPx={isOnlyFiles ? heightPx : Math.max(heightPx, LEAST_LIVE_PX)}
      chart={<Lanes view={view} palette={palette} sizes={sizes} keysId={keysId} />}
      lanes={{
        panel: 'io',
        preset: isOnlyFiles ? NO_LANES_BELOW : LANES_OF_SERVER,
        viewport: view.panelRange.viewport,
        state: view.state,
        outside: selected === null ? null : subjectOf(selected, view.card),
      }}
      sums={
        summary.response === null ? (
          <Spinner>Adding up …</Spinner>
        ) : isEmpty ? null : (
          <SummaryTable
            summary={summary.response}
            kinds={kindsOf(met.kinds).filter((kind) => !settings.hiddenKinds.has(kind))}
            range={summary.response}
            stale={summary.error !== null}
            onEvent={view.showFigure}
          />
        )
      }
      sideLabel="What stands out"
      side={
        <>
          <AttemptFailure of={view.failure} />
          {selected === null ? null : (
            <PinnedCard
              selected={selected}
              card={view.card}
              known={view.cardKnown}
              error={view.cardError}
              pinned={view.pinned}
              range={range}
              clock={clock}
              manySources={manySources}
              onSelect={show}
            />
          )}
          <GapList gaps={gaps} range={range} clock={clock} />
          {isEmpty ? null : (
            <SlowestList events={slowest} selected={selected} manySources={manySources} onSelect={show} />
          )}
        </>
      }
    />
  )
}

/** Lanes with durations, or with heat maps. */
function Lanes({ view, palette, sizes, keysId }: IoBodyProps): ReactNode {
  const { open } = useView()
  const capture = useCapture()
  const [last] = useState(() => capture.sizesOf('io'))
  const { panelRange, settings, heat, overviewPx, bodyPx } = view
  const timeline: Omit<TimelineProps, 'layout' | 'sizes'> = {
    viewport: panelRange.viewport,
    gaps: view.gaps,
    filter: settings.filter,
    version: view.state.version,
    palette,
    clock: view.clock,
    known: panelRange.known,
    sources: view.sources,
    selected: view.selected,
    overlaps: view.card?.overlaps ?? NO_EVENTS,
    stalls: view.stalls.stalls,
    reveal: view.reveal,
    describedBy: keysId,
    onSelect: view.select,
    onStall: (selection) => open('stalls', { selection }),
    onToggle: view.toggle,
    onWidth: panelRange.onWidth,
    firstSight: last === null ? undefined : { scrollPx: 0, heightPx: last.plotHeightPx, widthPx: last.plotWidthPx },
    onSight: ({ widthPx, heightPx }) =>
      capture.laidOut('io', { plotWidthPx: widthPx, plotHeightPx: heightPx, bodyPx, overviewPx }),
  }
  return heat === null ? (
    <Timeline layout={view.layout} sizes={sizes} {...timeline} />
  ) : (
    <Suspense fallback={<Spinner>Counting …</Spinner>}>
      <HeatTimeline layout={heat} {...timeline} />
    </Suspense>
  )
}

/** Subject for lanes of other features: the event, with the index if its card names one. */
const subjectOf = ({ lane, startTicks, durationTicks }: IoEventRef, card: IoCard | null): LaneSubject => ({
  startTicks,
  durationTicks,
  of:
    card !== null && card.laneType === 'Index' && card.laneLabelIsReal
      ? { storage: lane, index: `${card.source}|${card.laneLabel}` }
      : { storage: lane },
})

/** Constant, so that nothing is redrawn for a new array. */
const NO_LANES_BELOW: readonly LaneId[] = []
/** Lanes with the server's bottlenecks and running operations. */
const LANES_OF_SERVER: readonly LaneId[] = ['server.bottleneck', 'server.operations']
