import { describe, expect, it, test } from 'vitest'
import { RECORDED_LINES, recordedFrames, recordedJson, recordedText } from '../../../testing/recorded.ts'
import { FrameTable } from './frames.ts'
import { COMM_LENGTH, NAME_RULES, STACK_RULES } from './rules/job-rules.ts'
import { JobsByName, jobOfName, MAX_JOBS, nameRuleOf } from './jobs.ts'
import { readStackDocuments } from './live/wire.ts'

const jobOf = (...call: Parameters<JobsByName['of']>) => new JobsByName().of(...call)

/** A name for each rule, and the key of its job; `recorded` names come from real servers (README of testing/recorded). */
const NAMES: readonly (readonly [rule: string, name: string, key: string])[] = [
  ['index', 'Indexing of Events/Lines/BySku of bench', 'index:bench/Events/Lines/BySku'],
  ['index', 'Indexing of Part of Whole of shop', 'index:shop/Part of Whole'],
  ['index-short', 'Idx shop Orders', 'index:shop/Orders…'],
  ['index-short', 'Idx a By', 'index:a/By'],
  ['index-short', 'Idx averylongdat', 'index:averylongdat'],
  ['index-cut', 'Indexing of Ord', 'index:Ord…'],
  ['merger', "'bench' TxMT", 'merger:bench'],
  ['merger', "'iodemo' Transaction Merging Thread", 'merger:iodemo'],
  ['merger-cut', "'iodemo' Transa", 'merger:iodemo…'],
  ['merger-short', 'TxMrgr shop', 'merger:shop'],
  ['cluster-transactions', 'ClstrTx bench', 'cluster-transactions:bench'],
  ['cluster-transactions', 'Cluster Transaction Thread bench', 'cluster-transactions:bench'],
  [
    'replication-in',
    'Incoming replication In database B-mirror @ tcp://b:38888 from A-shop @ http://a:8080',
    'replication:mirror/from A-shop @ http://a:8080',
  ],
  [
    'replication-out',
    'Outgoing replication from shop at A to [mirror @ http://b:8080]',
    'replication:shop/to [mirror @ http://b:8080]',
  ],
  [
    'replication-sink',
    'Pull Replication as Sink from shop at http://b:8080',
    'replication:shop/from shop at http://b:8080',
  ],
  ['replication-short', 'IncRep mirror f', 'replication:mirror…'],
  ['replication-short', 'OutRpl shop to', 'replication:shop…'],
  ['etl', 'SQL ETL process: Orders/to warehouse', 'etl:Orders/to warehouse'],
  ['etl-short', 'Etl Raven ETL N', 'etl:N…'],
  ['ai', 'Gen/AI process: summaries/script', 'etl:summaries/script'],
  ['queue-sink', 'Kafka Sink process: in/script', 'etl:in/script'],
  ['queue-sink-short', 'QuSnk Kafka Sin', 'etl:queue-sink-short'],
  ['backup', "Backup task nightly for database 'shop'", 'backup:shop/nightly'],
  ['backup', "Backup thread One Time Backup #1 for database 'shop'", 'backup:shop/One Time Backup #1'],
  ['backup-files', "Upload backup file of database 'shop' to S3 (task: 'nightly')", 'backup:shop/nightly'],
  ['backup-task-short', 'BkpTsk nightly', 'backup:nightly…'],
  ['backup-short', 'UpBkp shop to S', 'backup:shop…'],
  ['observer', 'Cluster observer for term 1', 'cluster:observer'],
  ['observer', 'Observer 12', 'cluster:observer'],
  ['heartbeat', 'Heartbeats supervisor from A to A in term 1', 'cluster:heartbeat'],
  ['heartbeat', 'HrtbtSpv A to A', 'cluster:heartbeat'],
  ['heartbeat', 'Heartbeats worker connection to leader A in term 1', 'cluster:heartbeat'],
  ['consensus', 'Consensus Leader - ? in term 1', 'cluster:consensus'],
  ['consensus', 'CnsnsLdr-A IT 1', 'cluster:consensus'],
  ['maintenance', 'Cluster Maintenance Setup Task', 'cluster:maintenance'],
  ['maintenance', 'Cluster Mainten', 'cluster:maintenance'],
  ['maintenance', 'Update Topology', 'cluster:maintenance'],
  ['flushing', 'Voron Flushing Thread', 'storage:flushing'],
  ['flushing', 'Voron Flushing', 'storage:flushing'],
  ['prefetching', 'Voron Prefetchi', 'storage:prefetching'],
  ['gc', '.NET Server GC', 'gc'],
  ['gc', '.NET BGC', 'gc'],
  ['finalizer', '.NET Finalizer', 'gc:finalizer'],
  ['pool', '.NET TP Worker', 'pool'],
  ['raven-pool', 'Available Pool Thread', 'pool:raven-pool'],
  ['sockets', '.NET Sockets', 'runtime:sockets'],
  ['timers', 'Kestrel Timer', 'runtime:timers'],
  ['jit', '.NET Tiered Com', 'runtime:jit'],
  ['diagnostics', '.NET EventPipe', 'runtime:diagnostics'],
  ['runtime', '.NET SynchManag', 'runtime'],
  ['lucene', 'Lucene Merge Thread #3', 'index:lucene'],
  ['credits', 'CPU Credits Mon', 'server:credits'],
  ['memory', 'Low memory noti', 'server:memory'],
  ['metrics', 'Metrics Schedul', 'server:metrics'],
  ['logging', 'Logging Thread', 'server:logging'],
  ['tasks', 'Tasks Executor', 'server:tasks'],
  ['main', 'Raven.Server', 'server:main'],
]

describe('by name', () => {
  test.each(NAMES)('%s: %s', (rule, name, key) => {
    expect(nameRuleOf(name)?.id).toBe(rule)
    expect(jobOfName(name)?.key).toBe(key)
  })

  it('has an example of each rule', () => {
    expect(new Set(NAMES.map(([rule]) => rule))).toEqual(new Set(NAME_RULES.map(({ id }) => id)))
  })

  it('says index, database and cut ones apart', () => {
    expect(jobOfName('Indexing of Orders/ByCompany of bench')).toEqual({
      key: 'index:bench/Orders/ByCompany',
      kind: 'index',
      label: 'Index Orders/ByCompany',
      database: 'bench',
      name: 'Orders/ByCompany',
      isCut: false,
    })
    expect(jobOfName('Idx bench Order')).toMatchObject({ database: 'bench', name: 'Order', isCut: true })
    expect(jobOfName('Idx a By')).toMatchObject({ isCut: false })
  })

  test.each(['', 'Unknown', 'My own thread', 'Indexer', 'Idx'])('%j is not guessed', (name) => {
    expect(jobOf(name, new FrameTable(), null)).toMatchObject({ kind: 'unrecognised', key: `unrecognised:${name}` })
  })
})

describe('many names', () => {
  it('beyond the limit are one job for each kind, and those that had one of their own keep it', () => {
    const jobs = new JobsByName()
    const of = (name: string) => jobs.of(name, new FrameTable(), null)
    const keys = Array.from({ length: MAX_JOBS }, (_, i) => of(`Thread ${i} of many`).key)
    expect(new Set(keys).size).toBe(MAX_JOBS)
    expect(of('Thread one more')).toMatchObject({ kind: 'unrecognised', label: 'Other names' })
    expect(of('Thread one more').key).toBe(of('Thread two more').key)
    expect(of('Indexing of A/B of shop')).toMatchObject({ kind: 'index', label: 'Index, others', name: null })
    expect(of("'shop' TxMT")).toMatchObject({ kind: 'merger', label: 'Transaction merger, others' })
    expect(of('.NET BGC')).toMatchObject({ key: 'gc', label: 'Garbage collector' })
    expect(of('Thread 7 of many')).toMatchObject({ key: 'unrecognised:Thread 7 of many' })
  })
})

describe('as the server makes them', () => {
  type Made = readonly [expected: string, format: string, parts: readonly string[]]
  const { short, full, later } = JSON.parse(recordedText('7.1', 'thread-names.json')) as Record<
    'short' | 'full' | 'later',
    readonly Made[]
  >
  const made = (format: string, parts: readonly string[]): string =>
    format.replaceAll(/\{(\d)\}/g, (_, at: string) => parts[Number(at)] ?? '')

  test.each(short)('%s: %s', (kind, format, parts) => {
    const name = made(format, parts).slice(0, COMM_LENGTH).trim()
    expect({ name, kind: jobOfName(name)?.kind }).toEqual({ name, kind })
  })

  test.each([...full, ...later])('%s: %s', (key, format, parts) => {
    expect(jobOfName(made(format, parts))?.key).toBe(key)
  })
})

describe('by stack', () => {
  test.each(STACK_RULES.map((rule) => [rule.id, rule] as const))('%s', (id, { kind, frames: keys }) => {
    const frames = new FrameTable()
    for (const key of keys) {
      const leaf = frames.intern('System.Private.CoreLib!System.Threading.Monitor.Wait()')
      const own = frames.intern(`Some.Module!Some.Space.${key.replace('*', 'Run')}()`)
      expect(jobOf('.NET TP Worker', frames, [leaf, own])).toMatchObject({ kind, key: id })
    }
  })

  it('leaves threads that have a name of their own alone', () => {
    const frames = new FrameTable()
    const request = frames.intern('Raven.Server!Raven.Server.Routing.RequestRouter+<HandlePath>d__1.MoveNext()')
    expect(jobOf("'bench' TxMT", frames, [request])).toMatchObject({ kind: 'merger', database: 'bench' })
    expect(jobOf('.NET TP Worker', frames, [request])).toMatchObject({ kind: 'request' })
    expect(jobOf('.NET TP Worker', frames, [])).toMatchObject({ kind: 'pool' })
  })
})

it('knows a subscription by its stack, and backups by their names, as recorded', () => {
  const frames = new FrameTable()
  const [document] = readStackDocuments(recordedJson('7.1', 'stack-trace-tasks.json'), frames)
  const names = new Map(document!.threads.map((thread) => [thread.id, thread.name]))
  const keys = document!.entries.flatMap(({ threadIds, frames: path }) =>
    threadIds.map((id) => jobOf(names.get(id) ?? '', frames, path).key),
  )
  expect(keys.toSorted()).toEqual(['backup:shop/One Time Backup #1', 'backup:shop/nightly', 'subscription'])
})

describe('every recorded thread', () => {
  const seen = RECORDED_LINES.flatMap((line) => [
    recordedText(line, 'threads-runaway.json'),
    recordedFrames(line, 'threads-info-watch.ndjson'),
  ]).flatMap((texts) => [texts].flat().map((text) => JSON.parse(text) as unknown))
  it('is recognised, but for the one that the server calls Unknown', () => {
    const frames = new FrameTable()
    const names = new Set(
      seen
        .flatMap((document) => readStackDocuments(document, frames))
        .flatMap(({ threads }) => threads.map(({ name }) => name)),
    )
    expect(names.size).toBeGreaterThan(30)
    expect([...names].filter((name) => jobOf(name, frames, null).kind === 'unrecognised')).toEqual(['Unknown'])
  })

  test.each(['idle', 'indexing', 'writing'])('of %s, with its stack', (name) => {
    const frames = new FrameTable()
    const [document] = readStackDocuments(recordedJson('7.1', `stack-trace-${name}.json`), frames)
    const names = new Map(document!.threads.map((thread) => [thread.id, thread.name]))
    const kinds = document!.entries.flatMap(({ threadIds, frames: path }) =>
      threadIds.map((id) => jobOf(names.get(id) ?? '', frames, path).kind),
    )
    expect(kinds).not.toContain('unrecognised')
    expect(kinds.filter((kind) => kind === 'index')).toHaveLength(4)
    expect(kinds.filter((kind) => kind === 'merger')).toHaveLength(2)
    expect(kinds).toContain('request')
  })
})
