import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../base/ticks.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { DETAILS, readIndexErrors, readIndexStates, readNotices } from './database-details.ts'
import { Governor } from '../governor/governor.ts'

const ERRORS = {
  Results: [
    {
      Name: 'Orders/ByTotal',
      Errors: [
        { Timestamp: '2026-07-27T10:00:00.0000000Z', Document: 'orders/1', Action: 'Map', Error: 'divide by zero' },
        { Timestamp: '2026-07-27T10:00:02.0000000Z', Document: 'orders/3', Action: 'Map', Error: 'divide by zero' },
      ],
    },
    {
      Name: 'Orders/Sum',
      Errors: [{ Timestamp: '2026-07-27T10:00:01.0000000Z', Document: null, Action: 'Reduce', Error: 'overflow' }],
    },
    { Name: 'Orders/Fine', Errors: [] },
  ],
}
const DATABASE = { database: 'a/b' }
const signal = new AbortController().signal

function setup(state: 'loaded' | 'unloaded') {
  const raven = new FakeRaven()
  raven.databases.set('a/b', state)
  raven.on(/\/indexes\/errors/, () => ERRORS)
  return { raven, governor: new Governor(raven.env) }
}

describe('what only a database knows', () => {
  it('is asked once of a loaded one, with its name and the index encoded', async () => {
    const { raven, governor } = setup('loaded')
    const detail = await DETAILS.indexErrors(governor, { ...DATABASE, index: 'Orders/ByTotal' }, signal)
    expect(detail).toMatchObject({ loaded: true, total: 3 })
    expect(raven.paths(/indexes\/errors/)).toEqual(['/databases/a%2Fb/indexes/errors?name=Orders%2FByTotal'])
    await raven.clock.advance(60_000)
    expect(raven.paths(/indexes\/errors/)).toHaveLength(1)
  })

  it('is not asked of one that is not loaded, unless a click allowed loading it', async () => {
    const { raven, governor } = setup('unloaded')
    await expect(DETAILS.indexErrors(governor, DATABASE, signal)).resolves.toEqual({ loaded: false })
    expect(raven.loads).toEqual([])
    await expect(DETAILS.indexErrors(governor, { ...DATABASE, load: true }, signal)).resolves.toMatchObject({
      loaded: true,
    })
    expect(raven.loads).toEqual(['/databases/a%2Fb/indexes/errors'])
  })

  it('says why the server does not load one that a click allowed loading', async () => {
    const { raven, governor } = setup('loaded')
    const message = "The database 'a/b' has been unloaded and locked because it is being compacted"
    raven.on(/\/indexes\/errors/, () => json({ Type: 'DatabaseDisabledException', Message: message }, 503))
    await expect(DETAILS.indexErrors(governor, { ...DATABASE, load: true }, signal)).rejects.toMatchObject({
      status: 503,
      message: 'The server is compacting the database.',
    })
    await expect(DETAILS.indexErrors(governor, DATABASE, signal)).resolves.toEqual({ loaded: false })
  })

  it('passes on what the server refuses, with its words', async () => {
    const { raven, governor } = setup('loaded')
    raven.on(/\/notifications/, () => json({ Type: 'Forbidden', Message: 'Operator is needed' }, 403))
    await expect(DETAILS.databaseNotices(governor, DATABASE, signal)).rejects.toMatchObject({ status: 403 })
  })
})

describe('index errors', () => {
  it('come newest first over all indexes, and one of no document has none', () => {
    const { errors, total } = readIndexErrors(ERRORS)
    expect(total).toBe(3)
    expect(errors.map(({ index, document, action }) => [index, document, action])).toEqual([
      ['Orders/ByTotal', 'orders/3', 'Map'],
      ['Orders/Sum', null, 'Reduce'],
      ['Orders/ByTotal', 'orders/1', 'Map'],
    ])
    expect(errors[0]!.atTicks).toBe(parseTicks('2026-07-27T10:00:02.0000000Z'))
  })

  it('are cut where a text is very long, and refused where the response has another shape', () => {
    const error = { Timestamp: 'soon', Document: 'd', Action: 'Map', Error: 'x'.repeat(100_000) }
    const { errors } = readIndexErrors({ Results: [{ Name: 'A', Errors: [error] }] })
    expect(errors[0]!.error).toHaveLength(8000)
    expect(errors[0]!.atTicks).toBeNull()
    expect(() => readIndexErrors({ Results: [{ Errors: [] }] })).toThrow('$.Results[0].Name')
    expect(() => readIndexErrors([])).toThrow('$')
  })
})

describe('states of indexes', () => {
  it('keeps what is not reported apart from zero and from no', () => {
    const state = { Name: 'A', State: 'Error', Status: 'Paused', IsStale: true, ErrorsCount: 500 }
    expect(readIndexStates({ Results: [state, { Name: 'B' }] })).toEqual([
      { index: 'A', state: 'Error', status: 'Paused', isStale: true, errorsCount: 500 },
      { index: 'B', state: 'Normal', status: null, isStale: null, errorsCount: null },
    ])
  })
})

describe('alerts and hints of a database', () => {
  it.each([
    ['7.1', 'Reason'],
    ['6.2', 'AlertType'],
    ['5.4', 'HintType'],
  ])('reads the kind as %s names it, and leaves out the name of the server’s type', (_line, field) => {
    const notice = {
      Id: 'PerformanceHint/Paging',
      CreatedAt: '2026-07-27T10:00:00.0000000Z',
      Type: 'PerformanceHint',
      Severity: 'Warning',
      Title: 'Page size too big',
      Message: null,
      [field]: 'Paging',
      Details: { $type: 'Raven.Server.PagingPerformanceDetails', Actions: { Query: [{ Duration: 3 }] } },
    }
    const { notices, total } = readNotices({ TotalResults: 300, Results: [notice] })
    expect(total).toBe(300)
    expect(notices[0]).toMatchObject({ kind: 'Paging', severity: 'Warning', message: null })
    expect(notices[0]?.details?.columns).toEqual(['Action', 'Duration'])
  })
})
