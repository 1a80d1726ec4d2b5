import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import { inGate } from '../../../testing/gate.ts'
import { recordedJson } from '../../../testing/recorded.ts'
import { DocumentBuilder } from './reading/document.ts'
import type { SnapshotOptions } from './table.ts'
import { FLAG_CPU, FLAG_LISTED, FLAG_SAMPLED, MAX_SNAPSHOTS, StackStore } from './table.ts'
import { readStackDocuments } from './live/wire.ts'

const OPTIONS: SnapshotOptions = { source: 'server', origin: 'click', cost: null, series: null }

const addRecorded = (store: StackStore, name: string) => {
  const [document] = readStackDocuments(recordedJson('7.1', name), store.frames)
  return store.add(document!, OPTIONS)
}

describe('a snapshot', () => {
  const store = new StackStore()
  const { info, rows } = addRecorded(store, 'stack-trace-writing.json')

  it('counts who is in it', () => {
    expect(info).toMatchObject({
      id: 1,
      nodeTag: 'A',
      atTicks: parseTicks('2026-11-20T03:48:26.3055371Z'),
      sampled: 33,
    })
    expect(rows.length).toBe(44)
  })

  it('joins stack, figures and job of a thread', () => {
    const row = rows.identity.findIndex((identity) => store.identities[identity]?.name === "'bench' TxMT")
    expect(rows.flags[row]).toBe(FLAG_SAMPLED | FLAG_LISTED | FLAG_CPU)
    expect(store.frames.name(store.stacks.frame(rows.node[row]!)).short).toBe('JournalWriter.Write')
    expect(store.job(rows.job[row]!).key).toBe('merger:bench')
    expect(rows.cpuPercent[row]).toBeCloseTo(3.5809)
    expect(store.words[rows.state[row]!]).toBe('Running')
    expect(rows.totalCpuMs[row]).toBeGreaterThan(1000)
  })

  it('knows a thread again in the next snapshot, and shares its stack', () => {
    const nodes = store.stacks.length
    const second = addRecorded(store, 'stack-trace-writing.json')
    expect(second.rows.identity).toEqual(rows.identity)
    expect(second.rows.node).toEqual(rows.node)
    expect(store.stacks.length).toBe(nodes)
  })

  it('says who was sampled without being listed', () => {
    const own = new StackStore()
    const builder = new DocumentBuilder(own.frames)
    for (const id of [1, 2]) {
      builder.beginEntry()
      builder.threadId(id)
      builder.endEntry()
    }
    builder.thread({ Id: 2, Name: 'My thread' })
    builder.thread({ Id: 3, Name: '.NET Server GC' })
    const snapshot = own.add(builder.finish(), OPTIONS)
    expect(snapshot.info).toMatchObject({ sampled: 2 })
  })
})

describe('bounds', () => {
  const ids = new Map<string, number>()
  const frameOf = (store: StackStore, type: number, method: number): number => {
    const key = `${type}.${method}`
    let id = ids.get(key)
    if (id === undefined) ids.set(key, (id = store.frames.intern(`Mod!Space.Type${type}.Method${method}()`)))
    return id
  }
  const big = (store: StackStore, seed: number) => {
    const builder = new DocumentBuilder(store.frames)
    for (let thread = 0; thread < 400; thread++) {
      builder.beginEntry()
      builder.threadId(thread)
      // Most threads wait where they always do; one in eight is somewhere else each time.
      const moves = thread % 8 === 0 ? seed : 0
      for (let depth = 0; depth < 60; depth++)
        builder.frame(frameOf(store, thread % 40, depth + (depth < 10 ? moves : 0)))
      builder.endEntry()
      builder.thread({
        Id: thread,
        Name: `Indexing of Index/Number${thread % 50} of db`,
        CpuUsage: thread / 100,
        State: 5,
      })
    }
    return store.add(builder.finish(), OPTIONS)
  }

  const SNAPSHOTS = inGate(50, 200)

  it(`${SNAPSHOTS} snapshots of 400 threads with 60 frames fit into a few megabytes`, () => {
    const store = new StackStore()
    for (let i = 0; i < SNAPSHOTS; i++) big(store, i)
    const { tables, other } = store.byteLength
    expect(store.rowCount).toBe(400 * SNAPSHOTS)
    expect((tables + other) / 1024 / 1024).toBeLessThan(0.06 * SNAPSHOTS)
  })

  it('knows the times of those of a source that it removed, until they are read again', () => {
    const store = new StackStore()
    const builder = new DocumentBuilder(store.frames)
    const add = (atTicks: number) => {
      builder.thread({ Id: 1, Name: 'x' })
      return store.add({ ...builder.finish(), atTicks }, OPTIONS)
    }
    for (let i = 0; i < MAX_SNAPSHOTS + 3; i++) add(100 + i)
    const within = (startTicks: number, endTicks: number) =>
      store.pushedOut.get(OPTIONS.source)?.within({ startTicks, endTicks } as never)
    expect(within(0, 1000)).toEqual({ count: 3, firstTicks: 100, lastTicks: 102 })
    expect(within(101, 101)).toEqual({ count: 1, firstTicks: 101, lastTicks: 101 })
    expect(within(103, 1000)).toBeNull()
    add(101)
    expect(within(0, 1000)).toEqual({ count: 3, firstTicks: 100, lastTicks: 103 })
  })

  it('drops the oldest and counts them', () => {
    const store = new StackStore()
    const builder = new DocumentBuilder(store.frames)
    for (let i = 0; i < MAX_SNAPSHOTS + 3; i++) {
      builder.thread({ Id: i, Name: 'x' })
      store.add(builder.finish(), OPTIONS)
    }
    expect([store.snapshots.size, store.dropped, store.snapshots.has(3), store.snapshots.has(4)]).toEqual([
      MAX_SNAPSHOTS,
      3,
      false,
      true,
    ])
  })
})
