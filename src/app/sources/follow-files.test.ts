import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Bytes } from '../../base/brand.ts'
import { type Ticks, ticksFromMs } from '../../base/ticks.ts'
import type { View } from '../../capture/client/view.ts'
import type { FileState, SourceId } from '../../capture/client/state.ts'
import { sourceState, stubCapture } from '../../testing/stub-capture.ts'
import type { StubCapture } from '../../testing/stub-capture.ts'
import { FileFollower } from './follow-files.ts'
import type * as OpenPicture from './open-picture.ts'
import { openPicture } from './open-picture.ts'
import { DEFAULT_VIEW, type UnshownPicture } from '../url/url.ts'
import type { AddressStore } from '../url/view-store.ts'

const NOON_MS = Date.UTC(2026, 10, 20, 12)

let capture: StubCapture
let rows: ReturnType<typeof row>[]
let store: { panel: string; view: View; opened: string[] }
let follower: FileFollower
let unshown: UnshownPicture[]

vi.mock('./open-picture.ts', async (original) => {
  const { openPicture } = await original<typeof OpenPicture>()
  return { openPicture: vi.fn(openPicture) }
})

const row = (source: SourceId, firstMs: number, lastMs: number, feed = 'io') => ({
  source,
  span: { feed, firstMs: NOON_MS + firstMs, endMs: NOON_MS + lastMs },
})

const file = (endedMs: number | null): FileState => ({
  id: 1,
  name: 'a.json',
  phase: endedMs === null ? 'reading' : 'read',
  totalBytes: 1 as Bytes,
  readBytes: 1 as Bytes,
  startedMs: 0,
  endedMs,
  message: '',
  faultAt: null,
  sources: [],
  servers: 0,
  entries: [],
})

/** The capture as it is after the files named have filled these sources. */
function seen(sources: readonly string[], isReading = false, servers = 0): void {
  capture.setState({
    sources: sources.map((name) => {
      const spans = rows.filter(({ source }) => source === `file:${name}`).map(({ span }) => span)
      return sourceState({ kind: 'file', name }, { phase: 'read', spans })
    }),
    files: [{ ...file(isReading ? null : 5), servers, sources: sources.map((name) => `file:${name}`) }],
  })
}

/** Whether the range shows this span, with at most a hundredth of it around. */
function fits(firstMs: number, lastMs: number): boolean {
  const { range } = store.view
  if (range === null) return false
  const [start, end] = [ticksFromMs(NOON_MS + firstMs), ticksFromMs(NOON_MS + lastMs)]
  const around = Math.max(10_001, (end - start) / 100)
  return (
    range.startTicks <= start &&
    range.endTicks >= end &&
    start - range.startTicks <= around &&
    range.endTicks - end <= around
  )
}

function begin(panel: string, view: Partial<View> = {}): void {
  unshown = []
  store = { panel, view: { ...DEFAULT_VIEW, ...view }, opened: [] }
  const change = (parts: Partial<View>): void => void (store.view = { ...store.view, ...parts })
  follower = new FileFollower(capture, {
    getSnapshot: () => ({ ...store, notes: [] }),
    change,
    setUnshown: (picture: UnshownPicture) => unshown.push(picture),
    open: (next: string, parts: Partial<View> = {}) => {
      store.panel = next
      store.opened.push(next)
      change(parts)
    },
  } as unknown as AddressStore)
}

beforeEach(() => {
  capture = stubCapture()
  rows = []
})

afterEach(() => follower.dispose())

/** Also beside servers. */
const UNTIL = { timeout: 20_000 }

it('shows a saved capture as it was saved, once it is read', async () => {
  begin('triage', { params: { 'io.find': 'x' } })
  const address =
    '#/timeline?v=2&s=file:rookery.capture/h/shop&range=1000..2000&clock=utc&timeline.composed=io.journals'
  const opened = { ...file(null), name: 'mine.rookery', picture: { address, presets: '' } }
  capture.setState({ files: [opened] })
  capture.setState({ files: [{ ...opened, endedMs: 5 }] })
  await expect.poll(() => store.opened).toEqual(['timeline'])
  expect(store.view).toMatchObject({
    sources: ['file:mine.rookery/h/shop'],
    range: { startTicks: 1000, endTicks: 2000 },
    clock: 'utc',
    params: { 'io.find': '', 'timeline.composed': 'io.journals' },
  })
})

it('says why a saved capture is not shown as it was saved, and tries again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  begin('triage')
  const tries = vi.mocked(openPicture)
  tries.mockImplementationOnce(() => {
    throw new TypeError('Failed to fetch')
  })
  const address = '#/timeline?v=2&s=file:rookery.capture/h/shop'
  const opened = { ...file(5), name: 'mine.rookery', picture: { address, presets: '' } }
  capture.setState({ files: [opened] })
  await vi.waitFor(() => expect(unshown).toEqual([{ file: 'mine.rookery', message: 'Failed to fetch' }]), UNTIL)
  const before = tries.mock.calls.length
  capture.setState({ files: [opened] })
  await vi.advanceTimersByTimeAsync(1000)
  expect(tries).toHaveBeenCalledTimes(before)
  await vi.advanceTimersByTimeAsync(5000)
  capture.setState({ files: [opened] })
  await vi.waitFor(() => expect(store.opened).toEqual(['timeline']), UNTIL)
  expect(unshown).toHaveLength(1)
})

describe('files that are opened', () => {
  it('open a panel once: a user who leaves it while they are still read is not brought back', () => {
    begin('triage')
    rows = [row('file:a.zip/one', 0, 60_000), row('file:a.zip/two', 0, 60_000)]
    seen(['a.zip/one'], true)
    expect(store.opened).toEqual(['io'])
    store.panel = 'files'
    seen(['a.zip/one', 'a.zip/two'], true)
    seen(['a.zip/one', 'a.zip/two'])
    expect(store.opened).toEqual(['io'])
    expect(store.view.sources).toEqual(['file:a.zip/one', 'file:a.zip/two'])
    rows.push(row('file:b.json', 0, 60_000))
    seen(['a.zip/one', 'a.zip/two', 'b.json'])
    expect(store.opened).toEqual(['io', 'io'])
  })

  it.each([
    ['databases', ['triage']],
    ['triage', []],
    ['files', ['triage']],
    ['io', []],
  ])('a debug package leads from %s to where its servers are judged, and is chosen', (panel, opened) => {
    begin(panel)
    rows = [row('file:a.zip/one', 0, 60_000)]
    seen([], true, 1)
    seen(['a.zip/one'], true, 1)
    seen(['a.zip/one'], false, 1)
    expect(store.opened).toEqual(opened)
    expect(store.view.sources).toEqual(['file:a.zip/one'])
    expect(fits(0, 60_000)).toBe(true)
  })

  it('are chosen, fitted, and shown in the I/O panel; live sources stay', () => {
    begin('databases', { sources: ['db:Orders'] })
    rows = [row('file:a.json', 0, 60_000)]
    seen(['a.json'])
    expect(store.view.sources).toEqual(['db:Orders', 'file:a.json'])
    expect(store.opened).toEqual(['io'])
    expect(fits(0, 60_000)).toBe(true)
  })

  it('are fitted again while more of them is read, but not once the user has moved', () => {
    begin('io')
    rows = [row('file:a.json', 0, 1000)]
    seen(['a.json'], true)
    expect(fits(0, 1000)).toBe(true)
    rows = [row('file:a.json', 0, 9000)]
    seen(['a.json'], true)
    expect(fits(0, 9000)).toBe(true)
    const own = { startTicks: 5 as Ticks, endTicks: 6 as Ticks }
    store.view = { ...store.view, range: own }
    rows = [row('file:a.json', 0, 99_000)]
    seen(['a.json'])
    expect(store.view.range).toBe(own)
    expect(store.opened).toEqual([])
  })

  it('leave a range alone that the user has set before, and a live view that he goes back to', () => {
    const own = { startTicks: 5 as Ticks, endTicks: 6 as Ticks }
    begin('databases', { range: own })
    rows = [row('file:a.json', 0, 1000)]
    seen(['a.json'], true)
    expect(store.view.range).toEqual(own)
    expect(store.opened).toEqual(['io'])
    follower.dispose()
    begin('io')
    seen(['a.json', 'b.json'], true)
    rows = [row('file:b.json', 0, 1000)]
    seen(['a.json', 'b.json'], true)
    expect(fits(0, 1000)).toBe(true)
    store.view = { ...store.view, range: null }
    rows = [row('file:b.json', 0, 2000)]
    seen(['a.json', 'b.json'])
    expect(store.view.range).toBeNull()
  })

  it('several, at once or one after the other, are fitted together', () => {
    begin('io')
    rows = [row('file:a.json', 0, 1000)]
    seen(['a.json'])
    rows.push(row('file:b.json', 50_000, 60_000))
    seen(['a.json', 'b.json'])
    expect(store.view.sources).toEqual(['file:a.json', 'file:b.json'])
    expect(fits(0, 60_000)).toBe(true)
  })

  it('are not chosen again once they were taken out, and not all of very many', () => {
    begin('io')
    seen(['a.json'])
    store.view = { ...store.view, sources: [] }
    seen(['a.json'])
    expect(store.view.sources).toEqual([])
    seen(Array.from({ length: 80 }, (_, n) => `package.zip/db${n}`))
    expect(store.view.sources).toHaveLength(50)
  })

  it('open no panel where one is at work, or where they hold nothing', () => {
    begin('files')
    seen(['a.json'])
    expect(store).toMatchObject({ panel: 'files', opened: [] })
    follower.dispose()
    begin('io')
    rows = [row('file:b.json', 0, 1, 'unheard-of')]
    seen(['b.json'])
    expect(store.opened).toEqual([])
  })
})
