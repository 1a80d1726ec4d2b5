import { expect, it } from 'vitest'
import type { ActionRequest } from '../model.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import { actionById } from '../table.ts'

const VERSION = parseVersion({ FullVersion: '7.1.5' })

const upload = (inputs: Readonly<Record<string, string>>): ActionRequest | undefined =>
  actionById('document.attach')?.request(
    {
      action: 'document.attach',
      target: { kind: 'document', database: 'Shop', name: 'rooms/1' },
      inputs: { attachment: 'plan.png', type: 'image/png', bytes: '1', ...inputs },
      // The version of the document is not that of an attachment.
      facts: { changeVector: 'A:1' },
    },
    VERSION,
  )

it('replaces an attachment that was shown, and none that another client has uploaded meanwhile', () => {
  expect(upload({ expected: '' })).toMatchObject({ query: { id: 'rooms/1', name: 'plan.png' }, ifMatch: '' })
  expect(upload({})).not.toHaveProperty('ifMatch')
})
