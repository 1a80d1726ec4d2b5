import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { LoadDatabase } from './LoadDatabase.tsx'

it('says why a database cannot be loaded in place of the button', async () => {
  const capture = stubCapture()
  capture.responses.set('databases.closure', () => ({ reason: '“Shop” is disabled.' }))
  renderPanel(<LoadDatabase database="Shop" />, capture)
  expect(await screen.findByText('“Shop” is disabled.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
