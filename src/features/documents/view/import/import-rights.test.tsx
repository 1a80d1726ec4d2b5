import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { ImportSection } from './ImportSection.tsx'

it('says beforehand that a certificate may import into the open database, and not into a new one', async () => {
  const capture = stubCapture()
  const access = {
    certificate: { clearance: 'ValidUser', permissions: { shop: 'ReadWrite' } },
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  } as const
  capture.responses.set('actions.access', () => access)
  capture.responses.set('actions.certificate', () => access.certificate)
  capture.responses.set('actions.viewOnly', () => ({ isOn: false, isForced: false }))
  renderPanel(<ImportSection database="shop" />, capture)
  expect(await screen.findByText('Needs the clearance Operator or ClusterAdmin.')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '“shop”' }))
  expect(screen.queryByText(/^Needs /)).toBeNull()
  expect(screen.getByRole('button', { name: 'Import' }).title).toBe('Choose a file first.')
})
