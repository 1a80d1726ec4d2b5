import { expect, it } from 'vitest'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../testing/fake-raven.ts'
import { previewPatch } from './preview.ts'

function preview(text: string, error: { readonly Type: string; readonly Message: string }) {
  const raven = new FakeRaven()
  raven.databases.set('Shop', 'loaded')
  raven.on(/queries\?disable/, () => ({
    Results: ['a', 'b'].map((id) => ({ '@metadata': { '@id': id } })),
    TotalResults: 2,
  }))
  raven.on(/queries\/test/, () => json(error, 500))
  const governor = new Governor(raven.env)
  governor.setViewOnly(false)
  return previewPatch(governor, { database: 'Shop', text, parameters: '' }, new AbortController().signal)
}

// As 7.1.5 responds.
const NAMESPACE = 'Raven.Client.Exceptions'
const SCRIPT = 'Update clause contains invalid script'

it('refuses a patch whose script cannot be parsed, instead of offering it with documents that fail', async () => {
  const text = 'from Orders update { this.x = ; }'
  const Message = `${SCRIPT}\nAt Line : 1, Column : 27\nQuery: ${text}`
  const outcome = await preview(text, { Type: `${NAMESPACE}.InvalidQueryException`, Message })
  expect(outcome).toMatchObject({ outcome: 'refused', message: SCRIPT })
})

it('shows for which documents a script fails', async () => {
  const Type = `${NAMESPACE}.Documents.Patching.JavaScriptException`
  const Message = "At 9:4 Script failed for document ID 'a'. boo"
  const outcome = await preview("from Orders update { throw new Error('boo') }", { Type, Message })
  expect(outcome).toMatchObject({ outcome: 'preview', changes: [{ id: 'a', error: Message }, { id: 'b' }] })
})
