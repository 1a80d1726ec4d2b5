import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { RevisionsPart } from './RevisionsPart.tsx'

const revisions = ({ start, pageSize }: { readonly start: number; readonly pageSize: number }) => ({
  total: 120,
  revisions: Array.from({ length: Math.min(pageSize, 120 - start) }, (_, i) => ({
    changeVector: `A:${String(120 - start - i)}`,
    modified: '2026-11-27T08:00:00.0000000Z',
    flags: ['Revision'],
  })),
})

it('compares the last revision of a page with the first of the next one', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.revisions', (params) => revisions(params as Parameters<typeof revisions>[0]))
  const read: unknown[] = []
  capture.responses.set('documents.revision', (params) => {
    read.push(params)
    return null
  })
  const opened = { id: 'rooms/1', changeVector: 'A:120', text: '{}' }
  renderPanel(<RevisionsPart database="Shop" opened={opened} onRevert={() => undefined} />, capture)
  expect(await screen.findByText('1 to 50')).toBeTruthy()
  expect(screen.getAllByRole('row')).toHaveLength(51)
  fireEvent.click(screen.getByRole('button', { name: 'Changes of A:71' }))
  expect(await screen.findByText('The server does not keep that revision any more.')).toBeTruthy()
  expect(read).toEqual(['A:70', 'A:71'].map((changeVector) => ({ database: 'Shop', changeVector })))
})
