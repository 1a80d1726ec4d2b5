import { expect, it } from 'vitest'
import type { ActionCall, ActionRequest, CheckContext } from '../model.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import { actionById } from '../table.ts'

const VERSION = parseVersion({ FullVersion: '7.1.5' })

const CALL: ActionCall = {
  action: 'document.attach',
  target: { kind: 'document', database: 'Shop', name: 'rooms/1' },
  inputs: { attachment: 'plan.png', type: 'image/png', bytes: '1' },
  // The version of the document is not that of an attachment.
  facts: { changeVector: 'A:1' },
}

const upload = (inputs: Readonly<Record<string, string>>): ActionRequest | undefined =>
  actionById('document.attach')?.request({ ...CALL, inputs: { ...CALL.inputs, ...inputs } }, VERSION)

it('replaces an attachment that was shown, and none that another client has uploaded meanwhile', () => {
  expect(upload({ expected: '' })).toMatchObject({ query: { id: 'rooms/1', name: 'plan.png' }, ifMatch: '' })
  expect(upload({})).not.toHaveProperty('ifMatch')
  expect(upload({ expected: 'A:7-x' })).toMatchObject({ ifMatch: 'A:7-x' })
})

it.each([
  ['of before', 'was', 'unchanged'],
  ['that was sent', 'is', 'done'],
])('reads an attachment %s after a lost response', async (_, Hash, state) => {
  const attachments = [{ Name: 'plan.png', Hash, Size: 1 }]
  const call = { ...CALL, inputs: { ...CALL.inputs, expected: 'A:1', replaced: 'was' } }
  const read = () => Promise.resolve({ Results: [{ '@metadata': { '@attachments': attachments } }] })
  const context = { call, accepted: null, read } as unknown as CheckContext
  expect(await actionById('document.attach')?.check(context)).toMatchObject({ state })
})
