import { describe, expect, it } from 'vitest'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { JsonObject } from '../../../../base/json/check.ts'
import { recordedJson } from '../../../../testing/recorded.ts'
import { readListedOperations } from '../wire/listed-operations.ts'
import type { MergerTime } from '../wire/merger-wire.ts'
import type { DatabaseWork } from '../wire/work-wire.ts'
import { OperationLog } from './operation-log.ts'
import { operationsOverTime } from './operation-spans.ts'
import { ServerOperations } from './server-operations.ts'

const START = '2026-11-22T00:00:00.0000000Z'
const at = (seconds: number): Ticks => (parseTicks(START) + seconds * TICKS_PER_SECOND) as Ticks
const iso = (seconds: number): string =>
  `2026-11-22T00:0${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}.0000000Z`

interface Listed {
  readonly id: number
  readonly task?: string
  readonly start: number
  readonly end?: number
  readonly items: number
  readonly batches?: number
}

const entry = ({ id, task = 'BulkInsert', start, end, items, batches = 0 }: Listed) => ({
  Id: id,
  Description: {
    Description: 'x',
    TaskType: task,
    StartTime: iso(start),
    EndTime: end === undefined ? null : iso(end),
  },
  Killable: false,
  State:
    end === undefined
      ? {
          Status: 'InProgress',
          Progress:
            task === 'BulkInsert' ? { Total: items, BatchCount: batches } : { Processed: items, Total: 10 * items },
          Result: null,
        }
      : { Status: 'Completed', Progress: null, Result: { Total: items } },
})

const time = (seconds: number, waits: number, transactions: number): MergerTime => ({
  atTicks: at(seconds),
  waits,
  transactions,
  writers: 1,
})

/** Takes one turn of a database: when it was polled, what it listed, and what its transaction merger did. */
function take(
  log: OperationLog,
  seconds: number,
  listed: readonly Listed[],
  mergerTimes: readonly MergerTime[] = [],
): void {
  const operations = readListedOperations({ Results: listed.map(entry) }, 'db', at(seconds))
  const nothing = { counts: null, indexes: null, states: null, merger: null, waiting: null }
  log.take('db', { ...nothing, mergerTimes, operations } satisfies DatabaseWork)
}

const ALL = { startTicks: at(0), endTicks: at(600) }
const told = (log: OperationLog, nowSeconds: number, range = ALL) =>
  operationsOverTime(log, [], range, at(nowSeconds)).rows.map((row) =>
    row.map(({ startTicks, endTicks, label, title }) => [
      (startTicks - at(0)) / TICKS_PER_SECOND,
      (endTicks - at(0)) / TICKS_PER_SECOND,
      label,
      title,
    ]),
  )

describe('operations over time', () => {
  it('keeps what a long operation reported when hundreds of short ones followed it', () => {
    const log = new OperationLog()
    const long = { id: 1, task: 'UpdateByQuery', start: 0, items: 10 }
    take(log, 1, [long])
    for (let turn = 0; turn < 6; turn++) {
      const short = Array.from({ length: 40 }, (_, i) => ({ id: 2 + 40 * turn + i, start: 2, end: 3, items: 1 }))
      take(log, 20 * (turn + 1), [{ ...long, items: 20 * (turn + 1) }, ...short])
    }
    expect(log.all).toHaveLength(200)
    expect(log.all[0]).toMatchObject({ newest: { id: 1 }, isRunning: true })
    expect(log.all[0]?.readings).toHaveLength(7)
    expect(log.all.at(-1)?.newest.id).toBe(241)
  })

  it('have the pace between readings, and what the transaction merger did meanwhile', () => {
    const log = new OperationLog()
    take(log, 20, [{ id: 1, start: 10, items: 1000, batches: 10 }], [time(5, 0, 0.9), time(15, 0.9, 0.1)])
    take(log, 40, [{ id: 1, start: 10, items: 5000, batches: 50 }], [time(25, 0.1, 0.8), time(35, 0, 0.9)])
    take(log, 60, [{ id: 1, start: 10, items: 6000, batches: 60 }], [time(45, 0.1, 0.1), time(55, 0.1, 0.2)])
    take(log, 80, [{ id: 1, start: 10, end: 70, items: 8000 }], [time(65, 0.5, 0.1)])
    expect(told(log, 80)).toEqual([
      [
        [10, 20, 'client', 'Bulk insert 100 /s'],
        [20, 40, 'merger', 'Bulk insert 200 /s'],
        [40, 60, 'disk', 'Bulk insert 50.0 /s'],
        [60, 70, 'client', 'Bulk insert 200 /s'],
      ],
    ])
    const { rows } = operationsOverTime(log, [], ALL, at(80))
    expect(rows[0]?.[1]?.evidence).toEqual([
      'Operation 1 of “db”.',
      '4,000 items in 20.0 s: 200 /s.',
      '40 batches, one every 500 ms.',
      'The transaction merger waited for writes 5.00 % of the time, executed transactions 85.0 %, committed 10.0 %.',
      'Transactions take most of the time.',
    ])
  })

  it('are not judged by a transaction merger that does not wait for them, or reported nothing', () => {
    const log = new OperationLog()
    take(log, 20, [{ id: 1, task: 'UpdateByQuery', start: 0, items: 40 }], [time(5, 0.9, 0)])
    expect(told(log, 20)).toEqual([[[0, 20, 'running', 'Patch by query 2.00 /s']]])
    const silent = new OperationLog()
    take(silent, 20, [{ id: 1, start: 0, items: 40 }])
    expect(told(silent, 20)).toEqual([[[0, 20, 'running', 'Bulk insert 2.00 /s']]])
  })

  it('are unknown after their last reading, and not shown as running for long', () => {
    const log = new OperationLog()
    take(log, 20, [{ id: 1, start: 0, items: 40 }])
    expect(told(log, 30)).toEqual([
      [
        [0, 20, 'running', 'Bulk insert 2.00 /s'],
        [20, 30, 'unknown', 'Bulk insert'],
      ],
    ])
    expect(told(log, 66)).toEqual([[[0, 20, 'running', 'Bulk insert 2.00 /s']]])
  })

  it('share a row one after another, have their own while they overlap, and are counted where there is no row', () => {
    const log = new OperationLog()
    take(log, 60, [
      { id: 1, start: 0, end: 20, items: 20 },
      { id: 2, start: 10, end: 30, items: 20 },
      { id: 3, start: 20, end: 40, items: 20 },
    ])
    expect(told(log, 60).map((row) => row.map(([start]) => start))).toEqual([[0, 20], [10]])
    const many = new OperationLog()
    take(
      many,
      60,
      Array.from({ length: 8 }, (_, id) => ({ id, start: id, end: 50, items: 1 })),
    )
    const shown = operationsOverTime(many, [], ALL, at(60))
    expect([shown.rows.length, shown.left]).toEqual([6, 2])
    expect(operationsOverTime(many, [], { startTicks: at(51), endTicks: at(60) }, at(60)).rows).toEqual([])
  })

  it('are forgotten, oldest first, beyond two hundred', () => {
    const log = new OperationLog()
    for (let id = 0; id < 210; id++) take(log, 200, [{ id, start: 100, end: 150, items: 1 }])
    expect(log.all).toHaveLength(200)
    expect(log.all[0]?.newest.id).toBe(10)
  })

  it('of the server are known up to their last report, in rows with those of databases', () => {
    const log = new OperationLog()
    take(log, 60, [{ id: 1, task: 'UpdateByQuery', start: 10, end: 30, items: 40 }])
    const frame = recordedJson('7.1', 'operation-changed.json') as JsonObject
    const operations = new ServerOperations()
    const report = (reported: number, from: number, to: number | null, Status = 'InProgress') =>
      operations.take(
        11,
        {
          ...frame,
          StartTime: iso(from),
          EndTime: to === null ? null : iso(to),
          State: { Status, Progress: { Message: 'Copying' }, Result: null },
        },
        at(reported),
      )
    const rows = () =>
      operationsOverTime(log, operations.all, ALL, at(100)).rows.map((row) =>
        row.map(({ startTicks, endTicks, label, title }) => [
          (startTicks - at(0)) / TICKS_PER_SECOND,
          (endTicks - at(0)) / TICKS_PER_SECOND,
          label,
          title,
        ]),
      )
    const ofDatabase = [10, 30, 'running', 'Patch by query 2.00 /s']
    report(90, 20, null)
    expect(rows()).toEqual([
      [ofDatabase],
      [
        [20, 90, 'running', 'Compaction'],
        [90, 100, 'unknown', 'Compaction'],
      ],
    ])
    const [known, rest] = operationsOverTime(log, operations.all, ALL, at(100)).rows[1]!
    expect(known!.evidence).toEqual(['Operation 11 of the server.', 'Compacting database: shop', 'Copying'])
    expect(rest!.evidence.at(-1)).toBe('It ran 10.0 s ago, when it was reported last.')
    // The next connection begins with what runs: one that is not among it has ended, when is not known.
    operations.reconnected()
    expect(rows()).toEqual([[ofDatabase], [[20, 90, 'running', 'Compaction']]])
    report(95, 20, null)
    expect(rows()[1]).toHaveLength(2)
    report(96, 40, 50, 'Completed')
    expect(rows()).toEqual([[ofDatabase, [40, 50, 'running', 'Compaction']]])
    operations.restarted()
    expect(rows()).toEqual([[ofDatabase]])
  })

  it('that ended long before a list was read are left out', () => {
    const log = new OperationLog()
    take(log, 300, [{ id: 1, start: 10, end: 170, items: 1 }])
    expect(log.all).toEqual([])
  })
})
