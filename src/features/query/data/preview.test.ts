import { expect, it } from 'vitest'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../testing/fake-raven.ts'
import { previewPatch } from './preview.ts'

function preview(text: string, response: Parameters<FakeRaven['on']>[1]) {
  const raven = new FakeRaven()
  raven.databases.set('Shop', 'loaded')
  raven.on(/queries\?disable/, () => ({
    Results: ['a', 'b'].map((id) => ({ '@metadata': { '@id': id } })),
    TotalResults: 2,
  }))
  raven.on(/queries\/test/, response)
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
  const outcome = await preview(text, () => json({ Type: `${NAMESPACE}.InvalidQueryException`, Message }, 500))
  expect(outcome).toMatchObject({ outcome: 'refused', message: SCRIPT })
})

it('shows for which documents a script fails', async () => {
  const Type = `${NAMESPACE}.Documents.Patching.JavaScriptException`
  const Message = "At 9:4 Script failed for document ID 'a'. boo"
  const outcome = await preview("from Orders update { throw new Error('boo') }", () => json({ Type, Message }, 500))
  expect(outcome).toMatchObject({ outcome: 'preview', changes: [{ id: 'a', error: Message }, { id: 'b' }] })
})

it('names the other documents that a script stores and deletes, and one that is gone', async () => {
  const document = { '@metadata': { '@id': 'a' } }
  const responses = [
    {
      OriginalDocument: document,
      ModifiedDocument: document,
      Debug: {
        Actions: {
          DeleteDocument: ['b'],
          PutDocument: [{ Id: 'made/1', Data: {} }],
          LoadDocument: ['c'],
          IncrementCounter: ['a'],
        },
      },
    },
  ]
  const outcome = await preview("from Orders update { put('made/1', {}); del('b') }", () =>
    responses.length > 0 ? json(responses.shift()) : new Response(null, { status: 404 }),
  )
  expect(outcome).toMatchObject({
    changes: [
      { id: 'a', others: ['deletes b', 'stores made/1', 'increments counters (1)'], error: null },
      { id: 'b', others: [], error: null, isGone: true },
    ],
  })
})
