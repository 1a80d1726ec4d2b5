import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { exportJobs } from '../../../../capture/exporting/export-jobs.ts'
import { EXACT_FORMATS } from '../../../../capture/exporting/exact-formats.ts'
import { exportFileName } from '../../../../capture/exporting/file-name.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { DocumentTable } from './DocumentTable.tsx'

it('keeps an export in sight when its selection is cleared, and drops its words with the next selection', async () => {
  const capture = stubCapture()
  const cells = {}
  const modified = '2026-11-27T08:00:00.0000000Z'
  const rows = ['a', 'b'].map((id) => ({ id, changeVector: 'A:1', collection: 'News', modified, cells }))
  capture.responses.set('documents.page', () => ({ rows, total: 2, fields: [] }))
  let end = (): void => undefined
  capture.responses.set(
    'host.export.begin',
    () => new Promise((_, failed) => (end = () => failed(new Error('It was aborted.')))),
  )
  capture.responses.set('host.export.cancel', () => null)
  renderPanel(
    <DocumentTable database="Shop" collection={null} prefix="" expected={2} onOpen={() => undefined} />,
    capture,
  )
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select a' }))
  const [{ kind, extension }] = EXACT_FORMATS
  const jobs = exportJobs(capture)
  const target = { isDownload: false, write: vi.fn(), finish: vi.fn(), discard: () => Promise.resolve() }
  const fileName = exportFileName({ what: 'documents', of: 'Shop', at: null, extension })
  const params = { database: 'Shop', text: '', parameters: '', columns: [] }
  await act(async () => {
    void jobs.start({ exporter: `query.${kind}`, params, fileName, target })
    await Promise.resolve()
  })
  fireEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('button', { name: 'Export the selected documents' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  end()
  expect(await screen.findByText('The export was stopped.')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select b' }))
  expect(screen.queryByText('The export was stopped.')).toBeNull()
})
