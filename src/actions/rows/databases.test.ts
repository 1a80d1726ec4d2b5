import { beforeEach, describe, expect, it } from 'vitest'
import { parseTicks } from '../../base/ticks.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import type { ActionCall, CheckResult } from '../model.ts'
import { nameList } from '../name-list.ts'
import { actionById } from '../table.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
  governor.setViewOnly(false)
})

const { responses } = actionResponses()
const callOf = (action: string, parts: Partial<ActionCall> = {}): ActionCall => ({
  action,
  target: { kind: 'database', database: 'shop', name: null },
  inputs: {},
  facts: {},
  ...parts,
})
const send = (call: ActionCall) => responses['actions.send']!({ call, requestId: 'the-id' }, governor, never.signal)
const check = (call: ActionCall, accepted: unknown = true, startedMs = 0): Promise<CheckResult> =>
  Promise.resolve(responses['actions.check']!({ call, accepted, startedMs }, governor, never.signal))
const never = new AbortController()

const operation = (state: object) => json({ Progress: null, Result: null, ...state })
const ID = { OperationId: 4, OperationNodeTag: 'A' }

describe('database actions', () => {
  it.each(['database.export', 'database.import', 'database.backup', 'database.compact', 'database.restart'])(
    '%s says of a database that is not loaded that the server loads it, and of another nothing of it',
    (id) => {
      const words = (state: string): string =>
        actionById(id)?.consequence(callOf(id, { facts: { state } }), parseVersion({ FullVersion: '7.1.5' })) ?? ''
      expect(words('unloaded')).toMatch(/is not loaded: the server loads it/)
      expect(words('online')).not.toContain('not loaded')
    },
  )

  it('on one that another client has deleted are of what is gone, and its deletion is done', async () => {
    raven.databases.delete('shop')
    expect(await check(callOf('database.disable'))).toMatchObject({ state: 'gone' })
    expect(await check(callOf('database.restart'))).toMatchObject({ state: 'gone' })
    expect(await check(callOf('database.delete'))).toMatchObject({ state: 'done' })
    expect(raven.loads).toEqual([])
  })

  it('on one that is hidden from this certificate are unknown: the server answers as if it did not exist', async () => {
    raven.databases.delete('shop')
    raven.on(/is-loaded/, () => json({ Type: 'InvalidAuth', Message: 'No access.' }, 403))
    expect(await check(callOf('database.restart'))).toMatchObject({ state: 'unknown' })
  })

  it('a deletion that the server has confirmed is done, though another client has created the name again', async () => {
    const remove = callOf('database.delete', { inputs: { files: 'remove' } })
    const record = (Etag: number): void => raven.on(/^\/admin\/databases\?name=shop$/, () => json({ Etag }))
    record(13)
    expect(await check(remove, { RaftCommandIndex: 12, PendingDeletes: [] })).toMatchObject({
      state: 'done',
      text: expect.stringContaining('exists again') as string,
    })
    // Its record is the one that was deleted: the list is older than that.
    record(11)
    expect(await check(remove, { RaftCommandIndex: 12, PendingDeletes: [] })).toMatchObject({ state: 'running' })
    for (const accepted of [
      { RaftCommandIndex: -1, PendingDeletes: [] },
      { RaftCommandIndex: 12, PendingDeletes: ['B'] },
      null,
    ])
      expect(await check(remove, accepted)).toMatchObject({ state: 'unchanged' })
  })

  it('create says what the server says of a name that exists', async () => {
    const error = { Type: 'Raven.Client.Exceptions.ConcurrencyException', Message: 'Database ‘other’ already exists!' }
    raven.on(/^\/admin\/databases\?/, () => json(error, 409))
    const target = { kind: 'server', database: null, name: null } as const
    expect(
      await send(
        callOf('server.create-database', {
          target,
          inputs: { name: 'other', left: 'Take them over, with documents and indexes' },
        }),
      ),
    ).toMatchObject({
      outcome: 'refused',
      error: { status: 409, serverMessage: 'Database ‘other’ already exists!' },
    })
  })

  // A database may have been loaded a moment before, as after a compaction.
  it.each([true, null])('restart is done when it was loaded since it was started: accepted %j', async (accepted) => {
    const state = async (startedMsAgo: number): Promise<string> => {
      const call = callOf('database.restart', { facts: { state: 'online' } })
      return (await check(call, accepted, raven.clock.nowMs - startedMsAgo)).state
    }
    // The fake database is loaded for 1 s.
    expect(await state(1100)).toBe('done')
    expect(await state(900)).toBe('unchanged')
    raven.databases.set('shop', 'unloaded')
    expect(await state(1100)).toBe('unknown')
  })

  it('restart does not load a database that was unloaded meanwhile', async () => {
    raven.databases.set('shop', 'unloaded')
    expect(await send(callOf('database.restart'))).toMatchObject({ outcome: 'refused' })
    expect(raven.loads).toEqual([])
  })

  it('on an unloaded one load it where the dialog said so, and that is counted', async () => {
    raven.databases.set('shop', 'unloaded')
    raven.on(/studio-tasks\/restart|admin\/backup/, () => json({ OperationId: 4 }))
    for (const action of ['database.restart', 'database.backup']) {
      const call = callOf(action, { facts: { state: 'unloaded' } })
      const before = governor.meter().cost.databasesLoaded
      expect(actionById(action)?.consequence(call, parseVersion({ FullVersion: '7.1.5' }))).toContain('is not loaded')
      expect(await send(call)).toMatchObject({ outcome: 'accepted' })
      expect(governor.meter().cost.databasesLoaded).toBe(before + 1)
    }
    expect(raven.loads).toHaveLength(2)
  })

  it('are offered on one that is online or unloaded, not on one that is disabled or faulted', () => {
    for (const id of ['restart', 'backup', 'export', 'import', 'compact']) {
      const { applies } = actionById(`database.${id}`)!
      const states = ['online', 'unloaded', 'disabled', 'faulted', 'loading', 'compacting']
      expect([id, states.filter((state) => applies({ state }, {}))]).toEqual([id, ['online', 'unloaded']])
    }
  })

  it('one that failed to load is tried again where the user asks for it, and says why it fails', async () => {
    const load = callOf('database.load', { facts: { state: 'faulted' } })
    const { applies } = actionById('database.load')!
    const states = ['online', 'unloaded', 'disabled', 'faulted', 'loading', 'compacting']
    expect(states.filter((state) => applies({ state }, {}))).toEqual(['faulted'])
    raven.databases.set('shop', 'faulted')
    raven.on(/studio-tasks\/restart/, () =>
      json(
        {
          Type: 'Raven.Client.Exceptions.Database.DatabaseLoadFailureException',
          Message: 'Failed to start database shop',
          Error: 'X: Failed to start database shop ---> System.IO.InvalidDataException: File is corrupted\n   at Y()',
        },
        503,
      ),
    )
    expect(await send(load)).toMatchObject({ outcome: 'refused', error: { serverMessage: 'File is corrupted' } })
    // Without an answer the load may still go on.
    expect(await check(load, null)).toMatchObject({ state: 'unknown' })
    expect(await check(load)).toMatchObject({ state: 'unchanged' })
    raven.databases.set('shop', 'loaded')
    expect(await check(load)).toMatchObject({ state: 'done' })
    expect(await send(load)).toMatchObject({
      outcome: 'refused',
      error: { message: 'The database is loaded by now: nothing was sent.' },
    })
  })

  it('an accepted compaction that fails has failed, with its cause and without its stack', async () => {
    raven.on(/^\/operations\/state/, () =>
      operation({
        Status: 'Faulted',
        Result: {
          Message: 'Failed',
          Error: 'System.InvalidOperationException: Failed ---> System.IO.IOException: No space left\n   at X.Y()',
        },
      }),
    )
    expect(await check(callOf('database.compact'), ID)).toEqual({ state: 'failed', text: 'No space left' })
  })

  it('compaction says how much room its volume has, and whether that is too little', () => {
    const words = (volumeFreeBytes: number): string =>
      actionById('database.compact')!.consequence(
        callOf('database.compact', { facts: { sizeBytes: 2 ** 30, volumeFreeBytes } }),
        parseVersion({ FullVersion: '7.1.5' }),
      )
    expect(words(2 ** 31)).toContain('its volume has 2.00 GiB free. ')
    expect(words(2 ** 20)).toContain('its volume has 1.00 MiB free, which may not be enough. ')
  })

  it('compaction calls the size that of the database, and says so where nothing was gained', async () => {
    const ended = async (before: number, after: number, indexes: object = {}): Promise<string> => {
      const Result = { SizeBeforeCompactionInMb: before, SizeAfterCompactionInMb: after, IndexesResults: indexes }
      raven.on(/^\/operations\/state/, () => operation({ Status: 'Completed', Result }))
      return (await check(callOf('database.compact'), ID)).text
    }
    expect(await ended(101, 32)).toBe('Database on disk: 101 MB before, 32 MB after.')
    expect(await ended(100, 100)).toBe('Database on disk: 100 MB, as before: nothing was gained.')
    expect(await ended(2, 1, { "A/By'x,y'": { Skipped: true }, B: { Skipped: false } })).toContain(
      "Not compacted: “A/By'x,y'”.",
    )
  })

  it('compaction sends the names that were ticked, with whatever characters, and none of an older version', () => {
    const bodyOf = (indexes: string): unknown => {
      const { request } = actionById('database.compact')!
      return request(callOf('database.compact', { inputs: { indexes } }), parseVersion({ FullVersion: '7.1.5' })).body
    }
    const names = ["Auto/Orders/By'x,y'", '[odd] "name"']
    expect(bodyOf(nameList(names))).toMatchObject({ Documents: true, Indexes: names })
    for (const text of ['', 'A, B', '{}', '[1]']) expect(bodyOf(text)).toMatchObject({ Indexes: [] })
  })

  it('compaction and deletion say when it was last backed up, as far as that is known', () => {
    const words = (facts: ActionCall['facts']): string[] =>
      ['database.compact', 'database.delete'].map((id) => {
        const [action, version] = [actionById(id)!, parseVersion({ FullVersion: '7.1.5' })]
        const call = callOf(id, { facts, inputs: { files: 'remove' } })
        return (
          / [^.]*(?:backup (?:is )?of|backed up)[^.]*\./.exec(
            action.consequence(call, version) + action.loss(call, version),
          )?.[0] ?? ''
        )
      })
    expect(words({})).toEqual(Array(2).fill(' When it was last backed up is not known now.'))
    expect(words({ lastBackupTicks: null })).toEqual(Array(2).fill(' The server knows of no backup of it.'))
    expect(words({ lastBackupTicks: parseTicks('2026-11-22T00:39:54.0000000Z') })).toEqual(
      Array(2).fill(' Its last backup is of 2026-11-22 00:39:54 UTC.'),
    )
  })

  it('a backup runs with its share, and is unknown once the server has forgotten it', async () => {
    raven.on(/operations\/state/, () => operation({ Status: 'InProgress', Progress: { Processed: 1, Total: 4 } }))
    expect(await check(callOf('database.backup'), ID)).toMatchObject({ state: 'running', progress: 0.25 })
    raven.on(/operations\/state/, () => new Response(null, { status: 404 }))
    expect(await check(callOf('database.backup'), ID)).toMatchObject({ state: 'unknown' })
    expect(await check(callOf('database.backup'), null)).toMatchObject({ state: 'unknown' })
  })

  it('on 5.4 a backup is the newest of its id, which an older operation may have, and no other client’s', async () => {
    raven.version = '5.4.207'
    const MANUAL = 'Manual backup for database: shop'
    const row = (TaskType: string, StartTime: string, Status: string, Id = 4, Description = MANUAL) => ({
      Id,
      Description: { TaskType, StartTime, Description },
      State: { Progress: null, Result: null, Status },
    })
    raven.on(/\/operations$/, () => ({
      Results: [
        row('DatabaseBackup', '2026-01-01T00:00:00Z', 'Completed'),
        row('DatabaseBackup', '2026-01-02T00:00:00Z', 'InProgress'),
        row('UpdateByQuery', '2026-01-03T00:00:00Z', 'Completed'),
        row('DatabaseBackup', '2026-01-04T00:00:00Z', 'Completed', 5),
        row('DatabaseBackup', '2026-01-05T00:00:00Z', 'Completed', 4, 'Full backup task: Nightly'),
      ],
    }))
    expect(await check(callOf('database.backup'), ID)).toMatchObject({ state: 'running' })
  })

  it('a flush or sync that had nothing to do is not called done', async () => {
    const journals = (LastFlushedTransaction: number, TotalWrittenButUnsyncedBytes: number) => ({
      Report: {
        Journals: { Journals: [{ LastTransaction: 7 }], LastFlushedTransaction, TotalWrittenButUnsyncedBytes },
      },
    })
    const after = async (action: string, then: ReturnType<typeof journals>, now: ReturnType<typeof journals>) => {
      raven.on(/storage\/environment\/report/, () => then)
      const call = callOf(action)
      const before = await responses['actions.measure']!({ call, tookMs: null }, governor, never.signal)
      raven.on(/storage\/environment\/report/, () => now)
      return responses['actions.check']!({ call, accepted: true, startedMs: 0, before }, governor, never.signal)
    }
    expect(await after('database.flush', journals(4, 0), journals(7, 4096))).toEqual({
      state: 'done',
      text: 'All transactions are in the data file. Not synced: 4.00 KiB.',
    })
    expect(await after('database.flush', journals(4, 0), journals(4, 0))).toEqual({
      state: 'unchanged',
      text: 'Transactions that are only in the journals: 3. Not synced: 0 B.',
    })
    expect(await after('database.sync', journals(7, 4096), journals(7, 0))).toMatchObject({ state: 'done' })
    expect(await after('database.sync', journals(7, 4096), journals(7, 4096))).not.toHaveProperty('isLast')
    const unread = { call: callOf('database.flush'), accepted: true, startedMs: 0, before: null }
    expect(await responses['actions.check']!(unread, governor, never.signal)).toMatchObject({
      state: 'unknown',
      isLast: true,
    })
    expect(await after('database.sync', journals(7, 0), journals(7, 0))).toMatchObject({
      state: 'unchanged',
      isLast: true,
    })
  })

  it('that was sent and not answered is not called done', async () => {
    expect(await check(callOf('database.flush'), null)).toMatchObject({ state: 'unknown' })
    expect(
      await check(callOf('server.gc', { target: { kind: 'server', database: null, name: null } }), null),
    ).toMatchObject({
      state: 'unknown',
    })
  })
})

it('an action on a database that was deleted is not called unloaded', async () => {
  raven.databases.delete('shop')
  for (const action of ['database.backup', 'database.export', 'index.pause']) {
    const kind = action.startsWith('index') ? 'index' : 'database'
    const target = { kind, database: 'shop', name: kind === 'index' ? 'x' : null } as const
    const outcome = await send(callOf(action, { target, inputs: { folder: '/tmp' } }))
    expect(outcome).toMatchObject({ outcome: 'refused', error: { kind: 'database-missing' } })
    expect(JSON.stringify(outcome)).toContain('There is no database “shop” on this server.')
  }
})

describe('killing a query', () => {
  const call = callOf('query.kill', { target: { kind: 'query', database: 'shop', name: '2 Auto/Users/ByN' } })

  it('is done when the server does not report it any more, whatever else runs', async () => {
    raven.on(/queries\/running$/, () => ({ '@metadata': {}, 'Auto/Users/ByN': [{ QueryId: 2 }, { QueryId: 3 }] }))
    expect(await check(call)).toMatchObject({ state: 'unchanged' })
    raven.on(/queries\/running$/, () => ({
      '@metadata': {},
      'Auto/Users/ByN': [{ QueryId: 3 }],
      Other: [{ QueryId: 2 }],
    }))
    expect(await check(call)).toMatchObject({ state: 'done' })
  })

  it('that is over is not called killed', async () => {
    raven.on(
      /queries\/kill/,
      () => new Response(null, { status: 404, headers: { 'Raven-Server-Version': '7.1.5.71028' } }),
    )
    expect(await send(call)).toMatchObject({ outcome: 'refused', error: { status: 404 } })
  })

  it('of a database that was unloaded meanwhile is of what is gone, and loads nothing', async () => {
    raven.databases.set('shop', 'unloaded')
    expect(await check(call)).toMatchObject({ state: 'gone', text: 'The database is not loaded: no query runs in it.' })
    expect(raven.loads.filter((path) => path.includes('running'))).toEqual([])
  })
})
