import { fireEvent, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { OpenedDocument } from '../../contract.ts'
import { AttachmentsPart } from './AttachmentsPart.tsx'

const openedWith = (hash: string): OpenedDocument => ({
  id: 'rooms/1',
  changeVector: 'A:1',
  modified: '2026-11-27T08:00:00.0000000Z',
  collection: 'Rooms',
  text: '{}',
  bytes: 2,
  flags: [],
  attachments: [{ name: 'plan.png', contentType: 'image/png', bytes: 9, hash }],
  counters: [],
  series: [],
})

function Part(): ReactNode {
  const [hash, setHash] = useState('a')
  return (
    <>
      <button type="button" onClick={() => setHash('b')}>
        Replace it
      </button>
      <AttachmentsPart database="Shop" opened={openedWith(hash)} onChanged={() => undefined} />
    </>
  )
}

afterEach(() => vi.restoreAllMocks())

it('says that an image cannot be drawn, and shows none that was replaced', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
  const capture = stubCapture()
  capture.responses.set('documents.attachment', () => new Uint8Array(9))
  renderPanel(<Part />, capture)
  fireEvent.click(await screen.findByRole('button', { name: 'Show plan.png' }))
  fireEvent.error(await screen.findByRole('img', { name: 'Attachment plan.png' }))
  expect(screen.getByRole('alert').textContent).toContain('The browser cannot draw this image')
  fireEvent.click(screen.getByRole('button', { name: 'Replace it' }))
  expect(screen.queryByRole('region', { name: 'Preview of plan.png' })).toBeNull()
})
