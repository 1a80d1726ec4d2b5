import { describe, expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { parseVersion, type ServerVersion } from '../../ravendb/versions.ts'
import { opensDialog, type ActionFacts, type CheckResult } from '../model.ts'
import { actionById } from '../table.ts'
import { actionResponses } from '../worker/responses.ts'

const CREATED = '2026-01-01T00:00:00.0000000Z'

function checkDeletion(indexes: readonly object[]): Promise<CheckResult> {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.on(/indexes\/stats/, () => ({ Results: indexes }))
  const call = {
    action: 'index.delete',
    target: { kind: 'index', database: 'shop', name: 'Orders' },
    inputs: {},
    facts: { createdAt: CREATED },
  } as const
  const { responses } = actionResponses()
  const signal = new AbortController().signal
  return Promise.resolve(
    responses['actions.check']!({ call, accepted: true, startedMs: 0 }, new Governor(raven.env), signal),
  )
}

it('a deletion is done when there is no index of the name, whatever its case', async () => {
  expect(await checkDeletion([{ Name: 'Others' }])).toMatchObject({ state: 'done' })
  expect(await checkDeletion([{ Name: 'ORDERS', CreatedTimestamp: CREATED }])).toMatchObject({ state: 'unchanged' })
  expect(await checkDeletion([{ Name: 'Orders', CreatedTimestamp: CREATED, LockMode: 'LockedIgnore' }])).toEqual({
    state: 'unchanged',
    text: 'The index still exists: its lock mode is LockedIgnore.',
  })
})

it('a deletion after which there is a younger index of the name is neither done nor nothing', async () => {
  expect(await checkDeletion([{ Name: 'Orders', CreatedTimestamp: '2026-01-02T00:00:00.0000000Z' }])).toMatchObject({
    state: 'unknown',
    isLast: true,
    text: expect.stringContaining('another client') as string,
  })
})

describe('a reset side by side', () => {
  const [OWN, NEXT, NEVER] = ['2026-01-02T00:00:00.1', '2026-01-03T00:00:00.1', '0001-01-01T00:00:00.0000000']
  type Row = { readonly CreatedTimestamp: string; readonly EntriesCount?: number; readonly State?: string }

  function checkReset(index: Row, replacement: Row | null, made?: string): Promise<CheckResult> {
    const raven = new FakeRaven()
    raven.databases.set('shop', 'loaded')
    raven.on(/indexes\/stats/, () => ({
      Results: [
        { Name: 'Orders', ...index },
        ...(replacement === null ? [] : [{ Name: 'ReplacementOf/Orders', ...replacement }]),
      ],
    }))
    const call = {
      action: 'index.reset-side-by-side',
      target: { kind: 'index', database: 'shop', name: 'Orders' },
      inputs: {},
      facts: { createdAt: CREATED },
    } as const
    const requested = { call, accepted: true, startedMs: 0, ...(made === undefined ? {} : { made }) }
    const { responses } = actionResponses()
    return Promise.resolve(
      responses['actions.check']!(requested, new Governor(raven.env), new AbortController().signal),
    )
  }
  const old = { CreatedTimestamp: CREATED, EntriesCount: 800 }
  const own = { CreatedTimestamp: OWN, EntriesCount: 5 }
  const next = { CreatedTimestamp: NEXT, EntriesCount: 6 }

  it('is done by its own replacement, and not while that takes its place', async () => {
    expect(await checkReset(old, own)).toMatchObject({ state: 'running', made: OWN })
    expect(await checkReset(old, own, OWN)).toMatchObject({ state: 'running' })
    expect(await checkReset({ CreatedTimestamp: NEVER, EntriesCount: 0 }, null, OWN)).toMatchObject({
      state: 'running',
    })
    expect(await checkReset({ ...own, EntriesCount: 800 }, null, OWN)).toEqual({
      state: 'done',
      text: 'It was replaced, and has 800 entries.',
    })
    // Built before the first look.
    expect(await checkReset(own, null)).toMatchObject({ state: 'done' })
    expect(await checkReset(own, next, OWN)).toMatchObject({ state: 'done' })
  })

  it('whose replacement was discarded is not done by that of the next one', async () => {
    expect(await checkReset(old, null, OWN)).toMatchObject({ state: 'unchanged' })
    expect(await checkReset(old, next, OWN)).toMatchObject({ state: 'unchanged', isLast: true })
    expect(await checkReset(next, null, OWN)).toMatchObject({ state: 'unknown', isLast: true })
  })
})

it.each(['index.delete', 'index.reset', 'index.reset-side-by-side'])(
  '%s is not sent where another index of that name was made since',
  async (action) => {
    const raven = new FakeRaven()
    raven.databases.set('shop', 'loaded')
    raven.on(/indexes\/stats/, () => ({
      Results: [{ Name: 'Orders', CreatedTimestamp: '2026-01-02T00:00:00.0000000Z' }],
    }))
    const governor = new Governor(raven.env)
    governor.setViewOnly(false)
    const target = { kind: 'index', database: 'shop', name: 'Orders' } as const
    const call = { action, target, inputs: {}, facts: { createdAt: CREATED } }
    const { responses } = actionResponses()
    const outcome = responses['actions.send']!({ call, requestId: 'i' }, governor, new AbortController().signal)
    const message = expect.stringMatching(/^Nothing was sent\. “Orders” was created again, or reset/) as string
    expect(await outcome).toMatchObject({ outcome: 'refused', error: { message } })
    expect(raven.paths(/indexes\?name/)).toEqual([])
  },
)

describe('what ends the thread of an index', () => {
  const index = { Name: 'Orders', CreatedTimestamp: CREATED, State: 'Normal' }
  const SWAPPING = { ...index, CreatedTimestamp: '0001-01-01T00:00:00.0000000' }
  const BUILDING = { Name: 'ReplacementOf/ORDERS', CreatedTimestamp: '2026-01-02T00:00:00.0000000Z' }

  /** Result of the action, and number of changes sent, where the server gives these lists of indexes one after another. */
  async function sent(
    action: string,
    lists: readonly (readonly object[])[],
    facts: ActionFacts = { createdAt: CREATED },
  ) {
    const raven = new FakeRaven()
    raven.databases.set('shop', 'loaded')
    let reads = 0
    raven.on(/indexes\/stats/, () => ({ Results: lists[Math.min(reads++, lists.length - 1)] }))
    raven.on(/indexes\/disable|indexes\?name/, () => ({}))
    const governor = new Governor(raven.env)
    governor.setViewOnly(false)
    const call = { action, target: { kind: 'index', database: 'shop', name: 'Orders' }, inputs: {}, facts } as const
    const { responses } = actionResponses()
    const sending = responses['actions.send']!({ call, requestId: 'i' }, governor, new AbortController().signal)
    await raven.clock.advance(2000)
    const outcome = await sending
    const message = outcome.outcome === 'refused' ? outcome.error.message : outcome.outcome
    return { message, changes: raven.paths(/indexes\/disable|indexes\?name/).length }
  }

  it.each(['index.delete', 'index.disable'])('%s is not sent while it is being replaced', async (action) => {
    expect(await sent(action, [[index, BUILDING]])).toEqual({
      message: expect.stringMatching(
        /has a replacement\. .*RavenDB can hang.* Discard the replacement first/,
      ) as string,
      changes: 0,
    })
    expect(await sent(action, [[SWAPPING]])).toEqual({
      message: expect.stringMatching(/is taking the place of “Orders”\..* Wait until it has taken over/) as string,
      changes: 0,
    })
    // The swap begins, or has just ended, between the two readings.
    expect(await sent(action, [[index], [index, BUILDING]])).toMatchObject({ changes: 0 })
    const swapped = [{ ...index, CreatedTimestamp: BUILDING.CreatedTimestamp }]
    expect(await sent(action, [[index], swapped], {})).toMatchObject({
      message: expect.stringContaining('was created again, or reset') as string,
      changes: 0,
    })
  })

  it.each(['index.delete', 'index.disable'])('%s is sent where nothing replaces it', async (action) => {
    expect(await sent(action, [[index, { ...BUILDING, Name: 'ReplacementOf/Others' }]])).toEqual({
      message: 'accepted',
      changes: 1,
    })
    // An index that cannot be opened has no time of creation either.
    expect(await sent(action, [[{ ...SWAPPING, State: 'Error' }]], {})).toMatchObject({ changes: 1 })
  })
})

describe('what discards what a reset builds in the same database', () => {
  const target = { kind: 'index', database: 'shop', name: 'Orders' } as const
  const [now, old] = ['7.1.5', '5.4.207'].map((FullVersion) => parseVersion({ FullVersion })) as [
    ServerVersion,
    ServerVersion,
  ]
  const lossOf = (id: string, facts: ActionFacts, version = now): string =>
    actionById(id)!.loss({ action: id, target, inputs: {}, facts }, version) ?? ''
  const DISCARDS = /the server discards/

  it.each(['index.priority', 'index.lock'])('%s is confirmed, and says so, where that is so or not known', (id) => {
    const opens = (facts: ActionFacts, version = now): boolean => opensDialog(actionById(id)!, facts, version)
    expect([{}, { rebuilding: 0 }, { rebuilding: 1 }].map((facts) => opens(facts))).toEqual([true, false, true])
    expect(lossOf(id, { rebuilding: 0 })).toBe('')
    expect(lossOf(id, { rebuilding: 1 })).toMatch(/has built so far in this database: the server discards it/)
    expect(lossOf(id, {})).toMatch(/not known now: the server discards it/)
    // An old version builds no replacement.
    expect([opens({}, old), opens({ rebuilding: 1 }, old), lossOf(id, {}, old)]).toEqual([false, false, ''])
  })

  it('a deletion says what building the index again takes, as far as it is known', () => {
    expect(lossOf('index.delete', { documents: 800 })).toContain('To build it again, 800 documents are indexed.')
    expect(lossOf('index.delete', {})).toContain('To build it again, all of its documents are indexed.')
    expect(lossOf('index.delete', { documents: 6000, perSecond: 10 })).toContain(
      '6,000 documents are indexed, about 10 min at its last rate of 10/s.',
    )
  })

  it('a deletion names it where something is built, and a discarded replacement those of others', () => {
    expect(lossOf('index.delete', { rebuilding: 1 })).toMatch(DISCARDS)
    expect(lossOf('index.delete', { rebuilding: 0 })).not.toMatch(DISCARDS)
    expect(lossOf('index.discard-replacement', { rebuilding: 2 })).toMatch(/of other indexes.*the server discards/)
    expect(lossOf('index.discard-replacement', { rebuilding: 1 })).not.toMatch(DISCARDS)
  })

  it.each(['database.disable', 'database.restart', 'database.compact', 'database.lock', 'database.import'])(
    '%s names it, and asks first',
    (id) => {
      expect(lossOf(id, {})).toMatch(DISCARDS)
      expect(opensDialog(actionById(id)!, {}, now)).toBe(true)
      expect(lossOf(id, {}, old)).not.toMatch(DISCARDS)
    },
  )
})
