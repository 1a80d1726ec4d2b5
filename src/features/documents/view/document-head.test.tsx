import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sessionOf } from '../../../actions/client/session.ts'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { DocumentHead } from './DocumentHead.tsx'

it.each([
  ['Read', 'Needs the right ReadWrite on the database.'],
  ['ReadWrite', ''],
])('a certificate with %s may begin a new document, or is told why not: %j', async (right, reason) => {
  const capture = stubCapture()
  const certificate = { clearance: 'ValidUser', permissions: { shop: right } }
  capture.responses.set('actions.access', () => ({
    certificate,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  capture.responses.set('actions.certificate', () => certificate)
  capture.responses.set('actions.viewOnly', () => ({ isOn: false, isForced: false }))
  await sessionOf(capture).viewOnly.apply()
  const nothing = (): void => undefined
  renderPanel(
    <DocumentHead database="shop" showsDrafts={false} onDrafts={nothing} showsImport={false} onImport={nothing} />,
    capture,
  )
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'New document' })
  await waitFor(() => expect([button.title, button.disabled]).toEqual([reason, reason !== '']))
})
