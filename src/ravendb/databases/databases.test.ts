import { describe, expect, it } from 'vitest'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { recordedJson } from '../../testing/recorded.ts'
import { requestLoadStory, listDatabases } from './databases.ts'
import { parseDatabases, parseStates } from '../databases-wire.ts'
import { Governor } from '../governor/governor.ts'

function setup(version = '7.1.5'): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  raven.version = version
  return { raven, governor: new Governor(raven.env) }
}

describe('parseDatabases', () => {
  it('reads what 7.1 sends, repeated keys included; no up time is not loaded', () => {
    const rows = parseDatabases(recordedJson('7.1', 'databases.json'))
    expect(rows[0]).toEqual({
      name: 'bench',
      state: 'online',
      documents: 123_311,
      indexes: 15,
      sizeBytes: 919_994_368,
      tempBytes: 1_533_345_792,
      upTimeMs: 1_753_133.1299,
      indexingErrors: 195,
      alerts: 0,
      hints: 0,
      indexingStatus: 'Running',
      error: null,
      isSharded: false,
      unloadsSoon: null,
      lock: 'Unlock',
      lastBackupTicks: null,
    })
    expect(rows.slice(1)).toMatchObject([
      { name: 'quiet', state: 'unloaded', upTimeMs: null, documents: 1059, indexes: 7, indexingStatus: null },
      { name: 'ring', state: 'unloaded', upTimeMs: null, mounts: [{ mount: '/', tempBytes: 0 }] },
    ])
    // All environments of it on that volume: documents, configuration, indexes.
    expect(rows[2]!.mounts?.[0]?.usedBytes).toBe(67_239_936)
  })

  it.each(['6.2', '5.4'] as const)('reads what %s sends', (line) => {
    const rows = parseDatabases(recordedJson(line, 'databases.json'))
    expect(rows.map((row) => row.state)).toEqual(
      line === '6.2' ? ['online', 'unloaded'] : ['online', 'online', 'unloaded'],
    )
    expect(rows.every((row) => row.documents !== null && row.sizeBytes !== null)).toBe(true)
  })

  it('knows failed, disabled and sharded ones, and keeps unknown apart from zero', () => {
    const rows = parseDatabases(recordedJson('7.1', 'databases-mixed.json'))
    expect(rows.map((row) => [row.name, row.state, row.isSharded])).toEqual([
      ['alpha', 'online', false],
      ['beta', 'faulted', false],
      ['dis', 'disabled', false],
      ['shard$0', 'online', true],
      ['shard$1', 'online', true],
    ])
    expect(rows[1]).toMatchObject({ documents: null, sizeBytes: null, indexes: null, alerts: null })
    expect(rows[1]!.error).toContain('Failed to start database beta')
  })

  it('does not take a database that is being unloaded for a failed one', () => {
    const LoadError = "The database 'a' has been unloaded and locked by IdleOperations"
    expect(parseDatabases({ Databases: [{ Name: 'a', LoadError }] })).toMatchObject([
      { state: 'unloaded', error: null },
    ])
  })

  it('does not take a database that is being compacted for a failed one, whichever list says so', async () => {
    const LoadError = "The database 'a' has been unloaded and locked because it is being compacted"
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, () => ({ Databases: [{ Name: 'a', Disabled: false, LoadError }] }))
    raven.on(/databases\/state/, () => ({
      Databases: [{ Name: 'a', LoadError: `One or more errors occurred. (${LoadError})` }],
    }))
    raven.on(/idle/, () => ({ Results: [] }))
    const { rows } = await listDatabases(governor)
    expect(rows).toMatchObject([{ state: 'compacting', error: null }])
  })

  it('knows no figures of a database that was not loaded since the server started, which sends zeros', () => {
    const zeros = { DocumentsCount: 0, IndexesCount: 0, IndexingErrors: 0, Alerts: 0, IndexingStatus: 'Running' }
    const entry = { Name: 'a', UpTime: null, TotalSize: { SizeInBytes: 0 }, ...zeros }
    const [row, loaded] = parseDatabases({
      Databases: [entry, { ...entry, UpTime: '00:00:01', TotalSize: { SizeInBytes: 17_039_360 } }],
    })
    const unknown = { documents: null, indexes: null, indexingErrors: null, alerts: null, indexingStatus: null }
    expect(row).toMatchObject({ ...unknown, sizeBytes: null })
    expect(loaded).toMatchObject({ documents: 0, indexes: 0, alerts: 0, indexingStatus: 'Running' })
  })

  it('names that are words of the language are names', () => {
    const names = ['__proto__', 'constructor', 'toString', '0']
    expect(parseDatabases({ Databases: names.map((Name) => ({ Name })) }).map((row) => row.name)).toEqual(names)
  })

  it('says where the answer is not what it should be', () => {
    expect(() => parseDatabases({ Databases: [{ Name: 'a' }, { Name: 7 }] })).toThrow(
      'At $.Databases[1].Name: expected a string, got 7.',
    )
    expect(() => parseDatabases({ Databases: [{ Name: 'a', DocumentsCount: '5' }] })).toThrow(
      'At $.Databases[0].DocumentsCount: expected a number, got "5".',
    )
  })
})

describe('parseStates', () => {
  it.each(['7.1', '6.2'] as const)('reads what %s sends', (line) => {
    const states = parseStates(recordedJson(line, 'studio-tasks-databases-state.json'))
    expect([...states.keys()].slice(0, 2)).toEqual(['bench', 'quiet'])
    expect([...states.values()].every(({ loading, error }) => !loading && error === null)).toBe(true)
  })

  it('knows the one that failed', () => {
    const states = parseStates(recordedJson('7.1', 'studio-tasks-databases-state-mixed.json'))
    expect(states.get('beta')).toMatchObject({ loading: false })
    expect(states.get('beta')!.error).toContain('Failed to start database beta')
  })
})

describe('listDatabases', () => {
  it('merges list, states and idle times, and touches no database', async () => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, () => recordedJson('7.1', 'databases-mixed.json'))
    raven.on(/databases\/state/, () => recordedJson('7.1', 'studio-tasks-databases-state-mixed.json'))
    raven.on(/databases\/idle/, () => ({
      Results: [
        { Name: 'alpha', IsLoaded: true, CanCleanup: true },
        { Name: 'dis', IsLoaded: false, CanCleanup: false },
      ],
    }))
    const { rows, complete } = await listDatabases(governor)
    expect(complete).toBe(true)
    expect(rows.map((row) => [row.name, row.state, row.unloadsSoon])).toEqual([
      ['alpha', 'online', true],
      ['beta', 'faulted', false],
      ['dis', 'disabled', false],
      ['shard$0', 'online', false],
      ['shard$1', 'online', false],
    ])
    expect(raven.paths().toSorted()).toEqual([
      '/admin/debug/databases/idle',
      '/build/version',
      '/databases?start=0&pageSize=512',
      '/studio-tasks/databases/state?start=0&pageSize=512',
    ])
  })

  it('distinguishes loading from unloaded where the server does', async () => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, () => ({
      Databases: [
        { Name: 'a', UpTime: null },
        { Name: 'b', UpTime: null },
        { Name: 'c', UpTime: null },
      ],
    }))
    raven.on(/databases\/state/, () => ({
      Databases: [
        { Name: 'a', DatabaseStatus: 'Loading' },
        { Name: 'b', DatabaseStatus: 'None' },
        { Name: 'c', LoadError: 'no disk' },
      ],
    }))
    raven.on(/idle/, () => ({ Results: [] }))
    const { rows } = await listDatabases(governor)
    expect(rows.map((row) => row.state)).toEqual(['loading', 'unloaded', 'faulted'])
    expect(rows[2]!.error).toBe('no disk')
  })

  it('asks 5.4 only for what it has', async () => {
    const { raven, governor } = setup('5.4.207')
    raven.on(/^\/databases\?/, () => recordedJson('5.4', 'databases.json'))
    raven.on(/idle/, () => recordedJson('7.1', 'databases-idle.json'))
    const { rows } = await listDatabases(governor)
    expect(rows).toHaveLength(3)
    expect(raven.paths(/studio-tasks/)).toEqual([])
  })

  it('continues without what the certificate may not know, reads on past short pages, and does not insist', async () => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, (path) => ({
      Databases: path.includes('start=1024') ? [{ Name: 'mine', UpTime: '00:01:00' }] : [],
    }))
    raven.on(/state|idle/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
    const { rows } = await listDatabases(governor)
    expect(rows).toMatchObject([{ name: 'mine', state: 'online', unloadsSoon: null }])
    expect(raven.paths(/^\/databases\?/)).toHaveLength(8)
    await listDatabases(governor)
    expect(raven.paths(/idle/)).toHaveLength(1)
  })

  it.each([
    [{ mine: 'ReadWrite' }, 1],
    [{}, 1],
    [{ mine: 'Admin', other: 'Read' }, 8],
  ])('reads no further than until all that is granted was found: %o', async (Permissions, pages) => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, (path) => ({
      Databases: path.includes('start=0') && 'mine' in Permissions ? [{ Name: 'mine', UpTime: '00:01:00' }] : [],
    }))
    raven.on(/whoami/, () => ({ Name: 'me', SecurityClearance: 'ValidUser', Permissions }))
    raven.on(/state|idle/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
    const { rows } = await listDatabases(governor)
    expect(rows).toHaveLength('mine' in Permissions ? 1 : 0)
    expect(raven.paths(/^\/databases\?/)).toHaveLength(pages)
    await listDatabases(governor)
    expect(raven.paths(/whoami/)).toHaveLength(1)
  })

  it('reads page after page up to its limit', async () => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, (path) => {
      const start = Number(/start=(\d+)/.exec(path)![1])
      return { Databases: Array.from({ length: Math.min(512, 700 - start) }, (_, n) => ({ Name: `db${start + n}` })) }
    })
    raven.on(/state/, () => ({ Databases: [] }))
    raven.on(/idle/, () => ({ Results: [] }))
    const { rows, complete } = await listDatabases(governor)
    expect([rows.length, complete, rows.at(-1)!.name]).toEqual([700, true, 'db699'])
    expect(raven.paths(/^\/databases\?/)).toHaveLength(2)
    raven.on(/^\/databases\?/, () => ({ Databases: Array.from({ length: 512 }, (_, n) => ({ Name: `db${n}` })) }))
    expect((await listDatabases(governor)).complete).toBe(false)
  })

  it('knows all of 5,000, for an operator and for one who may not see the idle list', async () => {
    for (const idle of [() => ({ Results: [] }), () => json({ Type: 'InvalidAuth', Message: 'no' }, 403)]) {
      const { raven, governor } = setup()
      raven.on(/^\/databases\?/, (path) => {
        const start = Number(/start=(\d+)/.exec(path)![1])
        const length = Math.max(0, Math.min(512, 5000 - start))
        return { Databases: Array.from({ length }, (_, n) => ({ Name: `db${start + n}`, UpTime: null })) }
      })
      raven.on(/state/, () => ({ Databases: [] }))
      raven.on(/idle/, idle)
      const { rows, complete } = await listDatabases(governor)
      expect([rows.length, complete, rows.at(-1)!.name]).toEqual([5000, true, 'db4999'])
      expect(raven.loads).toEqual([])
    }
  })

  it('fails with where and what when the list itself is not what it should be', async () => {
    const { raven, governor } = setup()
    raven.on(/^\/databases\?/, () => ({ Databases: 'none' }))
    raven.on(/idle/, () => ({ Results: [] }))
    await expect(listDatabases(governor)).rejects.toMatchObject({ kind: 'unexpected', endpoint: '/databases' })
  })

  it('gives up when the caller does', async () => {
    const { governor } = setup()
    const controller = new AbortController()
    controller.abort()
    await expect(listDatabases(governor, { signal: controller.signal })).rejects.toMatchObject({ kind: 'aborted' })
  })
})

describe('how a load goes', () => {
  const loadTimeout = (Message: string): Response =>
    json({ Type: 'Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException', Message }, 503)

  it('is reported by the server to a request that waited without success for it', async () => {
    const { raven, governor } = setup()
    raven.on(/state/, () => ({ Databases: [{ Name: 'slow', DatabaseStatus: 'Loading' }] }))
    const line = (words: string): string => `[Load Database] 11/20/2026 12:29:37 :: Database 'slow' : ${words}\n`
    raven.on(/footer/, () =>
      loadTimeout(`It is still loading.\n${line('Starting Recovery')}${line('Journal 0 Recovered')}`),
    )
    expect(await requestLoadStory(governor, 'slow', {})).toMatchObject({
      state: 'loading',
      message: 'The database is still loading. It is at “Journal 0 Recovered”.',
      steps: [{ words: 'Starting Recovery' }, { words: 'Journal 0 Recovered' }],
    })
    expect(raven.paths(/state/)).toEqual(['/studio-tasks/databases/state?start=0&pageSize=256&name=slow'])
  })

  it('is not asked of one that does not load: that would load it', async () => {
    const { raven, governor } = setup()
    raven.on(/state/, () => ({ Databases: [{ Name: 'slow', DatabaseStatus: 'Online' }] }))
    expect(await requestLoadStory(governor, 'slow', {})).toEqual({ state: 'ended' })
    expect(raven.loads).toEqual([])
  })

  it('that failed is an error', async () => {
    const { raven, governor } = setup()
    raven.on(/state/, () => ({ Databases: [{ Name: 'slow', DatabaseStatus: 'Loading' }] }))
    const Type = 'Raven.Client.Exceptions.Database.DatabaseLoadFailureException'
    raven.on(/footer/, () => json({ Type, Message: 'Journal is corrupt' }, 500))
    await expect(requestLoadStory(governor, 'slow', {})).rejects.toMatchObject({ kind: 'database-faulted' })
  })
})
