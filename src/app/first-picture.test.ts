import { expect, it } from 'vitest'
import type { ExpectedView, PanelSizes, PushedResponse } from '../capture/client/requests/first-picture.ts'
import type { Command, Report } from '../capture/client/protocol.ts'
import { CaptureHost } from '../capture/worker/host.ts'
import { ioFirstPicture } from '../features/io/first-picture.ts'
import { FakeRaven } from '../testing/fake-raven.ts'
import { recordedText } from '../testing/recorded.ts'
import { createFeeds } from './feeds.ts'

const SIZES: PanelSizes = { plotWidthPx: 838, plotHeightPx: 400, bodyPx: 600, overviewPx: 1406 }
const expectedIo = (sizes: readonly (readonly ['io', PanelSizes])[]): ExpectedView => ({
  params: {},
  sizes: new Map(sizes),
})
const recorded = (name = 'io.json'): File => new File([recordedText('7.1', 'io-metrics.json')], name)

type Respond = Extract<Command, { type: 'request' }>

function hosted() {
  const reports: Report[] = []
  const waiting: (() => void)[] = []
  const host = new CaptureHost(createFeeds(), new FakeRaven().env, (report) => {
    reports.push(report)
    for (const look of waiting.splice(0)) look()
  })
  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  let id = 0
  const request = async (name: string, params: unknown): Promise<unknown> => {
    const own = ++id
    host.receive({ type: 'request', id: own, name, params } as Respond)
    const found = await until(() => reports.find((report) => 'id' in report && report.id === own))
    if (found.type !== 'response') throw new Error(JSON.stringify(found))
    return found.value
  }
  const open = async (file: File, expected: ExpectedView | null): Promise<readonly PushedResponse[]> => {
    const before = reports.length
    host.receive({ type: 'files', files: [file], expected })
    await request('host.idle', null)
    const states = reports.slice(before).flatMap((report) => (report.type === 'state' ? [report] : []))
    expect(states.at(-1)?.state.files.at(-1)).toMatchObject({ phase: 'read' })
    return states.flatMap(({ pushed }) => pushed)
  }
  return { host, reports, request, open }
}

it('sends with the end of a file what the panel would request, and what it would be responded', async () => {
  const { host, request, open } = hosted()
  host.firstPicture = ioFirstPicture
  const pushed = await open(recorded(), expectedIo([['io', SIZES]]))
  expect(pushed.map(({ name }) => name)).toEqual(['io.lanes', 'io.idle', 'io.overview', 'io.marks'])
  for (const { name, params, response } of pushed) expect(await request(name, params)).toEqual(response)
  const marks = pushed.find((each) => each.name === 'io.marks')
  expect(marks?.response.rows.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(20)
})

it('sends only what needs no sizes where the panel was never laid out', async () => {
  const { host, open } = hosted()
  host.firstPicture = ioFirstPicture
  const pushed = await open(recorded(), expectedIo([]))
  expect(pushed.map(({ name }) => name)).toEqual(['io.lanes', 'io.idle'])
})

it('sends nothing where the view is not fitted to the file, or the code is not here yet', async () => {
  const { host, open } = hosted()
  expect(await open(recorded(), expectedIo([['io', SIZES]]))).toEqual([])
  host.firstPicture = ioFirstPicture
  expect(await open(recorded('other.json'), null)).toEqual([])
})

it('drops a picture of rows that have changed since', async () => {
  const { host, reports, request } = hosted()
  let begin = (): void => undefined
  let finish = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const finished = new Promise<void>((resolve) => (finish = resolve))
  host.firstPicture = async (respond, { sources }) => {
    await respond('io.lanes', { sources, find: '', page: 0, openKinds: [] })
    if (sources.length > 1) return
    begin()
    await finished
  }
  host.receive({ type: 'files', files: [recorded('a.json')], expected: expectedIo([]) })
  await begun
  const other = recordedText('7.1', 'io-metrics.json').replaceAll('2026', '2025')
  host.receive({ type: 'files', files: [new File([other], 'b.json')], expected: expectedIo([]) })
  await request('host.idle', null)
  finish()
  await request('host.idle', null)
  const lanes = reports.flatMap((report) => (report.type === 'state' ? report.pushed : []))
  expect(lanes.map(({ params }) => params)).toEqual([
    { sources: ['file:a.json', 'file:b.json'], find: '', page: 0, openKinds: [] },
  ])
})
