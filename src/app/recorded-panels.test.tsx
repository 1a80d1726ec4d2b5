import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Bytes } from '../base/brand.ts'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import type { FileState } from '../capture/client/state.ts'
import type { RecordedTriage } from '../features/archive/contract.ts'
import { sourceState, stubCapture, type StubCapture } from '../testing/stub-capture.ts'
import { App } from './App.tsx'
import { PANELS } from './panels.ts'
import { createAddressStore, type AddressStore } from './url/view-store.ts'

const SHOP = 'file:nightly/a_8080/shop'
const RECORDING: FileState = {
  id: 1,
  name: 'nightly',
  phase: 'read',
  totalBytes: 1 as Bytes,
  readBytes: 1 as Bytes,
  startedMs: 0,
  endedMs: 1,
  message: '',
  faultAt: null,
  sources: [SHOP],
  servers: 0,
  entries: [
    {
      path: 'io/node=a_8080/day=2026-11-26/1.parquet',
      bytes: 1 as Bytes,
      feed: 'io',
      phase: 'read',
      message: '',
    },
  ],
}
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks

const TRIAGE: RecordedTriage = {
  lacksFindings: false,
  atTicks: at(3599),
  extent: { startTicks: at(0), endTicks: at(3599) },
  sentence: 'Disk saturated.',
  items: [
    {
      id: 'disk-queue:/data',
      rule: 'disk-queue',
      level: 'warning',
      title: 'Disk /data saturated.',
      reason: null,
      evidence: [],
      sinceTicks: at(3000),
      sinceIsBound: false,
      link: { panel: 'server', params: {}, sources: [SHOP], range: null },
    },
  ],
  findings: [
    {
      id: 'low-memory 1',
      node: 'a_8080',
      level: 'critical',
      title: 'The server was low on memory.',
      startTicks: at(60),
      endTicks: at(360),
      noted: null,
    },
  ],
  judged: 5,
  total: 25,
  unknown: [],
  rules: [],
}

let capture: StubCapture
let store: AddressStore

beforeEach(() => {
  capture = stubCapture()
  capture.setState({ files: [RECORDING], sources: [sourceState({ kind: 'file', name: 'nightly/a_8080/shop' })] })
  capture.responses.set('archive.triage', () => TRIAGE)
  capture.responses.set('triage.badge', () => ({ critical: 3, warning: 0, worst: 'Of the live server.' }))
  window.history.replaceState(null, '', '/studio/index.html')
  store = createAddressStore(
    PANELS.map(({ id }) => id),
    [],
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <App client={capture} store={store} />
    </QueryClientProvider>,
  )
  act(() => store.change({ sources: [SHOP], clock: 'utc' }))
})

afterEach(() => {
  store.dispose()
  localStorage.clear()
})

it('says of each panel of which a recording has nothing that it has not, and requests nothing of the live server', async () => {
  const lacking = PANELS.filter(({ lackedByRecordings }) => lackedByRecordings !== null)
  expect(lacking.map(({ id }) => id)).toEqual([
    'database',
    'documents',
    'query',
    'index-definitions',
    'stacks',
    'databases',
    'cluster',
    'cluster-log',
    'activity',
  ])
  const before = new Set(capture.calls.map(([name]) => name))
  for (const { id, title, lackedByRecordings } of lacking) {
    act(() => store.open(id))
    const main = await screen.findByRole('main')
    await within(main).findByText(`${title}: not in a recording`)
    expect(main.textContent).toContain(`A recording does not have ${String(lackedByRecordings)}, and nightly is`)
  }
  const requested = new Set(capture.calls.map(([name]) => name).filter((name) => !before.has(name)))
  expect([...requested].filter((name) => /^(?:databases|documents|query|stacks|operations)\./.test(name))).toEqual([])
  await userEvent.setup().click(screen.getByRole('button', { name: 'Show the live server' }))
  expect(store.getSnapshot().view.sources).toEqual([])
})

it('says of each panel of which a debug package has nothing that it has not', async () => {
  const file = { ...RECORDING, name: 'mail.zip', servers: 1, sources: ['file:mail.zip/shop'], entries: [] }
  capture.setState({ files: [file], sources: [sourceState({ kind: 'file', name: 'mail.zip/shop' })] })
  act(() => store.change({ sources: ['file:mail.zip/shop'] }))
  const lacking = PANELS.filter(({ lackedByPackages }) => lackedByPackages !== null)
  expect(lacking.map(({ id }) => id)).toEqual(['documents', 'query', 'index-definitions', 'cluster-log', 'activity'])
  for (const { id, title, lackedByPackages } of lacking) {
    act(() => store.open(id))
    const main = await screen.findByRole('main')
    await within(main).findByText(`${title}: not in a debug package`)
    expect(main.textContent).toContain(`A debug package does not have ${String(lackedByPackages)}, and mail.zip is`)
  }
})

it('judges the recording in Triage, without an action and without the findings of the live server', async () => {
  const before = capture.calls.length
  act(() => store.open('triage'))
  expect((await screen.findByText(/^Recorded, until 02:59:59: Disk saturated\.$/)).getAttribute('role')).toBe('status')
  const row = screen.getByRole('row', { name: /The server was low on memory/ })
  expect(row.textContent).toContain('2026-11-26 02:01:00')
  expect(row.textContent).toContain('2026-11-26 02:06:00')
  expect(within(screen.getByRole('main')).queryByRole('button', { name: /Actions|Restart|Kill/ })).toBeNull()
  expect(screen.queryByRole('img', { name: /^Findings:/ })).toBeNull()
  expect(capture.calls.slice(before).some(([name]) => name === 'triage.now')).toBe(false)
})
