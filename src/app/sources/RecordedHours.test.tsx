import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { parseTicks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { emptyManifest, type ArchiveFile } from '../../capture/archive/manifest.ts'
import { MOST_ROWS, openRecording, recordingIn, recordings } from '../../capture/archive/recordings.ts'
import { useView } from '../../capture/client/view.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import { RecordedHours } from './RecordedHours.tsx'

const HOUR = 3600 * TICKS_PER_SECOND
const MIDNIGHT = parseTicks('2026-11-26T00:00:00.0000000Z')
const at = (hours: number) => (MIDNIGHT + hours * HOUR) as typeof MIDNIGHT
const fileOf = (hour: number, rows: number): ArchiveFile => ({
  path: `io/node=a_8080/day=2026-11-26/${String(hour)}.parquet`,
  table: 'io',
  node: 'a_8080',
  day: '2026-11-26',
  rows,
  bytes: rows,
  minTicks: at(hour),
  maxTicks: at(hour) + 5,
})

function Mover({ to }: { readonly to: number }): ReactNode {
  const { change } = useView()
  return (
    <>
      <button type="button" onClick={() => change({ range: { startTicks: at(to), endTicks: at(to + 1) } })}>
        Move
      </button>
      <RecordedHours />
    </>
  )
}
const move = () => fireEvent.click(screen.getByRole('button', { name: 'Move' }))

it('opens an hour that comes into sight, and of too many rows says what is not open', async () => {
  const capture = stubCapture()
  const sources = ['file:followed/a_8080/shop']
  const files = [fileOf(1, 100), fileOf(2, MOST_ROWS + 1)]
  const recording = {
    name: 'followed',
    manifest: { ...emptyManifest(), files },
    journals: [],
    read: () => Promise.resolve(new Blob(['x'])),
  }
  const nothing = { startTicks: at(100), endTicks: at(101) }
  await openRecording(capture, recording, nothing, null)
  renderPanel(<RecordedHours />, capture, { sources, range: { startTicks: at(1), endTicks: at(2) } })
  await waitFor(() => expect(capture.calls).toEqual([['openFiles', ['followed']]]))
  expect(screen.queryByRole('status')).toBeNull()
  cleanup()
  renderPanel(<RecordedHours />, capture, { sources, range: { startTicks: at(1), endTicks: at(3) } })
  expect((await screen.findByRole('status')).textContent).toContain(
    '1 of 2 hours in sight are not open (3,000,001 rows)',
  )
  expect(capture.calls).toHaveLength(1)
})

it('reports nothing of hours that have left sight', async () => {
  const capture = stubCapture()
  const files = [fileOf(1, 100), fileOf(2, MOST_ROWS + 1), fileOf(3, 0)]
  const failures: ((error: Error) => void)[] = []
  const recording = {
    name: 'left',
    manifest: { ...emptyManifest(), files },
    journals: [],
    read: () => new Promise<Blob>((_, failed) => failures.push(failed)),
  }
  await openRecording(capture, recording, { startTicks: at(100), endTicks: at(101) }, null)
  const sources = ['file:left/a_8080/shop']
  renderPanel(<Mover to={2} />, capture, { sources, range: { startTicks: at(1), endTicks: at(2) } })
  await waitFor(() => expect(failures).toHaveLength(1))
  move()
  expect((await screen.findByRole('status')).textContent).toContain('1 of 1 hour in sight are not open')
  await act(async () => {
    failures[0]?.(new Error('It is away.'))
    await Promise.resolve()
  })
  expect(screen.getByRole('status').textContent).toContain('1 of 1 hour in sight are not open')
})

it('takes a failure back when hours come into sight that need no opening', async () => {
  const capture = stubCapture()
  const recording = {
    name: 'failing',
    manifest: { ...emptyManifest(), files: [fileOf(1, 100)] },
    unlisted: ['b'],
    journals: [],
    read: () => Promise.reject(new Error('It is away')),
  }
  await openRecording(capture, recording, { startTicks: at(100), endTicks: at(101) }, null)
  renderPanel(<Mover to={50} />, capture, {
    sources: ['file:failing/a_8080/shop'],
    range: { startTicks: at(1), endTicks: at(2) },
  })
  const status = await screen.findByRole('status')
  await waitFor(() =>
    expect(status.textContent).toContain('could not be opened: It is away. The folder has files of b '),
  )
  move()
  await waitFor(() => expect(status.textContent).not.toContain('It is away'))
})

it('says which file of hours in sight a folder lacks', async () => {
  const capture = stubCapture()
  const manifest = { ...emptyManifest(), files: [fileOf(1, 100), fileOf(2, 100)] }
  const recording = await recordingIn('lacking', [
    { path: 'manifest.json', blob: new Blob([JSON.stringify(manifest)]) },
    { path: fileOf(2, 100).path, blob: new Blob(['x']) },
  ])
  await openRecording(capture, recording!, { startTicks: at(100), endTicks: at(101) }, null)
  const sources = ['file:lacking/a_8080/shop']
  renderPanel(<RecordedHours />, capture, { sources, range: { startTicks: at(1), endTicks: at(3) } })
  expect((await screen.findByRole('status')).textContent).toContain(`The folder lacks ${fileOf(1, 100).path}.`)
  expect(capture.calls).toEqual([['openFiles', ['lacking']]])
})

it('says on every panel why the recording that is served with the page is not open', async () => {
  renderPanel(<RecordedHours />, stubCapture(), {})
  expect(screen.queryByRole('alert')).toBeNull()
  act(() => recordings.setUnopened('The archive could not be read: HTTP 500'))
  expect(screen.getByRole('alert').textContent).toContain('The recording could not be opened')
  act(() => recordings.setUnopened(''))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
