import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { DocumentList } from './DocumentList.tsx'

afterEach(cleanup)

it('keeps a collection that is gone, rather than all documents in its place', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.collections', () => ({
    collections: [{ name: 'Orders', documents: 7 }],
    documents: 7,
    atMs: 0,
  }))
  capture.responses.set('documents.page', () => ({ rows: [], total: 0, fields: [] }))
  renderPanel(<DocumentList database="Shop" />, capture, { params: { 'documents.collection': 'Gone' } })
  expect(await screen.findByText('No document is in the collection “Gone”.')).toBeTruthy()
  expect(capture.calls.filter(([name]) => name === 'documents.page').map(([, params]) => params)).toEqual([
    expect.objectContaining({ collection: 'Gone' }),
  ])
  expect(screen.getByRole('button', { name: /^Gone/ }).getAttribute('aria-current')).toBe('true')
})
