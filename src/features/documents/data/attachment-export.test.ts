import { expect, it } from 'vitest'
import { Pieces } from '../../../capture/exporting/pieces.ts'
import { RavenError, type RavenErrorKind } from '../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { attachmentExporters } from './attachment-export.ts'

const GONE = 'The document does not have this attachment any more.'

it.each<[RavenErrorKind, string]>([
  ['bad-request', GONE],
  ['database-missing', 'as reported'],
  ['not-json', 'as reported'],
])('a download that ends with 404, %s: %s', async (kind, message) => {
  const error = new RavenError({ kind, endpoint: '/attachments', status: 404, message: 'as reported' })
  const governor = { transfer: () => Promise.reject(error) } as unknown as Governor
  const params = { database: 'Shop', id: 'orders/1', name: 'a.txt', bytes: 3 }
  const plan = await attachmentExporters(() => governor)['documents.attachment'](params)
  const steps = plan.steps(new Pieces())
  await expect(Promise.resolve(steps.next())).rejects.toMatchObject({ message })
})
