import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { listPackage } from '../../capture/reading/package-entries.ts'
import { serversOf } from '../../capture/reading/package-servers.ts'
import type { PackageTriage } from '../../features/package/contract.ts'
import { readPackage } from '../../features/package/data/packages.ts'
import {
  edited,
  INCIDENT,
  judgeEntries as judge,
  packaged,
  PACKAGED_VERSIONS,
  readEntries as read,
  type Entries,
} from '../../testing/packaged.ts'
import { judgePackage } from './judge-package.ts'

const rulesOf = ({ findings }: PackageTriage) =>
  findings.map(({ rule, level, database, entry }) => [level, rule, database, entry])
const whyNot = ({ unknown }: PackageTriage, rule: string) => unknown.find((each) => each.rule === rule)?.why

describe('a package of a provoked incident', () => {
  it.each(PACKAGED_VERSIONS)('of %s is judged, and each finding names its entry', async (version) => {
    const triage = await judge(packaged(version, INCIDENT))
    expect(triage.sentence).toBe('The index “Broken” of “orders” stopped with errors. 2 more issues.')
    expect(rulesOf(triage).filter(([, rule]) => rule !== 'server-alerts')).toEqual([
      ['critical', 'index-errored', 'orders', 'orders/indexes.stats.json'],
      ['critical', 'index-trouble', 'orders', 'orders/indexes.stats.json'],
      ['warning', 'tombstones-held', 'orders', 'orders/admin.tombstones.state.json'],
      ['info', 'backup-old', 'orders', 'orders/tasks.json'],
      ['info', 'database-disabled', 'archive', 'archive/database-record.json'],
    ])
    expect(triage.findings.every(({ actsOn, errorsOf }) => actsOn === undefined && errorsOf === undefined)).toBe(true)
    expect(whyNot(triage, 'disk-full')).toBe('A package does not have the free space of disks.')
    expect(whyNot(triage, 'server-alerts')).toBe(
      version === '7.1'
        ? 'A package has the alerts of databases, and none of the server itself.'
        : `Packages of RavenDB ${version.slice(0, 1)} do not have alerts.`,
    )
  })

  it('has the deletions that each process has not seen, where the version counts them', async () => {
    const triage = await judge(packaged('7.1', INCIDENT))
    expect(triage.findings.find(({ rule }) => rule === 'tombstones-held')).toMatchObject({
      title: '1,500 tombstones of “orders” cannot be removed: 4 processes have not seen them.',
      evidence: ['The backup “nightly”.', 'The index “Broken”.', 'The index “Held”.', 'And 1 more.'],
    })
  })

  it('judges memory by the limit that the log of the server names', async () => {
    const low = edited(packaged('7.1', INCIDENT), 'server-wide/admin.memory.low-mem-log.json', (body) => ({
      ...body,
      'Low Memory Events': [
        {
          Event: 'LowMemOnTimeoutChk',
          TimeOfEvent: '2026-11-26T22:25:00Z',
          HumanlyReadSizes: { Threshold: '976.56 GBytes' },
        },
      ],
    }))
    expect((await judge(low)).findings).toContainEqual(
      expect.objectContaining({
        rule: 'low-memory',
        level: 'critical',
        title: 'The server is extremely low on memory.',
      }),
    )
  })

  it('of a busy healthy server has no finding but for information', async () => {
    const triage = await judge(packaged('7.1'))
    expect(rulesOf(triage)).toEqual([])
    expect(triage).toMatchObject({
      isCalm: true,
      sentence: expect.stringMatching(/^No issues found by \d+ of \d+ checks/) as string,
    })
  })
})

const without = (entries: Entries, isLeft: (path: string) => boolean): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([path]) => isLeft(path)))

describe('what is missing or broken', () => {
  const healthy = packaged('7.1')
  /** Titles of checks that lack entries, with the reason. */
  const lacking = ({ unknown }: PackageTriage) =>
    unknown.flatMap(({ rule, why, isLack }) => (isLack ? [[rule, why]] : []))

  it.each([
    ['the indexes of its database', (path: string) => !path.endsWith('/indexes.stats.json'), 'index-errored'],
    ['its cluster topology', (path: string) => !path.endsWith('/cluster.topology.json'), 'cluster-node'],
    [
      'all but the record of its database',
      (path: string) => !/northwind\/(?!database-record)/.test(path),
      'backup-old',
    ],
    ['the server itself', (path: string) => !path.startsWith('server-wide/'), 'low-memory'],
    ['databases', (path: string) => path.startsWith('server-wide/'), 'index-errored'],
  ])('costs a healthy server its clean bill: %s', async (_what, isLeft, rule) => {
    expect(lacking(await judge(healthy))).toEqual([])
    const triage = await judge(without(healthy, isLeft))
    expect(triage.isCalm).toBe(false)
    expect(triage.sentence).toMatch(/^No issues found by \d+ of \d+ checks, but \d+ checks lack entries: /)
    expect(lacking(triage).map(([of]) => of)).toContain(rule)
  })

  it('counts no documents that are not known', async () => {
    const { sentence } = await judge(without(healthy, (path) => !/northwind\/(?!database-record)/.test(path)))
    expect(sentence).toMatch(/: 1 database\.$/)
    const two = { ...healthy, 'shop/indexes.stats.json': strToU8('{"Results":[]}') }
    expect((await judge(two)).sentence).toMatch(/: 2 databases, at least 1,059 documents\.$/)
  })

  it('is named of one database of several, however well the others are known', async () => {
    const entries = packaged('7.1', INCIDENT)
    const notOf = async (name: string) =>
      lacking(await judge(without(entries, (path) => path !== `orders/${name}.json`)))
    const indexes = await notOf('indexes.stats')
    for (const rule of [
      'index-errored',
      'index-trouble',
      'indexing-stopped',
      'index-off',
      'index-fan-out',
      'tombstones-held',
    ])
      expect(indexes).toContainEqual([rule, 'Not known of “orders”.'])
    expect(await notOf('stats')).toContainEqual(['conflicts', 'Not known of “orders”.'])
    expect(await notOf('documents.huge')).toContainEqual(['huge-documents', 'Not known of “orders”.'])
    expect(await notOf('queries.running')).toContainEqual(['long-queries', 'Not known of “orders”.'])
    // The disabled database has no responses, which is a finding.
    expect(indexes.filter(([, why]) => /archive/.test(why ?? ''))).toEqual([])
  })

  it('may be anything where the file is cut: what follows is not known to exist', async () => {
    const packed = zipSync(packaged('7.1'), { level: 6 })
    const triageOf = async (share: number) => {
      const listed = await listPackage(new Blob([packed.subarray(0, packed.length * share)]), 'zip')
      return judgePackage(await readPackage({ listed, step: () => Promise.resolve() }))
    }
    for (const share of [0.2, 0.5, 0.8]) {
      const triage = await triageOf(share)
      expect(triage.isCalm).toBe(false)
      expect(triage.sentence).toMatch(/^No issues found by \d+ of \d+ checks, but the package is cut/)
    }
  })

  it('is not judged, and nothing is called healthy for it', async () => {
    const triage = await judge({
      'server-wide/build.version.json': strToU8('{"FullVersion":"7.1.5","ProductVersion":"7.1"}'),
    })
    expect(triage).toMatchObject({ isCalm: false, judged: 0, sentence: 'Nothing in this package could be judged.' })
  })

  it('ends in a sentence for each response', async () => {
    const entries = packaged('6.2', INCIDENT)
    const servers = await read({
      ...entries,
      'orders/tasks.json': strToU8('{"OngoingTasks":['),
      'orders/indexes.errors.json': strToU8('[]'),
      'orders/admin.txinfo.json': new Uint8Array(0),
    })
    const orders = servers[0]?.databases.find(({ name }) => name === 'orders')?.answers
    expect(orders?.tasks).toMatchObject({ kind: 'failed', message: 'It is not complete JSON.' })
    expect(orders?.errors).toMatchObject({ kind: 'failed', message: 'At $: expected an object, got an array of 0.' })
    expect(orders?.transactions).toMatchObject({ kind: 'failed', message: 'The entry is empty.' })
  })

  it('is a database that failed to load where the server packed its error only', async () => {
    const error = strToU8('Exception throw time: now\nSystem.IO.IOException: The disk is gone.')
    const triage = await judge({
      ...packaged('6.2', INCIDENT),
      'shop/stats.error': error,
      'shop/indexes.stats.error': error,
    })
    expect(triage.sentence).toMatch(/^The database “shop” failed to load\./)
    expect(triage.findings[0]).toMatchObject({
      rule: 'database-faulted',
      database: 'shop',
      entry: 'shop/stats.error',
      evidence: ['The server could not gather it: System.IO.IOException: The disk is gone.'],
    })
  })
})

describe('a package that was packed again', () => {
  const under = (folder: string, entries: Entries): Entries =>
    Object.fromEntries(Object.entries(entries).map(([path, bytes]) => [`${folder}${path}`, bytes]))

  it.each(['', 'of-mail/'])('without the folder of the server itself is read, below “%s”', async (folder) => {
    const entries = Object.fromEntries(
      Object.entries(packaged('7.1')).map(([path, bytes]) => [path.replace('server-wide/', folder), bytes]),
    )
    const [server, ...others] = await read(entries)
    expect(server?.own.build).toMatchObject({ kind: 'answered' })
    expect(server?.databases.map(({ name }) => name)).toEqual(['northwind'])
    expect(others).toEqual([])
  })

  it('without any folder is read as a server with a database', async () => {
    const entries = Object.fromEntries(
      Object.entries(packaged('7.1')).map(([path, bytes]) => [`all/${path.slice(path.lastIndexOf('/') + 1)}`, bytes]),
    )
    const [server, ...others] = await read(entries)
    expect(server?.own.build).toMatchObject({ kind: 'answered' })
    expect(server?.databases).toMatchObject([{ name: 'northwind', folder: 'all/' }])
    expect(others).toEqual([])
  })

  it('says that no database is in it, not that its server has none', async () => {
    const entries = Object.entries(packaged('7.1')).filter(([path]) => path.startsWith('server-wide/'))
    expect((await judge(Object.fromEntries(entries))).sentence).toMatch(
      /^No issues found by \d+ of \d+ checks, but \d+ checks lack entries: no database is in the package\./,
    )
  })

  it('is of the time of its responses, where one of them has a wrong time', async () => {
    const [whole] = await read(packaged('7.1'))
    const [wrong] = await read(
      edited(packaged('7.1'), 'server-wide/admin.stats.json', (body) => ({
        ...body,
        '@metadata': { DateTime: '9999-12-31T23:59:59.9999999Z' },
      })),
    )
    expect(wrong?.atTicks).toBe(whole?.atTicks)
  })

  it('names databases as their records do, whatever became of the names of folders', async () => {
    const record = 'northwind/database-record.json'
    const named = (name: string): Entries =>
      Object.fromEntries(
        Object.entries(edited(packaged('7.1'), record, (body) => ({ ...body, DatabaseName: name }))).map(
          ([path, bytes]) => [path.replace('northwind/', `${name.normalize('NFD')}/`), bytes],
        ),
      )
    const [server] = await read({ ...named('Bücher'), ...named('顧客') })
    expect(server?.databases.map(({ name, folder }) => [name, folder])).toEqual([
      ['Bücher', `${'Bücher'.normalize('NFD')}/`],
      ['顧客', '顧客/'],
    ])
  })

  it('with another one of the same server, or of another cluster, is no cluster that differs', async () => {
    const earlier = packaged('7.1', INCIDENT)
    const later = edited(earlier, 'server-wide/build.version.json', (body) => ({ ...body, FullVersion: '7.1.6' }))
    const other = edited(later, 'server-wide/cluster.topology.json', (body) => ({
      ...body,
      NodeTag: 'B',
      Topology: { ...(body['Topology'] as object), TopologyId: 'another' },
    }))
    const all = { ...earlier, ...under('tuesday/', later), ...under('other/', other) }
    const { findings } = await judge(all)
    expect(findings.filter(({ rule }) => rule === 'node-differences')).toEqual([])
    const titles = findings.flatMap(({ rule, title }) => (rule === 'index-errored' ? [title.split(':')[0]] : []))
    expect(new Set(titles)).toEqual(new Set(['Node A', 'Node A (tuesday)', 'Node B']))
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)
  })
})

describe('what one response shows', () => {
  const withLog = (log: object) =>
    edited(packaged('7.1'), 'server-wide/admin.cluster.log.json', (body) => ({
      ...body,
      Log: { ...(body['Log'] as object), ...log },
    }))

  it.each([
    [
      { LastLogEntryIndex: 13, CommitIndex: 7, LastCommitedTime: '2026-11-20T04:00:00Z' },
      'critical',
      /^The cluster log has stalled for 12/,
    ],
    [{ LastLogEntryIndex: 200, CommitIndex: 7 }, 'warning', /^193 entries of the cluster log wait/],
    [{ CriticalError: 'It broke' }, 'critical', /^The cluster log stopped with a critical error/],
  ])('the cluster log with %j', async (log, level, title) => {
    expect((await judge(withLog(log))).findings).toMatchObject([
      { level, title: expect.stringMatching(title) as string },
    ])
  })

  it('few entries that wait a moment are no trouble', async () => {
    const entries = withLog({ LastLogEntryIndex: 9, CommitIndex: 7, LastCommitedTime: '2026-11-20T04:12:50Z' })
    expect((await judge(entries)).findings).toEqual([])
  })

  it('connections of one address to the server, and not those of others on its machine', async () => {
    const connection = (port: string) => ({
      LocalEndPoint: `10.0.0.1:${port}`,
      RemoteEndPoint: '[::ffff:10.0.0.9]:5000',
    })
    const entries = (port: string) =>
      edited(packaged('7.1'), 'server-wide/admin.info.tcp.active-connections.json', (body) => ({
        ...body,
        Connections: { Established: Array.from({ length: 400 }, () => connection(port)) },
      }))
    expect((await judge(entries('8177'))).findings).toMatchObject([
      { rule: 'connections', level: 'warning', title: '10.0.0.9 holds 400 connections to the server.' },
    ])
    expect((await judge(entries('5432'))).findings).toEqual([])
  })

  it.each([
    [{ LastFullBackup: '2026-11-10T00:00:00Z', NextBackup: { DateTime: '2026-11-11T00:00:00Z' } }, 'warning'],
    [{ LastFullBackup: '2026-11-10T00:00:00Z', NextBackup: { DateTime: '2026-12-10T00:00:00Z' } }, 'info'],
    [{ LastFullBackup: '2026-11-19T00:00:00Z', NextBackup: { DateTime: '2026-11-21T00:00:00Z' } }, null],
    [{ LastFullBackup: '2026-11-10T00:00:00Z', LastIncrementalBackup: '2026-11-20T04:00:00Z' }, null],
    [{ TaskState: 'Disabled' }, null],
  ])('a backup with %j', async (parts, level) => {
    const task = { TaskId: 1, TaskType: 'Backup', TaskName: 'nightly', TaskState: 'Enabled', ...parts }
    const entries = edited(packaged('7.1'), 'northwind/tasks.json', (body) => ({
      ...body,
      OngoingTasks: [task],
    }))
    expect((await judge(entries)).findings.map((each) => each.level)).toEqual(level === null ? [] : [level])
  })

  const withNode = (parts: object, topology: object = {}) =>
    edited(packaged('7.1'), 'server-wide/cluster.topology.json', (body) => ({
      ...body,
      Topology: { ...(body['Topology'] as object), ...topology },
      NodeLicenseDetails: { A: { NumberOfCores: 8, UtilizedCores: 8, ...parts } },
    }))

  it('cores that the server does not use, and none where it uses all', async () => {
    expect((await judge(withNode({ UtilizedCores: 3 }))).findings).toMatchObject([
      {
        rule: 'cores-unused',
        level: 'info',
        title: 'The server uses 3 of the 8 cores of its machine.',
        entry: 'server-wide/cluster.topology.json',
      },
    ])
    expect((await judge(withNode({}))).findings).toEqual([])
    expect((await judge(withNode({ UtilizedCores: null }))).findings).toEqual([])
  })

  it('a node that is promotable, and not one that is a member or a watcher', async () => {
    const rules = async (topology: object) =>
      (await judge(withNode({}, { Members: { A: 'http://a' }, ...topology }))).findings.filter(
        ({ rule }) => rule === 'node-promotable',
      )
    expect(await rules({ Promotables: { B: 'http://b' } })).toMatchObject([
      { level: 'info', title: 'Node B is promotable: it catches up with the others.', evidence: ['http://b'] },
    ])
    expect(await rules({ Watchers: { B: 'http://b' } })).toEqual([])
  })

  it('an index that is idle though it was defined, and no automatic one', async () => {
    const idle = (isIdle: (type: string) => boolean) =>
      edited(packaged('7.1'), 'northwind/indexes.stats.json', ({ Results }) => ({
        Results: (Results as { Name: string; Type: string }[]).map((each, i) =>
          Object.assign(each, i === 0 ? { Type: 'AutoMap' } : {}, isIdle(each.Type) ? { State: 'Idle' } : {}),
        ),
      }))
    const found = async (isIdle: (type: string) => boolean) => (await judge(idle(isIdle))).findings
    expect(await found((type) => type.startsWith('Auto'))).toEqual([])
    expect(await found((type) => type === 'MapReduce')).toMatchObject([{ rule: 'index-idle', level: 'warning' }])
  })

  it('a huge document once, however often it was used, with its last size', async () => {
    const entries = edited(packaged('7.1'), 'northwind/documents.huge.json', (body) => ({
      ...body,
      Results: [
        { Id: 'huge/1', Size: 9_437_184, LastAccess: '2026-11-20T02:10:00Z' },
        { Id: 'huge/1', Size: 6_291_456, LastAccess: '2026-11-20T02:20:00Z' },
      ],
    }))
    expect((await judge(entries)).findings).toMatchObject([
      { rule: 'huge-documents', title: 'The document “huge/1” of “northwind” has 6.00 MiB.', evidence: [] },
    ])
  })

  it('an alert of a database, with its entry', async () => {
    const Results = [
      {
        Id: 'AlertRaised/PeriodicBackup',
        CreatedAt: '2026-11-20T04:00:00Z',
        Type: 'AlertRaised',
        Severity: 'Error',
        Title: 'Periodic Backup task',
      },
    ]
    const entries = edited(packaged('7.1'), 'northwind/notifications.json', () => ({ Results, TotalResults: 1 }))
    expect((await judge(entries)).findings).toMatchObject([
      { rule: 'server-alerts', level: 'warning', database: 'northwind', entry: 'northwind/notifications.json' },
    ])
  })

  it('a transaction that is open for hours', async () => {
    const entries = edited(packaged('7.1'), 'northwind/admin.txinfo.json', (body) => ({
      ...body,
      'tx-info': [
        { BasePath: '/data', Information: [{ StartTime: '2026-11-20T02:10:00Z', ThreadName: 'Idx', Flags: 'Read' }] },
      ],
    }))
    expect((await judge(entries)).findings).toMatchObject([
      {
        rule: 'transactions-open',
        title: expect.stringMatching(/^A transaction of “northwind” has been open for 2 h/) as string,
      },
    ])
  })
})

/** States of the second node, by index. */
const CHANGED: Record<string, object> = {
  'Orders/Totals': { State: 'Error' },
  'Product/Search': { EntriesCount: 9000 },
}

/** Settings of the second node. Each node has paths of its own. */
const SET = { 'Cluster.ElectionTimeoutInMs': '900', 'Logs.Path': '/b', License: 'hunter2' }

function withSettings(body: Record<string, unknown>, values: Readonly<Record<string, string>>): unknown {
  const all = body['Settings'] as { Metadata: { Keys: string[] }; ServerValues: object }[]
  const set = all.map((each) => {
    const key = each.Metadata.Keys.find((name) => name in values)
    return key === undefined
      ? each
      : Object.assign(each, { ServerValues: { [key]: { Value: values[key], HasValue: true } } })
  })
  return { ...body, Settings: set }
}

describe('a package of a cluster', () => {
  const same = (entries: Entries): Entries => entries
  /** `broken`: what became of the entries of node B, after its tag was set. */
  const cluster = (
    other: (entries: Entries) => Entries = same,
    broken: (entries: Entries) => Entries = same,
  ): Entries => {
    const node = edited(packaged('7.1'), 'server-wide/cluster.topology.json', (body) => ({
      ...body,
      Topology: { ...(body['Topology'] as object), Members: { A: 'http://a', B: 'http://b', C: 'http://c' } },
      Status: {},
    }))
    const tagged = (tag: string, entries: Entries): Entries =>
      edited(entries, 'server-wide/cluster.topology.json', (body) => ({ ...body, NodeTag: tag }))
    return {
      'Node - [A].zip': zipSync(tagged('A', node), { level: 0 }),
      'Node - [B].zip': zipSync(broken(tagged('B', other(node))), { level: 0 }),
    }
  }

  it('names the node that is not in it', async () => {
    expect((await judge(cluster())).findings).toMatchObject([
      { rule: 'node-differences', title: 'The package has nothing of node C.', node: null },
    ])
  })

  it('compares a node whose topology could not be gathered', async () => {
    const { findings } = await judge(
      cluster(
        (entries) => edited(entries, 'server-wide/build.version.json', (body) => ({ ...body, FullVersion: '7.1.4' })),
        (entries) => ({ ...entries, 'server-wide/cluster.topology.json': strToU8('') }),
      ),
    )
    expect(findings.flatMap(({ rule, title }) => (rule === 'node-differences' ? [title] : []))).toEqual([
      'The package has nothing of node C.',
      'The nodes run different versions.',
    ])
  })

  it('names the node of a finding, and in what nodes differ', async () => {
    const other = (entries: Entries): Entries =>
      edited(
        edited(entries, 'server-wide/build.version.json', (body) => ({ ...body, FullVersion: '7.1.4' })),
        'northwind/indexes.stats.json',
        ({ Results }) => ({
          Results: (Results as { Name: string }[]).map((each) => Object.assign(each, CHANGED[each.Name])),
        }),
      )
    const settings = 'northwind/admin.configuration.settings.json'
    const set = (entries: Entries): Entries => edited(entries, settings, (body) => withSettings(body, SET))
    const triage = await judge(cluster((entries) => set(other(entries))))
    const titles = triage.findings.map(({ title }) => title)
    expect(titles[0]).toBe('Node B: The index “Orders/Totals” of “northwind” stopped with errors.')
    expect(titles).toContain('The nodes run different versions.')
    expect(triage.findings.find(({ title }) => title === '2 settings of the nodes differ.')).toMatchObject({
      level: 'info',
      evidence: ['Cluster.ElectionTimeoutInMs: default on A; 900 on B.', 'License: default on A; [removed] on B.'],
    })
    expect(titles).toContain('1 index of “northwind” has other numbers of entries on its nodes.')
  })
})

describe('the servers of a package', () => {
  const listed = (paths: readonly string[]) =>
    paths.map((path) => ({ blob: new Blob(['{}']), entry: null, path, isRepeated: false }))

  it('are found wherever its folders lie', () => {
    const found = serversOf(
      listed([
        'mail/x/server-wide/build.version.json',
        'mail/x/shop/stats.json',
        'Node - [B].zip/stats.json',
        'notes/a.json',
      ]),
    )
    expect(
      found.map(({ prefix, tag, own, databases }) => [prefix, tag, own !== null, databases.map(({ name }) => name)]),
    ).toEqual([
      ['Node - [B].zip/', 'B', false, [null]],
      ['mail/x/', null, true, ['shop']],
    ])
  })

  it('are those of each folder with entries of a server, and of its database where both lie together', () => {
    const found = serversOf(
      listed([
        'A/build.version.json',
        'B/build.version.json',
        'shop/stats.json',
        'flat/admin.stats.json',
        'flat/stats.json',
        'mail/admin.stats.json',
        'mail/server-wide/admin.stats.json',
      ]),
    )
    expect(
      found.map(({ prefix, own, databases }) => [
        prefix,
        own?.entries.values().next().value?.path,
        databases.map(({ name }) => name),
      ]),
    ).toEqual([
      ['', 'A/build.version.json', ['shop']],
      ['B/', 'B/build.version.json', []],
      ['flat/', 'flat/admin.stats.json', [null]],
      ['mail/', 'mail/server-wide/admin.stats.json', []],
    ])
  })

  it('have their entries also under the names that file managers and mail programs give', () => {
    const found = serversOf(
      listed([
        'server-wide/BUILD.VERSION.JSON',
        'shop/stats (1).json',
        'shop/indexes.stats.json.txt',
        'shop/database-record - Copy.json',
        'shop/tasks.json',
        'shop/tasks (2).json',
      ]),
    )
    expect(found.map(({ own, databases }) => [own?.entries.size, databases.map(({ name }) => name)])).toEqual([
      [1, ['shop']],
    ])
    expect([...(found[0]?.databases[0]?.entries ?? [])].map(([name, { path }]) => [name, path])).toEqual([
      ['stats', 'shop/stats (1).json'],
      ['indexes.stats', 'shop/indexes.stats.json.txt'],
      ['database-record', 'shop/database-record - Copy.json'],
      ['tasks', 'shop/tasks.json'],
    ])
  })

  it('are named by their folders where nothing else lies beside those', () => {
    const found = serversOf(listed(['A/build.version.json', 'B/build.version.json', 'x/C/build.version.json']))
    expect(found.map(({ prefix }) => prefix)).toEqual(['A/', 'B/', 'x/C/'])
  })

  it('are none in another archive, and not outside of it', () => {
    expect(serversOf(listed(['src/a.json', 'readme.txt', '../../evil/stats.json']))).toEqual([])
  })
})
