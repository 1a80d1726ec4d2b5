import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ticksFromMs, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import { type ArchiveFile, emptyManifest, HOUR_TICKS, hourOf } from '../../capture/archive/manifest.ts'
import { openRecording } from '../../capture/archive/recordings.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../testing/stub-capture.ts'
import { EarlierHours } from './EarlierHours.tsx'

const OPENED = ticksFromMs(performance.timeOrigin)
const after = (seconds: number): Ticks => (OPENED + seconds * TICKS_PER_SECOND) as Ticks
/** Start of an hour before the page was opened. */
const hour = (before: number): Ticks => (hourOf(OPENED) - before * HOUR_TICKS) as Ticks

const FILE: ArchiveFile = {
  path: 'io/node=a_8080/day=2026-11-26/020000-5.parquet',
  table: 'io',
  node: 'a_8080',
  day: '2026-11-26',
  rows: 5,
  bytes: 500,
  minTicks: hour(2),
  maxTicks: hour(2) + TICKS_PER_SECOND,
}

async function show(startTicks: Ticks, sources: readonly string[]) {
  const capture = stubCapture({
    sources: [
      sourceState({ kind: 'database', name: 'shop' }),
      ...['shop', 'other', 'server'].map((own) => sourceState({ kind: 'file', name: `nightly/a_8080/${own}` })),
    ],
  })
  const recording = {
    name: 'nightly',
    manifest: { ...emptyManifest(), nodes: [{ name: 'a_8080', url: 'http://a:8080', journal: 1 }], files: [FILE] },
    journals: [],
    read: () => Promise.resolve(new Blob(['x'])),
  }
  await openRecording(capture, recording, { startTicks: hour(50), endTicks: hour(49) }, null)
  return renderPanel(<EarlierHours />, capture, { sources, range: { startTicks, endTicks: after(60) } })
}

it('offers the recording of a live database for hours before the page was opened', async () => {
  const { view } = await show(hour(3), ['db:shop'])
  expect(screen.getByRole('status').textContent).toMatch(/This page was opened at .*nightly\/a_8080\/shop has more/)
  fireEvent.click(screen.getByRole('button', { name: 'Show it, too' }))
  expect(view().sources).toEqual(['db:shop', 'file:nightly/a_8080/shop'])
  expect(screen.queryByRole('status')).toBeNull()
})

it.each([
  ['the range begins after the page was opened', after(10), ['db:shop']],
  ['the recording ends before the range', hour(1), ['db:shop']],
  ['it has nothing of the database', hour(3), ['db:cart']],
  ['a recording is in view', hour(3), ['file:nightly/a_8080/shop']],
])('offers nothing where %s', async (_, startTicks, sources) => {
  await show(startTicks, sources)
  expect(screen.queryByRole('status')).toBeNull()
})
