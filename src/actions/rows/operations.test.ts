import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { recordedJson } from '../../testing/recorded.ts'
import type { ActionCall, ActionTarget, CheckResult, OperationMark } from '../model.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
let alerts: ReadonlySet<string> | null = null
let frames: JsonObject[] = []
beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
  frames = []
})

const { responses } = actionResponses({ serverAlerts: () => alerts, operationFrames: () => frames })
const { signal } = new AbortController()
const check = (action: string, target: ActionTarget, accepted: unknown = true): Promise<CheckResult> =>
  Promise.resolve(
    responses['actions.check']!(
      { call: { action, target, inputs: {}, facts: {} }, accepted, startedMs: 0 },
      governor,
      signal,
    ),
  )

const OPERATION: ActionTarget = { kind: 'operation', database: 'shop', name: '7' }

it.each([
  [{ Status: 'Canceled', Progress: null, Result: null }, 'done'],
  [{ Status: 'Faulted', Progress: null, Result: { Message: 'Stopped.' } }, 'done'],
  [{ Status: 'Completed', Progress: null, Result: null }, 'gone'],
  [{ Status: 'InProgress', Progress: { Processed: 1, Total: 4 }, Result: null }, 'running'],
])('the end of a cancelled operation is read: %j', async (response, state) => {
  raven.on(/\/operations\/state\?id=7$/, () => json(response))
  expect((await check('operation.kill', OPERATION)).state).toBe(state)
})

it.each(['patch', 'delete'])('a %s by query that is stopped says what stays of it', async (what) => {
  raven.on(/\/operations\/state\?id=7$/, () => json({ Status: 'Canceled', Progress: null, Result: null }))
  const target: ActionTarget = { kind: 'database', database: 'shop', name: null }
  expect(await check(`database.${what}-by-query`, target, { OperationId: 7 })).toEqual({
    state: 'failed',
    text: 'It was cancelled. What was changed before it stopped stays changed; the batch that ran is rolled back.',
  })
})

it('an operation that the server has forgotten is not called cancelled', async () => {
  raven.on(/\/operations\/state\?id=7$/, () => new Response(null, { status: 404 }))
  expect(await check('operation.kill', OPERATION)).toMatchObject({ state: 'gone' })
  expect(await check('operation.kill', { ...OPERATION, database: null })).toMatchObject({ state: 'gone' })
  raven.databases.set('shop', 'unloaded')
  // The earlier belief does not hold any more.
  raven.clock.nowMs += 10_000
  expect(await check('operation.kill', OPERATION)).toMatchObject({ state: 'gone' })
  expect(raven.loads).toEqual([])
})

it('a notification is dismissed when it is not listed any more, and not while nothing is received', async () => {
  const target: ActionTarget = { kind: 'notification', database: 'shop', name: 'PerformanceHint/Paging/Queries' }
  raven.on(/\/notifications\?/, () =>
    json({ TotalResults: 1, Results: [{ Id: target.name, Type: 'PerformanceHint' }] }),
  )
  expect(await check('notification.dismiss', target)).toMatchObject({ state: 'unchanged' })
  raven.on(/\/notifications\?/, () => json({ TotalResults: 0, Results: [] }))
  expect(await check('notification.dismiss', target)).toMatchObject({ state: 'done' })

  const ofServer: ActionTarget = { kind: 'notification', database: null, name: 'AlertRaised/LowSwapSize' }
  alerts = new Set(['AlertRaised/LowSwapSize'])
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'unchanged' })
  alerts = new Set()
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'done' })
  alerts = null
  expect(await check('notification.postpone', ofServer)).toMatchObject({ state: 'unknown' })
})

describe('where the response to the beginning of an operation is lost', () => {
  const START = '2026-11-22T00:48:54.3538599Z'
  const startTicks = parseTicks(START)
  const STARTED_MS = 1_800_000_000_000
  const callOf = (action: string): ActionCall => ({
    action,
    target: { kind: 'database', database: 'shop', name: null },
    inputs: { folder: '/backups' },
    facts: { state: 'online' },
  })
  const lost = (
    action: string,
    newestTicks?: Ticks | null,
    ofServer: OperationMark['ofServer'] = null,
  ): Promise<CheckResult> => {
    const of = newestTicks === undefined ? {} : { mark: { newestTicks, ofServer } }
    return Promise.resolve(
      responses['actions.check']!(
        { call: callOf(action), accepted: null, startedMs: STARTED_MS, ...of },
        governor,
        signal,
      ),
    )
  }
  const mark = (action: string) =>
    Promise.resolve(responses['actions.markOperations']!({ call: callOf(action) }, governor, signal))
  const listing = (...backups: { Id: number; StartTime?: string; Description?: string }[]) => {
    const Results = backups.map(({ Id, StartTime = START, Description = 'Manual backup for database: shop' }) => ({
      Id,
      Killable: true,
      Description: { Description, TaskType: 'DatabaseBackup', StartTime, EndTime: null },
      State: { Status: 'InProgress', Progress: null, Result: null },
    }))
    raven.on(/shop\/operations$/, () => json({ Results }))
  }
  const stateOf = (id: number, state: object) =>
    raven.on(new RegExp(`operations/state\\?id=${id}$`), () => json({ Progress: null, Result: null, ...state }))

  it('the only backup that began since is followed, and said to be found', async () => {
    listing({ Id: 3, StartTime: '2026-11-22T00:40:00.0000000Z' }, { Id: 4 })
    stateOf(4, { Status: 'InProgress' })
    const before = parseTicks('2026-11-22T00:40:00.0000000Z')
    const result = await lost('database.backup', before)
    expect(result).toMatchObject({ state: 'running', accepted: { OperationId: 4 } })
    stateOf(4, { Status: 'Completed' })
    const { accepted } = result
    const later = await responses['actions.check']!(
      { call: callOf('database.backup'), accepted, startedMs: STARTED_MS },
      governor,
      signal,
    )
    expect(later).toMatchObject({ state: 'done', text: expect.stringContaining('The response was lost') as string })
  })

  it('what is known before is the newest of its kind and database', async () => {
    listing(
      { Id: 3, StartTime: '2026-11-22T00:40:00.0000000Z' },
      { Id: 4 },
      { Id: 5, StartTime: '2026-11-22T00:50:00.0000000Z', Description: 'Full backup task: nightly' },
    )
    expect(await mark('database.backup')).toEqual({ newestTicks: startTicks, ofServer: null })
    frames = [recordedJson('7.1', 'operation-changed.json') as JsonObject]
    expect(await mark('database.compact')).toEqual({ newestTicks: startTicks, ofServer: null })
    expect(await mark('database.disable')).toBeNull()
  })

  it('a database that is not loaded has none, and stays so', async () => {
    raven.databases.set('shop', 'unloaded')
    expect(await mark('database.backup')).toEqual({ newestTicks: null, ofServer: null })
    expect(raven.loads).toEqual([])
  })

  it('one of several, one of another kind, or one without a look before is not taken for it', async () => {
    listing({ Id: 4 }, { Id: 5, StartTime: '2026-11-22T00:48:55.0000000Z' })
    expect(await lost('database.backup', null)).toMatchObject({ state: 'unknown', isLast: true })
    listing({ Id: 5, Description: 'Full backup task: nightly' })
    raven.on(/^\/databases\?name=shop$/, () => json({ Databases: [{ UpTime: '00:00:10' }] }))
    expect((await lost('database.backup', null)).accepted).toBeUndefined()
    listing({ Id: 4 })
    expect(await lost('database.backup')).toMatchObject({ state: 'unknown', isLast: true })
  })

  it.each([
    [60_000, 'unchanged'],
    [10_000, 'unknown'],
  ])('a list without it says that nothing happened only if it is as old: loaded for %i ms', async (upMs, state) => {
    listing()
    const up = `00:00:${String(upMs / 1000).padStart(2, '0')}`
    raven.on(/^\/databases\?name=shop$/, () =>
      json({ Databases: [{ UpTime: upMs === 60_000 ? '00:01:00' : up, Disabled: false }] }),
    )
    raven.clock.nowMs = STARTED_MS + 30_000
    expect(await lost('database.backup', null)).toMatchObject({ state })
  })

  it('a compaction is the one that the server reported since; none reported tells nothing', async () => {
    expect(await lost('database.compact', null)).toMatchObject({ state: 'unknown' })
    frames = [recordedJson('7.1', 'operation-changed.json') as JsonObject]
    stateOf(11, { Status: 'InProgress', Progress: { Message: 'Half.' } })
    expect(await lost('database.compact', null)).toMatchObject({ state: 'running', accepted: { OperationId: 11 } })
    expect((await lost('database.compact', startTicks)).accepted).toBeUndefined()
  })

  describe('and the server itself, which has it in no list, did not report it', () => {
    const startedAt = '2026-11-22T00:00:00.0000000Z'
    const before = { number: 20, startedAt }
    const serverSays = (next: number, started = startedAt): void => {
      raven.on(/^\/admin\/stats$/, () => json({ StartUpTime: started, UpTime: '00:48:00' }))
      raven.on(/^\/admin\/operations\/next-operation-id$/, () => json({ Id: next }))
      raven.on(/^\/operations\/state/, () => new Response(null, { status: 404 }))
    }
    const classOf = (name: string) => `Raven.Client.ServerWide.Operations.${name}, Raven.Client`
    const compacted = (name: string) => ({
      Status: 'Completed',
      Result: { $type: classOf('CompactionResult'), Name: name },
    })
    const exception = (message: string) => ({
      Status: 'Faulted',
      Result: { $type: 'Raven.Client.Documents.Operations.OperationExceptionResult, Raven.Client', Message: message },
    })

    it('the number that it gave out before is kept', async () => {
      serverSays(20)
      listing()
      expect(await mark('database.compact')).toEqual({ newestTicks: null, ofServer: before })
      expect(await mark('database.backup')).toMatchObject({ ofServer: null })
    })

    it.each([
      ['complete', compacted('Shop'), 'done'],
      ['failed', exception('Failed to execute compaction for shop'), 'failed'],
      [
        'running',
        { Status: 'InProgress', Progress: { $type: classOf('CompactionProgress'), Name: 'shop' }, Result: null },
        'running',
      ],
    ])('one of the numbers since is it: %s', async (_, response, state) => {
      serverSays(25)
      stateOf(22, { Status: 'Completed', Result: { $type: classOf('RestoreResult') } })
      stateOf(23, compacted('shop2'))
      stateOf(24, response)
      expect(await lost('database.compact', null, before)).toMatchObject({
        state,
        accepted: { OperationId: 24 },
        text: expect.stringContaining('The response was lost') as string,
      })
    })

    it('none of the numbers since is it, so nothing happened', async () => {
      serverSays(24)
      stateOf(23, compacted('other'))
      expect(await lost('database.compact', null, before)).toEqual({
        state: 'unchanged',
        text: 'The server has begun no such operation since.',
      })
    })

    it('one that does not say which it is leaves it unknown, unless the server has reported it', async () => {
      serverSays(22)
      stateOf(21, exception('No space left on device'))
      const unclear = await lost('database.compact', null, before)
      expect([unclear.state, unclear.isLast]).toEqual(['unknown', undefined])
      stateOf(21, { Status: 'InProgress' })
      expect(await lost('database.compact', null, before)).toMatchObject({ state: 'unknown' })
      frames = [
        {
          Type: 'OperationChanged',
          OperationId: 21,
          TaskType: 'DatabaseRestore',
          Message: 'Database restore: other',
          StartTime: START,
          State: { Status: 'InProgress', Progress: null, Result: null },
        },
      ]
      expect(await lost('database.compact', null, before)).toMatchObject({ state: 'unchanged' })
    })

    it('a server that was restarted does not know what it did before', async () => {
      serverSays(24, '2026-11-22T00:50:00.0000000Z')
      expect(await lost('database.compact', null, before)).toMatchObject({
        state: 'unknown',
        isLast: true,
        text: expect.stringContaining('the server was restarted since') as string,
      })
    })
  })
})

describe('a backup of a number that an older operation has, which 5.4 does not list', () => {
  const call: ActionCall = {
    action: 'database.backup',
    target: { kind: 'database', database: 'shop', name: null },
    inputs: { folder: '/b' },
    facts: {},
  }
  const BEFORE = '2026-11-01T00:00:00.0000000'
  const ALERT = {
    Id: 'AlertRaised/PeriodicBackup',
    Type: 'AlertRaised',
    AlertType: 'PeriodicBackup',
    Title: "Periodic Backup task: 'One Time Backup #3'",
    CreatedAt: '2026-11-25T16:37:37.7259275Z',
    Details: { Exception: 'System.IO.IOException: No space left on device : /b\n   at System.IO.RandomAccess' },
  }
  const listed = (...alerts: readonly object[]): void =>
    raven.on(/\/notifications\?/, () => json({ TotalResults: alerts.length, Results: alerts }))
  const checked = (
    lastBackup: string | null,
    BackupTaskType = 'OneTime',
    mark?: OperationMark,
  ): Promise<CheckResult> => {
    raven.on(/^\/build\/version/, () => json({ FullVersion: '5.4.207', ProductVersion: '5.4', BuildVersion: 54 }))
    raven.on(/\/operations$/, () => json({ Results: [] }))
    raven.on(/^\/databases\?name=shop/, () =>
      json({ Name: 'shop', UpTime: '00:01:00', BackupInfo: { LastBackup: lastBackup, BackupTaskType } }),
    )
    const before = [{ label: 'Last backup', unit: 'ticks', value: parseTicks(BEFORE) }] as const
    return Promise.resolve(
      responses['actions.check']!(
        { call, accepted: { OperationId: 1 }, startedMs: 0, before, ...(mark === undefined ? {} : { mark }) },
        governor,
        signal,
      ),
    )
  }

  it('is done where the server reports a backup since', async () => {
    expect(await checked('2026-11-24T00:00:00.0000000')).toMatchObject({ state: 'done' })
  })

  it('is not known where the backup since is a periodic one', async () => {
    expect(await checked('2026-11-24T00:00:00.0000000', 'Periodic')).toMatchObject({ state: 'unknown' })
  })

  it('is not known while it reports the one before, or none', async () => {
    const text = expect.stringContaining('no backup yet') as string
    expect(await checked(BEFORE)).toEqual({ state: 'unknown', text })
    expect(await checked(null)).toMatchObject({ state: 'unknown' })
  })

  it('has failed where the server alerts so since, and not by the alert of one before or of a periodic one', async () => {
    const marked = async (): Promise<OperationMark> => {
      const mark = await responses['actions.markOperations']!({ call }, governor, signal)
      if (mark === null) throw new Error('It begins an operation.')
      return mark
    }
    raven.on(/^\/build\/version/, () => json({ FullVersion: '5.4.207', ProductVersion: '5.4', BuildVersion: 54 }))
    raven.on(/\/operations$/, () => json({ Results: [] }))
    listed()
    const none = await marked()
    listed(ALERT)
    expect(await checked(null, 'OneTime', none)).toEqual({
      state: 'failed',
      text: 'No space left on device : /b The server lists no such operation, and alerts that a one-time backup failed since.',
    })
    const before = await marked()
    expect(await checked(null, 'OneTime', before)).toMatchObject({ state: 'unknown' })
    listed({ ...ALERT, CreatedAt: '2026-11-25T16:37:40.0000000Z' })
    expect(await checked(null, 'OneTime', before)).toMatchObject({ state: 'failed' })
    listed({ ...ALERT, Title: "Periodic Backup task: 'Nightly'", CreatedAt: '2026-11-25T16:37:40.0000000Z' })
    expect(await checked(null, 'OneTime', before)).toMatchObject({ state: 'unknown' })
    // Without what was there before, none is its own.
    listed(ALERT)
    expect(await checked(null)).toMatchObject({ state: 'unknown' })
  })
})
