import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { DocumentHead } from '../DocumentHead.tsx'
import { DocumentView } from './DocumentView.tsx'

const nothing = (): void => undefined

it('opens an id with the spaces that are typed, and offers the one without where there is no such document', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.open', () => null)
  const { view } = renderPanel(
    <>
      <DocumentHead database="Shop" showsDrafts={false} onDrafts={nothing} showsImport={false} onImport={nothing} />
      <DocumentView database="Shop" id=" orders/1" />
    </>,
    capture,
  )
  fireEvent.change(screen.getByRole('textbox', { name: 'Go to id' }), { target: { value: ' orders/1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Go' }))
  expect(view().params['documents.id']).toBe(' orders/1')
  fireEvent.click(await screen.findByRole('button', { name: 'Open “orders/1” without spaces around it' }))
  expect(view().params['documents.id']).toBe('orders/1')
})
