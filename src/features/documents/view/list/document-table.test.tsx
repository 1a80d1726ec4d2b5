import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { DocumentRow } from '../../contract.ts'
import { DocumentTable } from './DocumentTable.tsx'

it('finds a document by the beginning of its id, by a reload, once there is one', async () => {
  const rows: DocumentRow[] = []
  const capture = stubCapture()
  capture.responses.set('documents.byPrefix', () => ({ rows: [...rows], total: rows.length, fields: [] }))
  renderPanel(
    <DocumentTable database="Shop" collection={null} prefix="new/" expected={3} onOpen={() => undefined} />,
    capture,
  )
  expect(await screen.findByText('No id begins with “new/”.')).toBeTruthy()
  rows.push({
    id: 'new/1',
    changeVector: 'A:1',
    collection: 'News',
    modified: '2026-11-27T08:00:00.0000000Z',
    cells: {},
  })
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByRole('button', { name: 'new/1' })).toBeTruthy()
  expect(screen.queryByText('No id begins with “new/”.')).toBeNull()
})

it('does not say that there are no documents before the list was read, whatever the statistics say', async () => {
  const capture = stubCapture()
  let respond: (page: object) => void = () => undefined
  capture.responses.set('documents.page', () => new Promise<object>((resolve) => void (respond = resolve)))
  renderPanel(
    <DocumentTable database="Shop" collection={null} prefix="" expected={0} onOpen={() => undefined} />,
    capture,
  )
  await expect.poll(() => capture.calls.map(([name]) => name)).toContain('documents.page')
  expect(screen.getByText('Reading the documents …')).toBeTruthy()
  expect(screen.queryByText(/No document yet/)).toBeNull()
  respond({ rows: [], total: 0, fields: [] })
  expect(await screen.findByText('No document yet: New document or Import adds the first.')).toBeTruthy()
})
