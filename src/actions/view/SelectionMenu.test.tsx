import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import type { Access } from '../access.ts'
import { sessionOf } from '../client/session.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { SelectionMenu } from './SelectionMenu.tsx'

const ACCESS: Access = {
  certificate: null,
  licence: null,
  serverId: 's',
  version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
}

const database = (name: string, facts: ActionFacts) => ({
  target: { kind: 'database', database: name, name: null } satisfies ActionTarget,
  facts,
})

async function show(
  targets: readonly { readonly target: ActionTarget; readonly facts: ActionFacts }[],
  access = ACCESS,
) {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => access)
  capture.responses.set('actions.viewOnly', () => ({ isOn: false, isForced: false }))
  await sessionOf(capture).viewOnly.apply()
  renderPanel(
    <SelectionMenu targets={targets} only={['database.enable', 'database.disable', 'database.restart']} />,
    capture,
  )
  await screen.findByRole('button', { name: /^Act on/ })
  await expect.poll(() => document.body.textContent).not.toContain('are being read')
  const items = screen.getAllByRole('menuitem', { hidden: true })
  return { capture, items, words: items.map(({ textContent }) => textContent) }
}

it('offers what makes sense for some of the databases, says for how many, and asks once for all', async () => {
  const { capture, items, words } = await show([
    database('a', { state: 'online' }),
    database('b', { state: 'disabled' }),
    database('c', { state: 'online' }),
  ])
  expect(screen.getByRole('button', { name: 'Act on 3 databases' })).toBeTruthy()
  // An action that needs no confirmation for a single target is sent at once.
  expect(words).toEqual(['Enable: 1 of 3', 'Disable: 2 of 3 …', 'Restart: 2 of 3 …'])
  items[1]!.click()
  const pending = sessionOf(capture).confirmation.getSnapshot()!
  expect(pending.title).toBe('Disable')
  expect(pending.calls.map(({ target }) => target.database)).toEqual(['a', 'c'])
})

it('offers it for those where the certificate allows it, and else says which right is needed', async () => {
  const certificate = { clearance: 'ValidUser', permissions: { a: 'Admin', b: 'Read' } }
  const { capture, items, words } = await show(
    [database('a', { state: 'online' }), database('b', { state: 'online' })],
    { ...ACCESS, certificate },
  )
  expect(words).toEqual(['Disable …Needs the clearance Operator or ClusterAdmin.', 'Restart: 1 of 2 …'])
  items[0]!.click()
  expect(sessionOf(capture).confirmation.getSnapshot()).toBeNull()
  items[1]!.click()
  expect(
    sessionOf(capture)
      .confirmation.getSnapshot()!
      .calls.map(({ target }) => target.database),
  ).toEqual(['a'])
})
