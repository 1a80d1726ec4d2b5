import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { sessionOf } from '../../actions/client/session.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import { Palette } from './Palette.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

async function show(isForced = false) {
  const capture = stubCapture()
  capture.responses.set('actions.viewOnly', (params) => ({
    isForced,
    isOn: isForced || (params as { readonly isOn: boolean }).isOn,
  }))
  const { viewOnly } = sessionOf(capture)
  await viewOnly.apply()
  const onClose = vi.fn<() => void>()
  renderPanel(<Palette onClose={onClose} />, capture)
  const user = userEvent.setup()
  return { user, viewOnly, onClose }
}

it('turns view only on and off by its name, and has the focus in its field', async () => {
  const { user, viewOnly, onClose } = await show()
  await user.keyboard('view only{Enter}')
  expect(onClose).toHaveBeenCalledTimes(1)
  await expect.poll(() => viewOnly.getSnapshot()?.isOn).toBe(true)
  expect(await screen.findByRole('option', { name: /^View only: allow changes/ })).toBeTruthy()
  await user.keyboard('{Enter}')
  await expect.poll(() => viewOnly.getSnapshot()?.isOn).toBe(false)
})

it('says why view only cannot be turned off where the server forces it', async () => {
  const { user, viewOnly, onClose } = await show(true)
  await user.keyboard('view only{Enter}')
  expect(onClose).not.toHaveBeenCalled()
  expect(viewOnly.getSnapshot()?.isOn).toBe(true)
  expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('option').textContent).toContain('--allow-changes')
})
