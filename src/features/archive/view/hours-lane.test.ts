import { expect, it } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../../base/ticks.ts'
import { emptyManifest, type ArchiveHour } from '../../../capture/archive/manifest.ts'
import { openRecording } from '../../../capture/archive/recordings.ts'
import lane from './hours-lane.ts'

const HOUR = 3600 * TICKS_PER_SECOND
const MIDNIGHT = parseTicks('2026-11-26T00:00:00.0000000Z')
const hourOf = (node: string, hour: number, slow: number): ArchiveHour => ({
  node,
  startTicks: MIDNIGHT + hour * HOUR,
  events: 100,
  writes: 50,
  slow,
  slowTicks: slow * 200_000,
  slowestTicks: slow * 200_000,
  critical: 0,
  warning: 0,
  gapTicks: 0,
})

it('has all hours of the recorded server that is shown, none of which is open, in order of time', async () => {
  const hours = [hourOf('a_8080', 2, 3), hourOf('a_8080', 0, 0), hourOf('b_8080', 1, 0)]
  const recording = {
    name: 'lanes',
    manifest: { ...emptyManifest(), hours },
    journals: [],
    read: () => Promise.reject(new Error('not read')),
  }
  const none = { openFiles: () => undefined, getState: () => ({ files: [] }) as never }
  await openRecording(none, recording, { startTicks: 0 as Ticks, endTicks: 1 as Ticks }, null)
  const view = { sources: ['file:lanes/a_8080/shop'] }
  const { tracks, summarize } = await lane.read(
    () => Promise.reject(new Error('no request')),
    view as never,
    new AbortController().signal,
  )
  const [track] = tracks
  expect(track?.marks.startTicks).toEqual(Float64Array.of(MIDNIGHT, MIDNIGHT + 2 * HOUR))
  expect(track?.itemAt(1).evidence.join(' ')).toContain('3 journal writes of 10 ms or more, 60.0 ms together')
  expect(track?.itemAt(1).link?.parts.range).toEqual({ startTicks: MIDNIGHT + 2 * HOUR, endTicks: MIDNIGHT + 3 * HOUR })
  expect(summarize({ startTicks: MIDNIGHT, endTicks: (MIDNIGHT + HOUR) as Ticks })).toContain('1 recorded hour')
})
