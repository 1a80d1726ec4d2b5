import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { parseTicks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { emptyManifest, type ArchiveFile, type ArchiveHour } from '../../../capture/archive/manifest.ts'
import { openRecording, type Recording, recordingIn } from '../../../capture/archive/recordings.ts'
import { parseSide } from '../../../capture/client/compare-sides.ts'
import type { FleetServer } from '../../../capture/archive/fleet.ts'
import { fleet } from '../../../capture/archive/fleet.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { archivePanel } from '../panel.ts'
import ArchivePanel from './ArchivePanel.tsx'

afterEach(() => {
  fleet.set(null)
})

const HOUR = 3600 * TICKS_PER_SECOND
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (hours: number) => (TWO + hours * HOUR) as typeof TWO

const hourOf = (hours: number, slow: number): ArchiveHour => ({
  node: 'a_8080',
  startTicks: at(hours),
  events: 100,
  writes: 50,
  slow,
  slowTicks: slow * 200_000,
  slowestTicks: slow * 200_000,
  critical: 0,
  warning: 0,
  gapTicks: 0,
})
const fileOf = (hours: number): ArchiveFile => ({
  path: `io/node=a_8080/day=2026-11-26/${String(hours)}.parquet`,
  table: 'io',
  node: 'a_8080',
  day: '2026-11-26',
  rows: 100,
  bytes: 500,
  minTicks: at(hours),
  maxTicks: at(hours) + 5,
})

it('opens an hour of the calendar, lists what was found in it, and compares it with the day before', async () => {
  const user = userEvent.setup()
  const capture = stubCapture()
  capture.responses.set('archive.facts', () => ({
    findings: [
      { id: 'a', node: 'a_8080', level: 'critical', title: 'Disk saturated', startTicks: at(0.2), endTicks: at(0.5) },
      { id: 'b', node: 'a_8080', level: 'warning', title: 'Of another hour', startTicks: at(3), endTicks: at(4) },
    ],
    notifications: [],
    queries: [],
    settings: [
      { node: 'a_8080', key: 'Logs.Level', atTicks: at(0.7), before: null, value: 'Debug' },
      { node: 'a_8080', key: 'Of.Another.Hour', atTicks: at(3), before: null, value: '1' },
    ],
    log: [0.3, 3].map((hours) => {
      const message = `A disk is full, hour ${String(hours)}${' at X.Y()'.repeat(100)}`
      return { node: 'a_8080', atTicks: at(hours), level: 'error', resource: 'shop', logger: 'Voron', message }
    }),
  }))
  const source = { id: 'file:nightly/a_8080/shop', ref: { kind: 'file', name: 'nightly/a_8080/shop' } }
  capture.setState({ sources: [source as never] })
  const thinned = { ...fileOf(-72), table: 'io-minutes' as const, day: '2026-11-23' }
  const files = [thinned, fileOf(-24), fileOf(0)]
  const manifest = { ...emptyManifest(), files, hours: [hourOf(-24, 0), hourOf(0, 3)] }
  const read = () => Promise.resolve(new Blob(['x']))
  const none = { openFiles: () => undefined, getState: () => capture.getState() }
  const nothing = { startTicks: at(100), endTicks: at(101) }
  await openRecording(none, { name: 'nightly', manifest, journals: [], read }, nothing, null)

  const stage = renderPanel(<ArchivePanel panel={archivePanel} />, capture, {})
  expect(screen.getByText(/I\/O events are kept after 2026-11-23/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^02:00: .*3 journal writes of 10 ms or more/ }))
  expect(stage.view().range).toEqual({ startTicks: at(0), endTicks: at(1) })
  await waitFor(() => expect(capture.calls).toContainEqual(['openFiles', ['nightly']]))
  expect(await screen.findByText('Disk saturated')).toBeTruthy()
  expect(screen.queryByText('Of another hour')).toBeNull()
  expect(screen.getByRole('row', { name: /^Logs\.Level default Debug a_8080/ })).toBeTruthy()
  expect(screen.queryByText('Of.Another.Hour')).toBeNull()
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Findings',
    'Changed settings',
    'Log of the server',
  ])
  expect(
    screen.getByRole('row', { name: /error shop A disk is full, hour 0\.3 .*More: .* characters Voron a_8080$/ }),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^More: / }))
  expect(screen.getByText(/hour 0\.3/).textContent).toMatch(/( at X\.Y\(\)){100}$/)
  expect(screen.queryByText(/hour 3/)).toBeNull()
  expect(screen.getByRole('status').textContent).toContain('1 changed setting, 1 line of the log.')

  await user.click(screen.getByRole('button', { name: 'the day before' }))
  await waitFor(() => expect(stage.opened.at(-1)?.panel).toBe('compare'))
  const { params } = stage.opened.at(-1)?.parts ?? {}
  const sources = ['file:nightly/a_8080/shop']
  expect(parseSide(params ?? {}, 'before')).toEqual({ sources, range: { startTicks: at(-24), endTicks: at(-23) } })
  expect(parseSide(params ?? {}, 'after')).toEqual({ sources, range: { startTicks: at(0), endTicks: at(1) } })
})

it('opens the hours of a folder that lacks a file, and says which', async () => {
  const user = userEvent.setup()
  const capture = stubCapture()
  const files = [fileOf(-1), fileOf(0)]
  const manifest = { ...emptyManifest(), files, hours: [hourOf(-1, 0), hourOf(0, 3)] }
  const recording = await recordingIn('lacking', [
    { path: 'manifest.json', blob: new Blob([JSON.stringify(manifest)]) },
    { path: fileOf(0).path, blob: new Blob(['x']) },
  ])
  const none = { openFiles: () => undefined, getState: () => capture.getState() }
  await openRecording(none, recording!, { startTicks: at(100), endTicks: at(101) }, null)
  const stage = renderPanel(<ArchivePanel panel={archivePanel} />, capture, {})
  expect(screen.queryByText('Not everything was opened')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^01:00: / }))
  expect(await screen.findByText('Not everything was opened')).toBeTruthy()
  expect(screen.getByText(`The folder lacks ${fileOf(-1).path}.`)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  stage.unmount()

  renderPanel(<ArchivePanel panel={archivePanel} />, capture, {})
  expect(screen.getByText('Not everything was opened')).toBeTruthy()
})

it('says how many rows of a later version are not shown, in files and in journals', async () => {
  const capture = stubCapture()
  const journal = 'journal/a_8080.4.journal'
  const read = () => Promise.resolve(new Blob(['x']))
  const later = {
    ...fileOf(0),
    path: 'sessions/node=a_8080/day=2026-11-26/0.parquet',
    table: 'sessions' as never,
    rows: 7,
  }
  const manifest = { ...emptyManifest(), files: [fileOf(0), later], hours: [hourOf(0, 3)] }
  const none = { openFiles: () => undefined, getState: () => capture.getState() }
  const nothing = { startTicks: at(100), endTicks: at(101) }
  await openRecording(none, { name: 'later', manifest, journals: [journal], read }, nothing, null)
  const entries = [journal, 'journal/a_8080.3.journal'].map((path) => ({ path, phase: 'read', newerRows: 5 }))
  capture.setState({ files: [{ name: 'later', endedMs: 1, sources: [], entries }] as never })
  renderPanel(<ArchivePanel panel={archivePanel} />, capture, {})
  expect(await screen.findByText(/^12 rows of a newer version of Rookery were skipped\./)).toBeTruthy()
})

it('says which rows of the range the page no longer holds', async () => {
  const capture = stubCapture()
  const none = { findings: [], notifications: [], queries: [], settings: [], log: [] }
  capture.responses.set('archive.facts', () => none)
  const rows = (count: number, from: number, to: number) => ({ count, firstTicks: at(from), lastTicks: at(to) })
  capture.responses.set('archive.pushedOut', () => ({
    findings: null,
    notifications: null,
    queries: null,
    settings: null,
    log: rows(1200, 0, 0.5),
  }))
  capture.responses.set('stacks.pushedOut', () => rows(1, 0.25, 0.25))
  const manifest = { ...emptyManifest(), files: [fileOf(0)], hours: [hourOf(0, 3)] }
  const read = () => Promise.resolve(new Blob(['x']))
  const closed = { openFiles: () => undefined, getState: () => capture.getState() }
  const nothing = { startTicks: at(100), endTicks: at(101) }
  await openRecording(closed, { name: 'full', manifest, journals: [], read }, nothing, null)
  renderPanel(<ArchivePanel panel={archivePanel} />, capture, { range: { startTicks: at(0), endTicks: at(1) } })
  const note = await screen.findByText(/^No longer in the page, for others that were read later: /)
  expect(note.textContent).toMatch(
    /1 stack snapshot of .*02:15:00, 1,200 lines of the log from .*02:00:00 to .*02:30:00\. Ask has them\.$/,
  )
})

it('counts the unreadable files of packages of which nothing could be read', async () => {
  const capture = stubCapture()
  capture.responses.set('archive.facts', () => ({
    findings: [],
    notifications: [],
    queries: [],
    settings: [],
    log: [],
  }))
  const fileState = (name: string, path = name, phase = 'broken') =>
    ({ name, endedMs: 1, sources: [], entries: [{ path, phase }] }) as never
  const files = ['unread', 'unread (2)', 'unread elsewhere'].map((name) => fileState(name))
  const putBack = [fileState('unread (3)', 'put back', 'refused'), fileState('unread (4)', 'put back', 'read')]
  capture.setState({ files: [...files, ...putBack] })
  const manifest = { ...emptyManifest(), files: [fileOf(0)], hours: [hourOf(0, 3)] }
  const read = () => Promise.resolve(new Blob(['x']))
  const none = { openFiles: () => undefined, getState: () => capture.getState() }
  const nothing = { startTicks: at(100), endTicks: at(101) }
  await openRecording(none, { name: 'unread', manifest, journals: [], read }, nothing, null)
  renderPanel(<ArchivePanel panel={archivePanel} />, capture, { range: { startTicks: at(0), endTicks: at(1) } })
  const status = await screen.findByText(/2 files of the recording could not be read/)
  expect(status.textContent).toContain('what was in them is missing')
})

const serverOf = (node: string, parts: Partial<FleetServer>): FleetServer => ({
  node,
  url: `http://${node}`,
  events: 10,
  writes: 5,
  slow: 0,
  slowTicks: 0,
  slowestTicks: 0,
  critical: 0,
  warning: 0,
  gapTicks: 0,
  lastTicks: at(1),
  slowestAt: null,
  findingsAt: null,
  gapAt: null,
  ...parts,
})

it('lists servers worst first, and opens the recording of one at its worst moment', async () => {
  const user = userEvent.setup()
  const capture = stubCapture()
  const manifest = { ...emptyManifest(), files: [fileOf(0)], hours: [hourOf(0, 3)] }
  const read = () => Promise.resolve(new Blob(['x']))
  const opened: string[] = []
  const readAgain: string[] = []
  fleet.set({
    name: 'production',
    servers: () =>
      Promise.resolve([
        serverOf('quiet', { lastTicks: null }),
        serverOf('slow', { slow: 3, slowTicks: 900_000, slowestTicks: 400_000, slowestAt: at(0.5) }),
        serverOf('ill', { critical: 2, slow: 1, slowTicks: 200_000, slowestAt: at(2), findingsAt: at(5) }),
      ]),
    recording: (node) => {
      opened.push(node)
      const again = (): Promise<Recording> => {
        readAgain.push(node)
        return Promise.resolve({ ...recording, manifest: { ...manifest, files: [fileOf(0), fileOf(5)] } })
      }
      const recording = { name: node, manifest, journals: [], read, again }
      return Promise.resolve(recording)
    },
  })
  const stage = renderPanel(<ArchivePanel panel={archivePanel} />, capture, {})
  expect(
    await screen.findByText(/^3 servers: 2 with journal writes of 10 ms or more, 1 with critical findings/),
  ).toBeTruthy()
  const names = () => screen.getAllByText(/^(?:quiet|slow|ill)$/).map(({ textContent }) => textContent)
  expect(names()).toEqual(['slow', 'ill', 'quiet'])
  await user.click(screen.getByText('slow'))
  await waitFor(() => expect(opened).toEqual(['slow']))
  expect(stage.view()).toMatchObject({
    range: { startTicks: at(0.5) - 30 * TICKS_PER_SECOND, endTicks: at(0.5) + 400_000 + 30 * TICKS_PER_SECOND },
    params: { 'archive.server': 'slow' },
  })
  expect(await screen.findByRole('region', { name: 'Recording slow' })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'What happened' })).toBeTruthy()

  await user.click(screen.getByRole('columnheader', { name: /Critical/ }).querySelector('button') ?? document.body)
  expect(names()[0]).toBe('ill')
  await user.click(screen.getByText('ill'))
  await waitFor(() => expect(opened).toEqual(['slow', 'ill']))
  expect(stage.view().range).toEqual({ startTicks: at(5), endTicks: at(6) })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Recording slow' })).toBeNull())

  // An hour that was recorded since is in the list that is read once more.
  capture.calls.length = 0
  await waitFor(() => expect(screen.queryByText('Opening ill')).toBeNull())
  await user.click(screen.getAllByText('ill')[0] ?? document.body)
  await waitFor(() => expect(capture.calls).toContainEqual(['openFiles', ['ill']]))
  expect([opened, readAgain]).toEqual([['slow', 'ill'], ['ill']])
})

it('reports of two servers that are opened one after the other only the later one', async () => {
  const user = userEvent.setup()
  const failures = new Map<string, (error: Error) => void>()
  fleet.set({
    name: 'production',
    servers: () => Promise.resolve([serverOf('first', {}), serverOf('second', {})]),
    recording: (node) => new Promise((_, failed) => failures.set(node, failed)),
  })
  renderPanel(<ArchivePanel panel={archivePanel} />, stubCapture(), {})
  await user.click(await screen.findByText('first'))
  await user.click(screen.getByText('second'))
  failures.get('first')?.(new Error('The first is away.'))
  await screen.findByText('Opening second')
  expect(screen.queryByText('The first is away.')).toBeNull()
  failures.get('second')?.(new Error('The second is away.'))
  expect(await screen.findByText('The second is away.')).toBeTruthy()
  expect(screen.queryByText('Opening second')).toBeNull()
})
