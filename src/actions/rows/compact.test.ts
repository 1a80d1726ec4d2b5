import { beforeEach, expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import type { ActionCall } from '../model.ts'
import { nameList } from '../name-list.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
const ODD = "Auto/Orders/By'x,y'"

beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
  governor.setViewOnly(false)
  raven.on(/\/indexes\/stats/, () => json({ Results: [{ Name: ODD }, { Name: 'B' }] }))
  raven.on(/admin\/compact/, () => json({ OperationId: 1 }))
})

const { responses } = actionResponses()
const compact = (...indexes: readonly string[]) => {
  const call: ActionCall = {
    action: 'database.compact',
    target: { kind: 'database', database: 'shop', name: null },
    inputs: { indexes: nameList(indexes) },
    facts: {},
  }
  return responses['actions.send']!({ call, requestId: 'the-id' }, governor, new AbortController().signal)
}
const sent = (): string[] => raven.calls.flatMap(({ path }) => (path.includes('admin/compact') ? [path] : []))

it('a compaction is not sent with an index that there is not: the server would take the database offline for nothing', async () => {
  expect(await compact(ODD, 'Nope')).toMatchObject({
    outcome: 'refused',
    error: { message: 'Nothing was sent. “shop” has no index “Nope”.' },
  })
  raven.databases.set('shop', 'unloaded')
  governor = new Governor(raven.env)
  governor.setViewOnly(false)
  expect(await compact(ODD)).toMatchObject({ outcome: 'refused' })
  expect(sent()).toEqual([])
})

it('a compaction is sent with those that there are, whatever their case, and without any', async () => {
  expect(await compact(ODD, 'b')).toMatchObject({ outcome: 'accepted' })
  expect(await compact()).toMatchObject({ outcome: 'accepted' })
  expect(sent()).toHaveLength(2)
})
