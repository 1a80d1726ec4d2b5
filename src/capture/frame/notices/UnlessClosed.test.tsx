import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { UnlessClosed } from './UnlessClosed.tsx'

function Stage(): ReactNode {
  const [database, setDatabase] = useState('Gone')
  return (
    <>
      <button type="button" onClick={() => setDatabase('Shop')}>
        Next
      </button>
      <UnlessClosed database={database}>
        <p>Content of {database}</p>
      </UnlessClosed>
    </>
  )
}

test('the reason of one database is not shown while the next one is asked for', async () => {
  const capture = stubCapture()
  let answer: (() => void) | undefined
  const promise = new Promise<{ readonly reason: null; readonly isGone: false }>((resolve) => {
    answer = () => resolve({ reason: null, isGone: false })
  })
  capture.responses.set('databases.closure', (params) =>
    (params as { readonly name: string }).name === 'Gone'
      ? { reason: 'There is no database “Gone”.', isGone: true }
      : promise,
  )
  renderPanel(<Stage />, capture)
  await screen.findByRole('heading', { name: 'There is no database “Gone”.' })
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(screen.queryByText('There is no database “Gone”.')).toBeNull()
  expect(screen.queryByText('Content of Shop')).toBeNull()
  answer?.()
  expect(await screen.findByText('Content of Shop')).toBeTruthy()
})

test('does not say of a sharded database that it was deleted or has another name', async () => {
  const capture = stubCapture()
  const reason = '“Shop” is sharded: open its shards, Shop$0.'
  capture.responses.set('databases.closure', () => ({ reason, isGone: true }))
  renderPanel(<UnlessClosed database="Shop">Content</UnlessClosed>, capture)
  const title = await screen.findByRole('heading', { name: reason })
  expect(title.parentElement?.textContent).toContain('Choose another database.')
  expect(screen.queryByText(/deleted|wrong/)).toBeNull()
  expect(screen.queryByText('Content')).toBeNull()
})

test('asks less and less often for a database that is not loaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    const capture = stubCapture()
    capture.responses.set('databases.closure', () => ({ reason: null, isGone: false }))
    renderPanel(<UnlessClosed database="Shop">Content</UnlessClosed>, capture)
    await act(() => vi.advanceTimersByTimeAsync(600_000))
    expect(capture.calls.length).toBeGreaterThanOrEqual(6)
    expect(capture.calls.length).toBeLessThanOrEqual(7)
  } finally {
    vi.useRealTimers()
  }
})

test('offers no load of a disabled database, and the way to what enables it', async () => {
  const capture = stubCapture()
  const reason = '“Shop” is disabled.'
  capture.responses.set('databases.closure', () => ({ reason, isGone: false }))
  renderPanel(<UnlessClosed database="Shop">Load it</UnlessClosed>, capture)
  await screen.findByRole('heading', { name: reason })
  expect(screen.getByRole('link', { name: 'Open Summary' })).toBeTruthy()
  expect(screen.queryByText(/Load it|another database/)).toBeNull()
})
