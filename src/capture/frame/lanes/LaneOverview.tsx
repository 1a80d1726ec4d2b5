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

/** Key that differs from that of the same lane in view. */
const ofAll = (lane: ChosenLane): string => `${chosenKey(lane)} of all`

/** Whether a lane was read and has no marks, or cannot be read. */
const isEmpty = (reading: LaneReading | undefined): boolean =>
  reading?.data == null ? reading?.error != null : reading.data.tracks.every(({ marks }) => marks.length === 0)

const NOTHING_READ: ReadonlyMap<string, LaneReading> = new Map()

/** Strip of all data, drawn from the first lane with any mark. */
export function LaneOverview({ composed, viewport, known, clock, version }: LaneOverviewProps): ReactNode {
  const { view } = useView()
  const tokens = useCanvasTokens()
  const markers = useMarkers()
  const [widthPx, setWidthPx] = useState(0)
  const [readings, setReadings] = useState(NOTHING_READ)
  // Times of other servers need their clock differences first.
  const own = composed.lanes.flatMap((lane) => {
    const definition = composed.definitions.get(lane.id)
    return lane.server !== null || definition === undefined ? [] : [{ lane, definition, key: ofAll(lane) }]
  })
  const onReading = useSteady((key: string, next: LaneReading): void => {
    const keys = own.map((each) => each.key)
    const at = keys.indexOf(key)
    // Lanes after the shown one are not read; they are read again when they are needed.
    const kept = new Set(isEmpty(next) ? keys : keys.slice(0, at))
    if (at >= 0) setReadings((before) => new Map([...before].filter(([each]) => kept.has(each))).set(key, next))
  })
  const at = own.findIndex(({ key }) => !isEmpty(readings.get(key)))
  const shown = own[Math.max(0, at)]
  // Lanes before it have no marks yet, or none of these sources; they continue to be read, since they may get some.
  const read = at < 0 ? own : own.slice(0, at + 1)
  const reading = shown === undefined ? undefined : readings.get(shown.key)
  const draw = (context: CanvasRenderingContext2D, frame: Frame): void => {
    const tracks = reading?.data?.tracks ?? []
    const scale = buildTimeScale({ range: known, widthPx: frame.widthPx, rule: NO_FOLDS })
    const eachPx = (frame.heightPx - PAD_PX * 2) / Math.max(1, tracks.length)
    tracks.forEach((track, i) => track.draw(context, { scale, tokens }, { yPx: PAD_PX + i * eachPx, heightPx: eachPx }))
  }
  return (
    <div className={controls.overview}>
      {read.map(({ lane, definition, key }) => (
        <LaneReader
          key={key}
          lane={key}
          definition={definition}
          view={
            widthPx < 1
              ? null
              : {
                  sources: lane.source === null ? view.sources : [lane.source],
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
      ))}
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
