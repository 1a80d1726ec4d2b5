import { cleanup, render, screen } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { TickSpan } from '../../base/ticks.ts'
import { createQueryClient } from '../../capture/client/requests/queries.ts'
import { CaptureContext, ViewContext, type ViewStore } from '../../capture/client/view.ts'
import { databaseRow, stubCapture } from '../../testing/stub-capture.ts'
import type { DatabaseRow } from '../../ravendb/databases/databases.ts'
import { SourceChoice } from './SourceChoice.tsx'

function renderChoice(rows: readonly DatabaseRow[]): void {
  const capture = stubCapture()
  capture.responses.set('databases.list', () => ({ rows, complete: true }))
  capture.responses.set('host.serverId', () => null)
  const store: ViewStore = {
    view: {
      sources: [],
      database: null,
      range: null,
      liveSpan: 1 as TickSpan,
      selection: null,
      clock: 'utc',
      params: {},
    },
    change: () => undefined,
    open: () => undefined,
    href: (panel) => `#/${panel}`,
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CaptureContext value={capture}>
        <ViewContext value={store}>
          <SourceChoice panelTitle="I/O" scope="both" opensNone={false}>
            the panel
          </SourceChoice>
        </ViewContext>
      </CaptureContext>
    </QueryClientProvider>,
  )
}

it('says that a server has no database, and where one is made, instead of asking to choose one', async () => {
  renderChoice([])
  expect(await screen.findByRole('heading', { name: 'This server has no database that you may see' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Databases' }).getAttribute('href')).toBe('#/databases')
  expect(screen.getByRole('button', { name: 'The server’s own storage' })).toBeTruthy()
  expect(screen.queryByText(/Click a name/)).toBeNull()
  cleanup()
  renderChoice([databaseRow('a'), databaseRow('b')])
  expect(await screen.findByText(/Click a name/)).toBeTruthy()
})
