import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CaptureError } from '../../../../capture/client/client.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture, unanswered } from '../../../../testing/stub-capture.ts'
import { DocumentList } from './DocumentList.tsx'

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

it('offers the list of databases where this one does not exist', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.collections', () => {
    const message = 'There is no database “Shop” here.'
    throw new CaptureError({ ...unanswered, kind: 'database-missing', message })
  })
  renderPanel(<DocumentList database="Shop" />, capture)
  expect(await screen.findByRole('heading', { name: 'There is no database “Shop” here.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Databases' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load and browse' })).toBeNull()
})

it('does not claim that a collection is empty before its documents were read', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.collections', () => ({ collections: [], documents: 0, atMs: 0 }))
  capture.responses.set('documents.page', () => new Promise(() => undefined))
  renderPanel(<DocumentList database="Shop" />, capture, { params: { 'documents.collection': 'New' } })
  await expect.poll(() => capture.calls.some(([name]) => name === 'documents.page')).toBe(true)
  expect(screen.queryByText(/No document is in/)).toBeNull()
})
