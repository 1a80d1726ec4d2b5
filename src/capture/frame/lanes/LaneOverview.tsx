import { useState, type ReactNode } from 'react'
import type { CssPx } from '../../../base/brand.ts'
import { formatDateTime, type Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import type { Frame } from '../../../charts/canvas/stage.ts'
import { buildTimeScale, NO_FOLDS } from '../../../charts/scale.ts'
import type { MarksWindow } from '../../../charts/timeline/marks-window.ts'
import { useMarkers } from '../../../charts/timeline/markers.ts'
import { Overview } from '../../../charts/timeline/Overview.tsx'
import { useSteady } from '../../../ui/hooks/useSteady.ts'
import controls from '../range/RangeControls.module.css'
import type { Viewport } from '../range/useViewport.ts'
import { useView } from '../../client/view.ts'
import type { LaneReading } from './composed.ts'
import { LaneReader } from './LaneReader.tsx'
import { paramsForLanes } from './lane.ts'
import type { Composed } from './useComposed.ts'

interface LaneOverviewProps {
  readonly composed: Composed
  readonly viewport: Viewport
  readonly known: TimeRange
  readonly clock: Clock
  readonly version: number
}

const PAD_PX = 4

/** The strip of everything seen, as the first lane shows it. */
export function LaneOverview({ composed, viewport, known, clock, version }: LaneOverviewProps): ReactNode {
  const { view } = useView()
  const tokens = useCanvasTokens()
  const markers = useMarkers()
  const [widthPx, setWidthPx] = useState(0)
  const [reading, setReading] = useState<LaneReading | null>(null)
  const onReading = useSteady((_lane: string, next: LaneReading): void => setReading(next))
  // Times of other servers need their clocks first.
  const first = composed.lanes.find(({ server }) => server === null)
  const definition = first === undefined ? undefined : composed.definitions.get(first.id)
  const draw = (context: CanvasRenderingContext2D, frame: Frame): void => {
    const tracks = reading?.data?.tracks ?? []
    const scale = buildTimeScale({ range: known, widthPx: frame.widthPx, rule: NO_FOLDS })
    const eachPx = (frame.heightPx - PAD_PX * 2) / Math.max(1, tracks.length)
    tracks.forEach((track, i) => track.draw(context, { scale, tokens }, { yPx: PAD_PX + i * eachPx, heightPx: eachPx }))
  }
  return (
    <div className={controls.overview}>
      {first === undefined || definition === undefined ? null : (
        <LaneReader
          key={first.id}
          lane={`${first.id} of all`}
          definition={definition}
          view={
            widthPx < 1
              ? null
              : {
                  sources: first.source === null ? view.sources : [first.source],
                  window: windowOf(known, widthPx),
                  params: paramsForLanes(view.params),
                  markers,
                  clock,
                }
          }
          version={version}
          isEnded={viewport.ended}
          onReading={onReading}
        />
      )}
      <Overview
        label="Overview of everything seen"
        extent={known}
        range={viewport.range}
        draw={draw}
        onRange={viewport.setRange}
        onWidth={setWidthPx}
        describe={(at) => formatDateTime(at, clock, 3)}
      />
    </div>
  )
}

function windowOf({ startTicks, endTicks }: TimeRange, widthPx: number): MarksWindow {
  const resolutionTicks = Math.max(1, (endTicks - startTicks) / widthPx)
  const piece = { startTicks, endTicks, startPx: 0 as CssPx, endPx: Math.ceil(widthPx) as CssPx }
  return { startTicks, endTicks, pieces: [piece], resolutionTicks, key: '' }
}
