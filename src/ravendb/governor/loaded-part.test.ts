import { expect, it } from 'vitest'
import { isOutcomeUnknown } from '../http/write.ts'
import { loadedPart } from './loaded-part.ts'

it('says that nothing was sent where a part of the page cannot be loaded', async () => {
  const failed = new TypeError('Failed to fetch dynamically imported module: http://server/studio/assets/transfer.js')
  const error: unknown = await loadedPart('/attachments', () => Promise.reject(failed)).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ status: null, message: expect.stringMatching(/^Nothing was sent/) as string })
  expect(isOutcomeUnknown(error, '/attachments')).toBe(false)
  expect(await loadedPart('/attachments', () => Promise.resolve(1))).toBe(1)
})
