import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { indexMarks } from '../../../charts/timeline/marks.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import type { Viewport } from '../range/useViewport.ts'
import { lanesOf } from './chosen.ts'
import type { LaneData, LaneDefinition, LaneId, LaneItem } from './lane.ts'
import { LaneOverview } from './LaneOverview.tsx'
import type { Composed } from './useComposed.ts'

const RANGE = { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }

it('shows the first lane that has marks, also one that gets its first later', async () => {
  const drawn: string[] = []
  const filled = new Set<LaneId>(['test.second'])
  const dataOf = (id: LaneId): LaneData => ({
    tracks: [
      {
        key: '',
        title: '',
        marks: indexMarks({
          length: filled.has(id) ? 1 : 0,
          startTicks: Float64Array.of(100),
          durationTicks: Float64Array.of(10),
        }),
        isTiled: false,
        itemAt: () => ({}) as LaneItem,
        draw: () => void drawn.push(id),
      },
    ],
    summarize: () => '',
    legend: [],
    hasGap: () => false,
    gaps: [],
  })
  const ids: readonly LaneId[] = ['test.first', 'test.second', 'test.third']
  const definitions = ids.map((id): LaneDefinition => {
    const module = { everyMs: 10, read: () => Promise.resolve(dataOf(id)) }
    return {
      id,
      title: id,
      explains: '',
      scope: 'sources',
      heightPx: 20,
      load: () => Promise.resolve({ default: module }),
    }
  })
  const composed = {
    lanes: lanesOf(ids),
    definitions: new Map(definitions.map((each) => [each.id, each])),
  } as unknown as Composed
  const viewport = { ended: true, range: RANGE, setRange: () => undefined } as unknown as Viewport
  const Strip = (): ReactNode => (
    <LaneOverview
      composed={composed}
      viewport={viewport}
      known={RANGE}
      clock="utc"
      version={useCaptureState().version}
    />
  )
  const capture = stubCapture()
  renderPanel(<Strip />, capture, { sources: ['db:shop'] })
  await expect.poll(() => drawn.at(-1)).toBe('test.second')
  filled.add('test.first')
  capture.setState({})
  await expect.poll(() => drawn.at(-1)).toBe('test.first')
  expect(drawn).not.toContain('test.third')
})
