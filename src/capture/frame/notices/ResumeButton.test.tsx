import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { ResumeButton } from './ResumeButton.tsx'

test('what could not be resumed is said beside the button, until it is tried again', async () => {
  const user = userEvent.setup()
  const capture = stubCapture()
  render(
    <CaptureProvider capture={capture}>
      <ResumeButton />
    </CaptureProvider>,
  )
  capture.responses.set('governor.resume', () => {
    throw new Error('the worker is gone.')
  })
  await user.click(screen.getByRole('button', { name: 'Resume now' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Could not resume: the worker is gone.')
  capture.responses.set('governor.resume', () => null)
  await user.click(screen.getByRole('button', { name: 'Resume now' }))
  expect(screen.queryByRole('alert')).toBeNull()
})
