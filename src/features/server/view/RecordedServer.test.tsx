import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../../testing/stub-capture.ts'
import type { SeriesInfo, ServerSeriesParams } from '../../../feeds/server/contract/series.ts'
import { serverPanel } from '../panel.ts'
import RecordedServer from './RecordedServer.tsx'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const INFO: SeriesInfo = {
  key: 'cpu.machine',
  label: 'Machine',
  unit: 'percent',
  group: 'cpu',
  isVital: true,
  everyMs: 1000,
  mount: null,
}

/** Two servers in one recording; `b_8080` has no figures. */
function open(params: Readonly<Record<string, string>> = {}) {
  const capture = stubCapture()
  const sources = ['a_8080', 'b_8080'].map((node) => sourceState({ kind: 'file', name: `nightly/${node}/shop` }))
  capture.setState({ sources })
  capture.responses.set('archive.series', (params) => {
    const { sources: of, keys } = params as ServerSeriesParams & { readonly sources: readonly string[] }
    const isRecorded = of.some((source) => source.startsWith('file:nightly/a_8080/'))
    const values = Float64Array.from([10, 30])
    return {
      available: isRecorded ? [INFO] : [],
      series: keys.map((key) => ({
        key,
        bucketTicks: TICKS_PER_SECOND as never,
        tierSeconds: 1,
        length: 2,
        startTicks: Float64Array.from([at(0), at(1)]),
        mean: values,
        min: values,
        max: values,
        count: Float64Array.from([1, 1]),
      })),
      gaps: [],
      extent: isRecorded ? { startTicks: at(0), endTicks: at(2) } : null,
    }
  })
  const stage = renderPanel(<RecordedServer panel={serverPanel} file="nightly" />, capture, {
    sources: [],
    params: { ...params },
  })
  return { stage, capture }
}

it('shows the figures of a recorded server with their time, as charts and as a table', async () => {
  open({ 'server.table': 'on' })
  expect(await screen.findByText(/^1 figure of a_8080, recorded from 2026-11-26 02:00:00.* in nightly/)).toBeTruthy()
  await screen.findByRole('application', { name: 'Figures of the server over time' })
  const table = await screen.findByRole('table', { name: /Figures of every series/ })
  await waitFor(() => expect(table.textContent).toContain('20'))
  expect(table.textContent).toContain('30')
  expect(screen.getByText(/starts of the server and its disks’ forecast are not in it/)).toBeTruthy()
})

it('goes to another server of the recording, and says where it has no figures', async () => {
  const { stage } = open()
  const servers = await screen.findByRole('radiogroup', { name: 'Server of the recording' })
  await userEvent.setup().click(within(servers).getByText('b_8080'))
  expect(stage.view().sources).toEqual(['file:nightly/b_8080/shop'])
  expect(await screen.findByText(/^No figures of b_8080 are in the open hours/)).toBeTruthy()
})
