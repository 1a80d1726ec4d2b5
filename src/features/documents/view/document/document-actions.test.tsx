import { screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { sessionOf } from '../../../../actions/client/session.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { OpenedDocument } from '../../contract.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { useSaving } from './useSaving.ts'

const OPENED: OpenedDocument = {
  id: 'orders/1',
  changeVector: 'A:1',
  modified: '',
  collection: 'Orders',
  text: '{}',
  bytes: 2,
  flags: [],
  attachments: [],
  counters: [],
  series: [],
}
const nothing = (): void => undefined

function Actions(): ReactNode {
  const { refusal } = useSaving('shop')
  return (
    <DocumentActions
      database="shop"
      opened={OPENED}
      text={OPENED.text}
      isChanged={false}
      saveRefusal={refusal ?? 'Nothing was changed.'}
      refusal={refusal}
      onSave={nothing}
      onDiscard={nothing}
      onFormat={null}
    />
  )
}

const NEEDS = 'Needs the right ReadWrite on the database.'

it.each([
  ['Read', false, NEEDS],
  ['ReadWrite', true, null],
  ['ReadWrite', false, ''],
])('a certificate with %s, view only %j, may clone a document, or reads why not', async (right, isOn, reason) => {
  const capture = stubCapture()
  const certificate = { clearance: 'ValidUser', permissions: { shop: right } }
  capture.responses.set('actions.access', () => ({
    certificate,
    licence: null,
    serverId: 's',
    version: { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71 },
  }))
  capture.responses.set('actions.certificate', () => certificate)
  capture.responses.set('actions.viewOnly', () => ({ isOn, isForced: false }))
  await sessionOf(capture).viewOnly.apply()
  renderPanel(<Actions />, capture)
  const button = async (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
  const clone = await button('Clone')
  if (reason === '') {
    await waitFor(() => expect(clone.disabled).toBe(false))
    return
  }
  await waitFor(() => expect(clone.title).toMatch(reason ?? /view only/i))
  expect(clone.disabled).toBe(true)
  // The reasons are those of Save, and of Delete, which needs the same right.
  for (const name of ['Save …', 'Delete: “orders/1” of “shop”']) expect((await button(name)).disabled).toBe(true)
  expect((await button('Download')).disabled).toBe(false)
})
