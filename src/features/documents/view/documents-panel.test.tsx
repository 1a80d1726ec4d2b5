import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { useView } from '../../../capture/client/view.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { documentsPanel } from '../panel.ts'
import DocumentsPanel from './DocumentsPanel.tsx'

function Other(): ReactNode {
  const { change } = useView()
  return (
    <button type="button" onClick={() => change({ database: 'Other' })}>
      Other database
    </button>
  )
}

it('has one head after another database was chosen', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.collections', () => ({ collections: [], documents: 0, atMs: 0 }))
  capture.responses.set('documents.page', (params) => {
    asked.push((params as { readonly database: string }).database)
    return { rows: [], total: 0, fields: [] }
  })
  const asked: string[] = []
  renderPanel(
    <>
      <Other />
      <DocumentsPanel panel={documentsPanel} />
    </>,
    capture,
    { database: 'Shop' },
  )
  await waitFor(() => expect(asked).toEqual(['Shop']))
  fireEvent.click(screen.getByText('Other database'))
  await waitFor(() => expect(asked).toContain('Other'))
  expect(screen.getAllByRole('button', { name: 'New document' })).toHaveLength(1)
})
