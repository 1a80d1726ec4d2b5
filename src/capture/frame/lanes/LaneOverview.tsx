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
import { chosenKey, type ChosenLane } from './chosen.ts'
import type { LaneReading } from './composed.ts'
import { LaneReader } from './LaneReader.tsx'
import { paramsForLanes, type LaneData } from './lane.ts'
import type { Composed } from './useComposed.ts'

interface LaneOverviewProps {
  readonly composed: Composed
  readonly viewport: Viewport
  readonly known: TimeRange
  readonly clock: Clock
  readonly version: number
}

const PAD_PX = 4

/** Apart from the same lane in what is in view. */
const ofAll = (lane: ChosenLane): string => `${chosenKey(lane)} of all`

const hasNoMark = ({ tracks }: LaneData): boolean => tracks.every(({ marks }) => marks.length === 0)

/** The strip of everything seen, as the first lane shows it that has any mark. */
export function LaneOverview({ composed, viewport, known, clock, version }: LaneOverviewProps): ReactNode {
  const { view } = useView()
  const tokens = useCanvasTokens()
  const markers = useMarkers()
  const [widthPx, setWidthPx] = useState(0)
  const [read, setRead] = useState<{ readonly lane: string; readonly reading: LaneReading } | null>(null)
  const [empty, setEmpty] = useState<readonly string[]>([])
  const onReading = useSteady((lane: string, next: LaneReading): void => {
    if (next.data === null ? next.error !== null : hasNoMark(next.data))
      setEmpty((before) => (before.includes(lane) ? before : [...before, lane]))
    setRead({ lane, reading: next })
  })
  // Times of other servers need their clocks first.
  const own = composed.lanes.filter(({ server }) => server === null)
  const first = own.find((lane) => !empty.includes(ofAll(lane))) ?? own[0]
  const reading = first !== undefined && read?.lane === ofAll(first) ? read.reading : null
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
          key={ofAll(first)}
          lane={ofAll(first)}
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
