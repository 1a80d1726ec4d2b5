import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { entryOf } from '../../ravendb/entry-names.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { ENDPOINTS, type EndpointKey } from '../../ravendb/endpoints.ts'
import { clusterResponse } from '../../feeds/server/data/figures/cluster.ts'
import { readTopology } from '../../feeds/server/data/wire/topology-wire.ts'
import { withCheck } from '../../features/triage/data/answered-work.ts'
import { CHECK_RULES } from '../../features/triage/data/answer-rules.ts'
import { Checks } from '../../features/triage/data/server-check.ts'
import { TRIAGE_RULES } from '../../features/triage/data/triage-rules.ts'
import { recordedModel } from '../../testing/server/server-model.ts'
import { edited, INCIDENT, judgeEntries, packaged, readEntries, type Entries } from '../../testing/packaged.ts'
import { factsOfPackaged } from './package-facts.ts'

/*
 * Every condition that the analyzer of debug packages of RavenDB has is found: in a package, and live by a check. Each is a
 * package of a real server in which the named fields were changed.
 */

type Json = Record<string, unknown>
type Edit = readonly [path: string, change: (body: Json) => unknown]

const own = (entry: string, change: (body: Json) => unknown): Edit => [`server-wide/${entry}.json`, change]
const each = (entry: string, change: (body: Json) => unknown): Edit => [`northwind/${entry}.json`, change]

/** Sets fields of the object at a path. */
const set =
  (path: string, parts: Json) =>
  (body: Json): Json => {
    const at = path
      .split('/')
      .filter((part) => part !== '')
      .reduce<Json>((value, name) => value[name] as Json, body)
    Object.assign(at, parts)
    return body
  }
const AT = '2026-11-20T04:12:56Z'
const gc = (kind: string, parts: Json): Edit => own('admin.memory.gc', set(kind, parts))
const memory = (parts: Json): Edit => own('admin.memory.stats', set('MemoryInformation', parts))
const threads = (parts: Json): Edit => own('admin.threads.runaway', set('Runaway Threads', parts))
const cpu = (total: string, kernel: string): Edit =>
  own('admin.cpu.stats', set('CpuStats/0', { TotalProcessorTime: total, PrivilegedProcessorTime: kernel }))
const log = (parts: Json): Edit => own('admin.cluster.log', set('Log', parts))
const topology = (change: (body: Json) => unknown): Edit => own('cluster.topology', change)
const index = (parts: Json): Edit => each('indexes.stats', set('Results/0', parts))
const endPoints = (count: number, local: string, remote: string) =>
  Array.from({ length: count }, () => ({ LocalEndPoint: `10.0.0.1:${local}`, RemoteEndPoint: remote }))
const connections = (parts: Json): Edit => own('admin.info.tcp.active-connections', set('Connections', parts))
const ping = (ms: number): Edit =>
  own('admin.node.ping', set('', { Result: [{ Url: 'http://b', SetupAlive: { Time: ms, Error: null } }] }))
const transaction = {
  'tx-info': [{ BasePath: '/d', Information: [{ StartTime: '2026-11-20T02:10:00Z', ThreadName: 'I', Flags: 'Read' }] }],
}
const storage = (data: Json, temp: readonly Json[] = []): Edit =>
  each('storage.report', (body) => {
    const [first] = body['Results'] as [{ Report: Json }]
    Object.assign(first.Report['DataFile'] as Json, data)
    first.Report['TempFiles'] = temp
    return body
  })
const GIB = 1024 ** 3

/** `live`: found by vital signs, without a check, where it is so. */
type Condition = readonly [id: string, rule: string, level: string, edits: readonly Edit[], live?: 'vitals']

const CONDITIONS: readonly Condition[] = [
  [
    'S1 cores that are not used',
    'cores-unused',
    'info',
    [topology(set('', { NodeLicenseDetails: { A: { NumberOfCores: 8, UtilizedCores: 3 } } }))],
  ],
  ['S2 much time in the kernel', 'kernel-time', 'info', [cpu('01:00:00', '00:20:00')]],
  ['S2 half the time in the kernel', 'kernel-time', 'warning', [cpu('01:00:00', '00:31:00')]],
  ['S3 many connections', 'connections', 'info', [connections({ Established: endPoints(1100, '5432', '10.0.0.9:1') })]],
  [
    'S4 many of one address',
    'connections',
    'warning',
    [connections({ Established: endPoints(400, '8177', '10.0.0.9:1') })],
  ],
  [
    'S5, S6 many that closed, and are not used again',
    'connections',
    'info',
    [connections({ TimeWait: endPoints(310, '8177', '10.0.0.9:1') })],
  ],
  ['S7 a node that answers slowly', 'node-ping', 'warning', [ping(3000)]],
  ['S8 much unmanaged memory', 'memory-holder', 'warning', [memory({ UnmanagedAllocations: '20 GBytes' })]],
  ['S9 much managed memory', 'memory-holder', 'warning', [memory({ ManagedAllocations: '20 GBytes' })]],
  [
    'S10 little memory available',
    'low-memory',
    'critical',
    [memory({ AvailableMemoryForProcessing: '100 MBytes' })],
    'vitals',
  ],
  ['S11 large encryption buffers', 'memory-holder', 'info', [memory({ EncryptionBuffersPool: '2 GBytes' })]],
  ['S12 a long pause', 'gc-since-start', 'info', [gc('Background', { PauseDurations: ['00:00:02.0000000'] })]],
  ['S13 much time in pauses', 'gc-since-start', 'warning', [gc('Any', { PauseTimePercentage: 12 })]],
  [
    'S14 a heap of gaps',
    'heap-fragmented',
    'warning',
    [gc('Background', { FragmentedBytes: 3 * GIB, HeapSizeBytes: 4 * GIB })],
  ],
  ['S15 many threads', 'threads', 'info', [threads({ ThreadsCount: 700 })]],
  [
    'S16 one thread with most of the CPU time',
    'busy-thread',
    'info',
    [
      cpu('01:00:00', '00:01:00'),
      threads({
        List: [{ Id: 7, Name: 'Indexing\n', TotalProcessorTime: '00:40:00', PrivilegedProcessorTime: '00:00:01' }],
      }),
    ],
  ],
  [
    'S17 one thread in the kernel',
    'busy-thread',
    'info',
    [
      cpu('02:00:00', '00:09:00'),
      threads({ List: [{ Id: 7, Name: 'Sync', TotalProcessorTime: '00:12:00', PrivilegedProcessorTime: '00:08:00' }] }),
    ],
  ],
  [
    'S18 a long transaction of the server',
    'system-transaction-open',
    'warning',
    [own('admin.txinfo', set('', transaction))],
  ],
  ['C1 a node in rehab', 'node-role', 'warning', [topology(set('', { ServerRole: 'Rehab' }))]],
  ['C2 a promotable node', 'node-promotable', 'info', [topology(set('Topology', { Promotables: { B: 'http://b' } }))]],
  [
    'C3 errors of the topology',
    'node-role',
    'warning',
    [topology(set('', { Errors: [{ Title: 'A', Message: 'is lost' }] }))],
  ],
  [
    'C4 a log that stalls',
    'cluster-log',
    'critical',
    [log({ LastLogEntryIndex: 13, CommitIndex: 7, LastCommitedTime: '2026-11-20T04:00:00Z' })],
  ],
  [
    'C5 many entries that wait',
    'cluster-log',
    'warning',
    [log({ LastLogEntryIndex: 9200, CommitIndex: 9000, FirstEntryIndex: 1 })],
  ],
  [
    'C6 a log that lags',
    'cluster-log',
    'info',
    [log({ LastLogEntryIndex: 100, CommitIndex: 90, FirstEntryIndex: 1, LastCommitedTime: AT })],
  ],
  [
    'C7 a peer that is not connected',
    'cluster-node',
    'critical',
    [
      topology((body) =>
        set('', { Status: { B: { Connected: false, ErrorDetails: 'gone' } } })(
          set('Topology', { Members: { A: 'http://a', B: 'http://b' } })(body),
        ),
      ),
    ],
    'vitals',
  ],
  ['C8 a critical error of the log', 'cluster-log', 'critical', [log({ CriticalError: 'It broke' })]],
  [
    'C9 a suspended observer',
    'observer',
    'warning',
    [own('admin.cluster.observer.decisions', set('', { Suspended: true }))],
  ],
  [
    'C10 another election timeout',
    'election-timeout',
    'info',
    [
      each('admin.configuration.settings', (body) => {
        const setting = (body['Settings'] as { Metadata: { Keys: string[] }; ServerValues: Json }[]).find(
          ({ Metadata }) => Metadata.Keys.includes('Cluster.ElectionTimeoutInMs'),
        )
        Object.assign(setting ?? {}, {
          ServerValues: { 'Cluster.ElectionTimeoutInMs': { Value: '900', HasValue: true } },
        })
        return body
      }),
    ],
  ],
  ['C11 a ping slower than an election', 'node-ping', 'info', [ping(400)]],
  [
    'D3 huge documents',
    'huge-documents',
    'warning',
    [each('documents.huge', set('', { Results: [{ Id: 'a', Size: 9e6, LastAccess: AT }] }))],
  ],
  [
    'D4 storage mostly free',
    'storage-free',
    'info',
    [storage({ AllocatedSpaceInBytes: GIB, FreeSpaceInBytes: 0.7 * GIB })],
  ],
  [
    'D5 large temporary files',
    'storage-free',
    'info',
    [
      storage({ AllocatedSpaceInBytes: GIB, FreeSpaceInBytes: 0 }, [
        { Name: 'scratch.0.buffers', AllocatedSpaceInBytes: 0.7 * GIB, Type: 'Scratch' },
      ]),
    ],
  ],
  [
    'D6 an old backup',
    'backup-old',
    'warning',
    [
      each(
        'tasks',
        set('', {
          OngoingTasks: [
            {
              TaskId: 1,
              TaskType: 'Backup',
              TaskName: 'n',
              TaskState: 'Enabled',
              LastFullBackup: '2026-11-10T00:00:00Z',
            },
          ],
        }),
      ),
    ],
  ],
  ['D8 a long transaction', 'transactions-open', 'warning', [each('admin.txinfo', set('', transaction))]],
  [
    'I1 stores all fields',
    'index-stores-all',
    'info',
    [each('indexes', set('Results/0', { Fields: { __all_fields: { Storage: 'Yes' } } }))],
  ],
  ['I2 loads many collections', 'index-references', 'info', [index({ ReferencedCollections: ['A', 'B', 'C', 'D'] })]],
  ['I3 a large fan-out', 'index-fan-out', 'warning', [index({ MaxNumberOfOutputsPerDocument: 20_000 })]],
  ['I4 disabled', 'index-off', 'info', [index({ State: 'Disabled', Status: 'Disabled' })]],
  [
    'I4 disabled, with work left',
    'index-trouble',
    'critical',
    [index({ State: 'Disabled', Status: 'Disabled', IsStale: true })],
  ],
  ['I5 in error', 'index-errored', 'critical', [index({ State: 'Error' })], 'vitals'],
  ['I6 idle', 'index-idle', 'warning', [index({ State: 'Idle', Type: 'Map' })]],
  ['I7 paused', 'index-off', 'info', [index({ Status: 'Paused' })]],
  ['I7 paused, with work left', 'index-trouble', 'critical', [index({ Status: 'Paused', IsStale: true })]],
  [
    'I9 stale',
    'index-behind',
    'info',
    [
      index({
        IsStale: true,
        LastIndexingTime: '2026-11-20T04:10:50Z',
        Collections: { Orders: { DocumentLag: 500, TombstoneLag: 0 } },
      }),
    ],
    'vitals',
  ],
]

const changed = (edits: readonly Edit[]): Entries =>
  edits.reduce((entries, [path, change]) => edited(entries, path, change), packaged('7.1'))

/** Nothing changes them, so that tests share them. */
let healthy: Promise<ReturnType<typeof factsOfPackaged>> | null = null
const healthyFacts = () =>
  (healthy ??= readEntries(packaged('7.1')).then(([server]) => {
    if (server === undefined) throw new Error('It is no package.')
    return factsOfPackaged(server)
  }))

/** Findings of a live server that gives the responses of a package to a check. */
async function foundLive(entries: Entries): Promise<[string, string][]> {
  const model = recordedModel(Date.parse(AT))
  const bodyOf = (path: string): unknown => JSON.parse(new TextDecoder().decode(entries[path]))
  const json = (key: EndpointKey, { database }: { readonly database?: string }): Promise<unknown> => {
    if (key === 'certificates') return Promise.resolve({ Results: [], LoadedServerCert: null })
    if (key === 'databases') return Promise.resolve({ Databases: [] })
    if (key === 'serverSettings') return Promise.resolve(bodyOf('northwind/admin.configuration.settings.json'))
    const folder = database === undefined ? 'server-wide' : 'northwind'
    return Promise.resolve(bodyOf(`${folder}/${entryOf(ENDPOINTS[key].route)}.json`))
  }
  const checks = new Checks()
  await checks.run(model, { json, env: { now: () => Date.parse(AT) } } as unknown as Governor)
  const [server] = await readEntries(entries)
  if (server === undefined) throw new Error('It is no package.')
  // Vital signs of the live server are calm here, and know of no database at work.
  const { nowTicks, states } = await healthyFacts()
  const calm = { ...factsOfPackaged(server), nowTicks, states, work: [], indexErrors: [], answers: null }
  const cluster = clusterResponse(readTopology(bodyOf('server-wide/cluster.topology.json')), new Map())
  const facts = withCheck({ ...calm, cluster }, checks.answersOf(model))
  return [...TRIAGE_RULES.filter(({ rule }) => rule === 'index-trouble'), ...CHECK_RULES].flatMap((rule) =>
    rule.unknown(facts) === null ? rule.find(facts).map(({ level }): [string, string] => [rule.rule, level]) : [],
  )
}

describe('a condition of the analyzer', () => {
  it('none holds in the package of a busy healthy server, and none live', async () => {
    expect((await judgeEntries(packaged('7.1'))).findings).toEqual([])
    expect(await foundLive(packaged('7.1'))).toEqual([])
  })

  it.each(CONDITIONS.map(([id, rule, level, edits, live = 'check']) => ({ id, rule, level, edits, live })))(
    '$id',
    async ({ rule, level, edits, live }) => {
      const entries = changed(edits)
      const { findings } = await judgeEntries(entries)
      expect(findings.map((finding) => [finding.rule, finding.level])).toEqual([[rule, level]])
      if (live === 'vitals')
        expect(TRIAGE_RULES.map((known) => known.rule)).toContain(rule === 'index-behind' ? 'index-trouble' : rule)
      else
        expect(new Set((await foundLive(entries)).map((found) => found.join(' ')))).toEqual(
          new Set([`${rule} ${level}`]),
        )
    },
  )

  it('D7 tombstones that are held back', async () => {
    const rules = (await judgeEntries(packaged('7.1', INCIDENT))).findings.map(({ rule }) => rule)
    expect(rules).toContain('tombstones-held')
    expect(CHECK_RULES.map(({ rule }) => rule)).toContain('tombstones-held')
  })

  it.each([
    [
      'C12 nodes differ in entries that wait',
      log({ LastLogEntryIndex: 9200, CommitIndex: 9000, FirstEntryIndex: 1 }),
      /wait on one node/,
    ],
    ['C13 a node is missing', topology((body) => body), /^The package has nothing of node C\.$/],
    ['I12 nodes differ in entries of an index', index({ EntriesCount: 90_000 }), /other numbers of entries/],
  ] as const)('%s', async (_, [path, change], title) => {
    const node = (tag: string, entries: Entries): Entries => ({
      [`Node - [${tag}].zip`]: zipSync(
        edited(entries, 'server-wide/cluster.topology.json', (body) =>
          set('', { NodeTag: tag, Status: {} })(
            set('Topology', { Members: { A: 'http://a', B: 'http://b', C: 'http://c' } })(body),
          ),
        ),
        { level: 0 },
      ),
    })
    const whole = packaged('7.1')
    const { findings } = await judgeEntries({ ...node('A', whole), ...node('B', edited(whole, path, change)) })
    expect(findings.map((finding) => finding.title)).toContainEqual(expect.stringMatching(title))
  })

  it('D1, D2, I8 are facts on the page, no findings', async () => {
    const entries = edited(packaged('7.1'), 'northwind/database-record.json', (body) => ({
      ...body,
      Encrypted: true,
      DocumentsCompression: { CompressAllCollections: true },
    }))
    expect((await judgeEntries(entries)).findings).toEqual([])
    const [server] = await readEntries(entries)
    expect(server?.databases[0]?.answers).toMatchObject({
      record: { value: { isEncrypted: true, isCompressed: true } },
      indexes: { value: expect.arrayContaining([expect.objectContaining({ engine: 'Corax' })]) as unknown },
    })
  })
})
