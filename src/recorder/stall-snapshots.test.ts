import { expect, it } from 'vitest'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { IoRecord, StacksRecord } from '../capture/archive/records.ts'
import { HostEnded } from './host.ts'
import { type SnapshotRule, StallSnapshots, type TakenSnapshot } from './stall-snapshots.ts'

const START = 10_000 * TICKS_PER_SECOND

/** Journal writes, each by its end in seconds and its duration in ms. */
const writes = (...ends: readonly (readonly [endSeconds: number, ms: number])[]): IoRecord => ({
  t: 'io',
  source: 'db:shop',
  path: '/data/Databases/shop/Indexes/Orders_Totals/Journals',
  type: 'Index',
  kind: 'JournalWrite',
  file: '1.journal',
  c: [
    ends.map(([end, ms]) => START + end * TICKS_PER_SECOND - ms * TICKS_PER_MS),
    ends.map(([, ms]) => ms * TICKS_PER_MS),
  ],
})

function recorder(rule: SnapshotRule, take: () => Promise<TakenSnapshot> = taken) {
  const records: StacksRecord[] = []
  const said: string[] = []
  const state = { nowTicks: START }
  const snapshots = new StallSnapshots({
    rule,
    take,
    record: (record) => records.push(record),
    nameOf: (source, path) => `${path.slice(-22, -9)} of ${source}`,
    nowTicks: () => state.nowTicks,
    say: (sentence) => said.push(sentence),
  })
  return {
    records,
    said,
    snapshots,
    /** Sees writes at a time in seconds. */
    saw: async (second: number, record: IoRecord) => {
      state.nowTicks = START + second * TICKS_PER_SECOND
      snapshots.saw(record)
      await Promise.resolve().then(() => undefined)
    },
  }
}

const taken = (): Promise<TakenSnapshot> =>
  Promise.resolve({ atTicks: START + 1, isPart: false, json: '{"Results":[]}' })

it('takes a snapshot for the longest of the slow writes that have just ended', async () => {
  const { records, saw } = recorder({ leastMs: 500, perHour: 4 })
  await saw(2, writes([1, 499]))
  await saw(2, { ...writes([1, 900]), kind: 'DataSync' })
  await saw(2, writes([-30, 9000], [1, 700], [1.5, 1200]))
  expect(records).toEqual([
    {
      t: 'stacks',
      atTicks: START + 1,
      title: 'Journal write of 1.20 s in Orders_Totals of db:shop',
      json: '{"Results":[]}',
    },
  ])
})

it('leaves a minute between snapshots, and takes no more in an hour than wanted', async () => {
  const { records, saw } = recorder({ leastMs: 500, perHour: 3 })
  for (let second = 0; second < 3600; second += 20) await saw(second, writes([second, 800]))
  expect(records).toHaveLength(3)
  await saw(3610, writes([3610, 800]))
  expect(records).toHaveLength(4)
})

it('goes on where the clock of the server was set back', async () => {
  const { records, saw } = recorder({ leastMs: 500, perHour: 1 })
  await saw(3500, writes([3500, 800]))
  await saw(100, writes([100, 800]))
  expect(records).toHaveLength(2)
})

it('counts those of the recorder before, which its journal begins with', async () => {
  const before = recorder({ leastMs: 500, perHour: 1 })
  await before.saw(-600, writes([-600, 800]))
  const { records, saw, snapshots } = recorder({ leastMs: 500, perHour: 1 })
  for (const seed of before.snapshots.seeds()) snapshots.meet(seed)
  await saw(0, writes([0, 800]))
  expect(records).toEqual([])
  await saw(3001, writes([3001, 800]))
  expect(records).toHaveLength(1)
})

it('says of a snapshot that it is a part, and nothing of one that the end of its tables cut off', async () => {
  const part = recorder({ leastMs: 1, perHour: 60 }, async () => ({ ...(await taken()), isPart: true }))
  await part.saw(0, writes([0, 800]))
  await Promise.resolve()
  expect(part.records.map(({ title }) => title)).toEqual([
    'Journal write of 800 ms in Orders_Totals of db:shop (in part)',
  ])
  const cut = recorder({ leastMs: 1, perHour: 60 }, () => Promise.reject(new HostEnded('The recording ended.')))
  await cut.saw(0, writes([0, 800]))
  expect([cut.records, cut.said]).toEqual([[], []])
})

it('takes one at a time, and says once why they fail', async () => {
  let calls = 0
  const failing = recorder({ leastMs: 1, perHour: 60 }, () => {
    calls++
    return Promise.reject(new Error('The server has no helper program.'))
  })
  for (let second = 0; second < 600; second += 30) await failing.saw(second, writes([second, 800]))
  expect({ calls, said: failing.said.map((sentence) => sentence.replace(/at \S+ /, '')) }).toEqual({
    calls: 10,
    said: ['A stack snapshot failed: The server has no helper program.'],
  })
  const waiting = recorder({ leastMs: 1, perHour: 60 }, () => new Promise(() => undefined))
  await waiting.saw(0, writes([0, 800]))
  await waiting.saw(300, writes([300, 800]))
  expect(waiting.records).toEqual([])
})
