import { describe, expect, it, test } from 'vitest'
import { RECORDED_LINES, recordedFrames, recordedJson, recordedText } from '../../testing/recorded.ts'
import { FrameTable } from './frames.ts'
import { NAME_RULES, STACK_RULES } from './job-rules.ts'
import { jobOf, jobOfName, nameRuleOf } from './jobs.ts'
import { readStackDocuments } from './wire.ts'

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
  ['replication-in', 'Incoming replication from A-shop', 'replication:A-shop'],
  ['replication-out', 'Outgoing replication to B-shop', 'replication:B-shop'],
  ['replication-cut', 'Incoming replic', 'replication:replication-cut'],
  ['etl', 'SQL ETL process: Orders to warehouse', 'etl:Orders to warehouse'],
  ['queue-sink', 'Kafka Sink process: in', 'etl:in'],
  ['backup', "Backup task nightly for database 'shop'", 'backup:shop/nightly'],
  ['subscription', 'Subscription connection: mail', 'subscription:mail'],
  ['observer', 'Cluster observer for term 1', 'cluster:observer'],
  ['observer', 'Observer 12', 'cluster:observer'],
  ['observer-cut', 'Cluster observe', 'cluster:observer-cut'],
  ['heartbeat', 'Heartbeats supervisor from A to A in term 1', 'cluster:heartbeat'],
  ['heartbeat', 'HrtbtSpv A to A', 'cluster:heartbeat'],
  ['consensus', 'Consensus Leader - ? in term 1', 'cluster:consensus'],
  ['consensus', 'CnsnsLdr-A IT 1', 'cluster:consensus'],
  ['maintenance', 'Cluster Maintenance Setup Task', 'cluster:maintenance'],
  ['maintenance', 'Cluster Mainten', 'cluster:maintenance'],
  ['maintenance', 'Update Topology', 'cluster:maintenance'],
  ['flushing', 'Voron Flushing Thread', 'storage:flushing'],
  ['flushing', 'Voron Flushing', 'storage:flushing'],
  ['syncing', 'Voron Syncing Thread', 'storage:syncing'],
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
