import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sourceState, stubCapture, type StubCapture } from '../../../testing/stub-capture.ts'
import { SourceNotices } from './SourceNotices.tsx'
import type { SourceState } from '../../client/state.ts'

const show = (parts: Partial<SourceState>): StubCapture => {
  const capture = stubCapture()
  const source = sourceState({ kind: 'database', name: 'Orders' }, { phase: 'paused', ...parts })
  render(
    <CaptureProvider capture={capture}>
      <SourceNotices sources={[source]} what="I/O" clock="utc" />
    </CaptureProvider>,
  )
  return capture
}

test('a hidden tab says so', () => {
  show({ message: 'Paused while the page is hidden.' })
  expect(screen.getByText('Orders is paused while this tab is hidden')).toBeDefined()
})

test('a pause by the overhead limit is named as such, says when it goes on, and can be ended', async () => {
  const capture = show({
    phase: 'paused-by-rookery',
    message: 'It costs too much.',
    retryAtMs: Date.UTC(2026, 0, 1, 4, 5, 6),
    frames: 0,
  })
  expect(screen.queryByText(/hidden/)).toBeNull()
  expect(screen.getByText('Orders: Paused by Rookery (overhead limit)')).toBeDefined()
  expect(screen.getByText('It costs too much. It resumes at 04:05:06. Collected data stays.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Resume now' }))
  expect(capture.calls).toContainEqual(['governor.resume', null])
})

test('such a pause of what has data moves nothing on the page: the status bar says it', () => {
  show({
    phase: 'paused-by-rookery',
    message: 'It costs too much.',
    retryAtMs: Date.UTC(2026, 0, 1, 4, 5, 6),
    frames: 3,
  })
  expect(screen.queryByText(/Paused by Rookery/)).toBeNull()
})

test('a server that stops is one notice, whatever was watched; what waits for something else has its own', () => {
  const lost = (name: string, parts: Partial<SourceState> = {}): SourceState =>
    sourceState(
      { kind: 'database', name },
      {
        phase: 'waiting',
        message: 'The server did not answer.',
        retryAtMs: null,
        sinceMs: Date.UTC(2026, 0, 1, 4, 5, 6),
        ...parts,
      },
    )
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const sources = [
    ...names.map((name) => lost(name)),
    lost('h', { phase: 'checking', message: 'Asking.', frames: 3 }),
    lost('off', { phase: 'disabled' }),
  ]
  const { opened } = renderPanel(<SourceNotices sources={sources} what="I/O" clock="utc" />, stubCapture())
  expect(screen.getAllByRole('button', { name: 'Try now' })).toHaveLength(2)
  expect(screen.getByText('8 sources: The server did not answer.')).toBeDefined()
  expect(screen.getByText(/and 3 more/).textContent).toContain('Since 04:05:06.')
  expect(screen.getByText('off is disabled')).toBeDefined()
  // Where it can be enabled.
  fireEvent.click(screen.getByRole('link', { name: 'its page' }))
  expect(opened).toEqual([{ panel: 'database', parts: { database: 'off' } }])
})

test('says nothing of sources that wait for a server that is gone: the shell does', () => {
  const capture = stubCapture()
  capture.setState({ serverError: { endpoint: '/x', status: null, message: 'No.', serverMessage: null, hint: '' } })
  const sources = [
    sourceState({ kind: 'database', name: 'a' }, { phase: 'waiting', message: 'The server did not answer.' }),
    sourceState({ kind: 'database', name: 'off' }, { phase: 'disabled' }),
  ]
  renderPanel(<SourceNotices sources={sources} what="I/O" clock="utc" />, capture)
  expect(screen.queryByText(/did not answer/)).toBeNull()
  expect(screen.getByText('off is disabled')).toBeDefined()
})

test('files are spoken of once, by the strip above: nothing here that could be tried again', () => {
  const broken = sourceState(
    { kind: 'file', name: 'cut.json' },
    { phase: 'broken', message: 'The readable part ends at byte 5.' },
  )
  render(
    <CaptureProvider capture={stubCapture()}>
      <SourceNotices sources={[broken]} what="I/O" clock="utc" />
    </CaptureProvider>,
  )
  expect(document.body.textContent).toBe('')
})

test('a database that loads says so, and after a time-out how far the server is', () => {
  show({ phase: 'loading', message: 'The server is loading “Orders”.' })
  expect(screen.getByText('The server is loading Orders')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Ask how far it is' })).toBeDefined()
  cleanup()
  const error = {
    endpoint: '/x',
    status: 503,
    message: 'The database is still loading. It is at “Starting Recovery”.',
    serverMessage: '[Load Database] …',
    hint: 'Loading continues: wait.',
  }
  show({ phase: 'loading', message: error.message, error })
  expect(screen.getByText(error.message)).toBeDefined()
  expect(screen.getByText(error.hint)).toBeDefined()
})
