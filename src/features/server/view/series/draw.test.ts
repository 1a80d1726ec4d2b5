import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { FakeServer } from '../../../../testing/server/fake-server.ts'
import { SERVER_NOW } from '../../../../testing/server/server-load.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import { chartGroups } from './charts.ts'
import { drawLaneOverlay, drawLanes } from '../../../../charts/timeline/lanes/draw.ts'
import { chartTop, layoutGaps, SERIES_LANES, type ServerPicture } from './draw.ts'
import { layoutCharts } from './layout.ts'

const SECONDS = 240
const server = new FakeServer({ seconds: SECONDS })
await server.watch(90)
await server.hide(60)
await server.watch(90)
const range = { startTicks: (SERVER_NOW - SECONDS * TICKS_PER_SECOND) as Ticks, endTicks: SERVER_NOW }
const keys = ['cpu.machine', 'traffic.requests']
const response = await server.capture().request('server.series', { ...range, keys, maxPoints: 600 })
const tokens: CanvasTokens = {
  theme: 'dark',
  bg: '#000000',
  bgRaised: '#111111',
  bgSunken: '#222222',
  fg: '#ffffff',
  fgMuted: '#aaaaaa',
  border: '#333333',
  borderStrong: '#444444',
  accent: '#00ffff',
  focus: '#0000ff',
  warn: '#ffff00',
  gap: '#555555',
  font: 'sans-serif',
  mono: 'monospace',
  kinds: new Map([['--series-first', '#4c9aff']]),
}

function pictureOf(gaps: readonly Gap[] = []): ServerPicture {
  const layout = layoutCharts(chartGroups(response.available.filter((info) => keys.includes(info.key))), new Set())
  return {
    layout,
    scale: buildTimeScale({ range, widthPx: 800 }),
    series: new Map(response.series.map((rows) => [rows.key, rows])),
    gaps: layoutGaps(layout, gaps),
    scrollPx: 0,
    tokens,
    clock: 'utc',
    known: range,
  }
}

describe('the picture of the server', () => {
  it('breaks its lines where nothing is known', () => {
    const recording = recordingContext()
    drawLanes(recording.context, 300, pictureOf(), SERIES_LANES)
    // Two runs, before and after the gap, of each of the two series.
    const lines = recording.of('stroke').filter((call) => call.strokeStyle === '#4c9aff')
    expect(lines).toHaveLength(4)
    const bands = recording.of('fill').filter((call) => call.fillStyle.startsWith('#4c9aff'))
    expect(bands).toHaveLength(4)
  })

  it('hatches gaps and says why', () => {
    const recording = recordingContext()
    const [gap] = response.gaps
    drawLanes(
      recording.context,
      300,
      pictureOf([{ ...gap!, id: 1, source: 'server', lane: null, kind: null, missingCount: null, missingBytes: null }]),
      SERIES_LANES,
    )
    expect(recording.texts()).toContain('tab was hidden')
  })

  it('has a scale that holds the largest of every bucket, and says where it ends', () => {
    const picture = pictureOf()
    const requests = picture.layout.charts.find((row) => row.chart.id === 'traffic.requests')!.chart
    const largest = Math.max(...[...response.series[1]!.max].filter((value) => !Number.isNaN(value)))
    expect(chartTop(requests, picture.series, range)).toBeGreaterThanOrEqual(largest)
    const recording = recordingContext()
    drawLanes(recording.context, 300, picture, SERIES_LANES)
    expect(recording.texts()).toContain('100 %')
  })

  it('marks each series at the cursor, and none in a gap', () => {
    const picture = pictureOf()
    const at = (ticks: number): number => {
      const recording = recordingContext()
      const pointer = { xPx: picture.scale.toPx(ticks), hit: null }
      drawLaneOverlay(recording.context, 300, picture, SERIES_LANES, { pointer, focus: null })
      return recording.of('arc').length
    }
    expect(at(SERVER_NOW - 60 * TICKS_PER_SECOND)).toBe(2)
    expect(at(SERVER_NOW - 120 * TICKS_PER_SECOND)).toBe(0)
  })
})
