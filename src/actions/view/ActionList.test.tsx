import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import { sessionOf } from '../client/session.ts'
import { ActionList } from './ActionList.tsx'

async function show(isOn: boolean): Promise<readonly HTMLElement[]> {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({
    certificate: null,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  capture.responses.set('actions.viewOnly', () => ({ isOn, isForced: false }))
  await sessionOf(capture).viewOnly.apply()
  renderPanel(
    <ActionList target={{ kind: 'database', database: 'Orders', name: null }} facts={{ state: 'online' }} />,
    capture,
  )
  const list = await screen.findByRole('list', { name: 'What can be done to “Orders”' })
  await expect.poll(() => document.body.textContent).not.toContain('are being read')
  return within(list).getAllByRole('listitem')
}

it('says what each action does behind a click, not beside each', async () => {
  const items = await show(false)
  expect(items.every((item) => item.textContent === within(item).getByRole('button').textContent)).toBe(true)
  const details = screen.getByText('What each does').closest('details')
  expect(details?.open).toBe(false)
  expect(details?.querySelectorAll('dt').length).toBe(items.length)
})

it('says once that nothing can be changed in view-only mode', async () => {
  const items = await show(true)
  const head = screen.getByText('View only: allow changes by the lock in the header.')
  for (const item of items) {
    const button = within(item).getByRole<HTMLButtonElement>('button')
    expect([button.disabled, button.getAttribute('aria-describedby')]).toEqual([true, head.id])
  }
})
