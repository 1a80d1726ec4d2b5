import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sessionOf } from '../../../actions/client/session.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../../testing/stub-capture.ts'
import { DatabasesMenu } from './DatabaseActions.tsx'

it('backs up, compacts and deletes several databases, and asks once for all', async () => {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({
    certificate: null,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  capture.responses.set('actions.viewOnly', () => ({ isOn: false, isForced: false }))
  const session = sessionOf(capture)
  await session.viewOnly.apply()
  const rows = ['a', 'b'].map((name) => databaseRow(name))
  renderPanel(<DatabasesMenu rows={rows} />, capture)
  await screen.findByRole('button', { name: 'Act on 2 databases' })
  await expect.poll(() => document.body.textContent).not.toContain('are being read')
  const words = screen.getAllByRole('menuitem', { hidden: true }).map(({ textContent }) => textContent)
  const wanted = ['Back up now …', 'Compact …', 'Delete, keep the files …', 'Delete with all files …']
  expect(words.filter((text) => /Back|Compact|Delete/.test(text))).toEqual(wanted)
  screen.getByRole('menuitem', { hidden: true, name: 'Delete with all files …' }).click()
  const pending = session.confirmation.getSnapshot()
  expect(pending?.calls.map(({ target }) => target.database)).toEqual(['a', 'b'])
})
