import { describe, expect, it } from 'vitest'
import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import type { ActionCall } from '../../../actions/model.ts'
import type { CaptureClient } from '../../../capture/client/client.ts'
import type { Gap } from '../../../capture/client/state.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { SeriesRows } from '../../../feeds/server/contract.ts'
import { meanOf, measureBeside, missingBeside, recordedBeside, spansOf } from './beside.ts'

const second = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const entryOf = (action: string, parts: Partial<ActivityEntry> = {}): ActivityEntry =>
  ({
    call: { action, target: { kind: 'database', database: 'shop', name: null }, inputs: {}, facts: {} },
    state: 'done',
    startedTicks: second(100),
    endedTicks: second(110),
    ...parts,
  }) as unknown as ActivityEntry

it('compares the minute before the click with what follows, once it has followed', () => {
  expect(spansOf(entryOf('query.kill'), 'server', second(120))).toBeNull()
  expect(spansOf(entryOf('query.kill', { state: 'failed' }), 'server', second(999))).toBeNull()
  const spans = spansOf(entryOf('query.kill'), 'server', second(135))
  expect(spans).toEqual({
    before: { startTicks: second(40), endTicks: second(97) },
    after: { startTicks: second(113), endTicks: second(135) },
  })
  expect(spansOf(entryOf('query.kill'), 'server', second(999))?.after.endTicks).toBe(second(173))
  // Another one of the same database, 20 s after its end.
  expect(
    spansOf(entryOf('query.kill'), 'server', second(999), { fromTicks: second(70), untilTicks: second(130) }),
  ).toEqual({
    before: { startTicks: second(73), endTicks: second(97) },
    after: { startTicks: second(113), endTicks: second(127) },
  })
  // I/O that the action itself causes counts.
  expect(spansOf(entryOf('database.flush'), 'io', second(135))?.after).toEqual({
    startTicks: second(97),
    endTicks: second(130),
  })
})

it('a mean has the smallest and the largest of its samples, and buckets without a sample do not count', () => {
  const of = (values: readonly number[]): Float64Array => Float64Array.from(values)
  const rows = {
    key: 'cpu.process',
    length: 3,
    mean: of([10, Number.NaN, 40]),
    min: of([5, Number.NaN, 30]),
    max: of([20, Number.NaN, 90]),
    count: of([3, 0, 1]),
  } as unknown as SeriesRows
  expect(meanOf(rows, 'CPU')).toMatchObject({ value: 17.5, range: [5, 90] })
  expect(meanOf({ ...rows, count: of([0, 0, 0]) }, 'CPU')).toBeNull()
})

it('the I/O of an environment is that of its lane; one that is not recorded is not called idle', async () => {
  const requested: unknown[] = []
  const kinds = [{ kind: 'DataFlush', firstTicks: second(0) }]
  const lanes = [
    { id: 'db:shop|a', type: 'Index', label: 'Orders/ByN', kinds },
    { id: 'db:shop|b', type: 'Index', label: 'Orders/ByName', kinds },
    { id: 'db:shop|c', type: 'Documents', label: 'Documents', kinds },
  ]
  const client = (known: typeof lanes): CaptureClient =>
    ({
      getState: () => ({ gaps: [] }),
      request: async (name: string, params: unknown) => {
        if (name === 'io.lanes') return Promise.resolve({ lanes: known })
        requested.push(params)
        return Promise.resolve({ kinds: [{ kind: 'DataFlush', count: 2, bytes: 2 ** 20 }] })
      },
    }) as unknown as CaptureClient
  const call = (inputs: ActionCall['inputs']): ActivityEntry => {
    const entry = entryOf('database.flush')
    return { ...entry, call: { ...entry.call, inputs } }
  }
  const recorded = recordedBeside(call({}))!
  const span = { startTicks: second(0), endTicks: second(20) }
  const figures = await measureBeside(client(lanes), call({ index: 'Orders/ByN' }), recorded, span)
  expect(figures).toMatchObject([{ label: 'Data flushes', value: '2 events, 1.00 MiB in 20.0 s' }])
  await measureBeside(client(lanes), call({}), recorded, span)
  expect(requested).toMatchObject([
    { rows: [{ lane: 'db:shop|a', kind: 'DataFlush' }] },
    { rows: [{ lane: 'db:shop|c', kind: 'DataFlush' }] },
  ])
  expect(await measureBeside(client([]), call({}), recorded, span)).toBeNull()
})

describe('of I/O that was not recorded', () => {
  const measured = (gaps: readonly Partial<Gap>[], first = 0): Promise<unknown> => {
    const lanes = [
      { id: 'db:shop|a', type: 'Index', label: 'ByN', kinds: [{ kind: 'DataSync', firstTicks: second(first) }] },
      { id: 'db:shop|c', type: 'Documents', label: 'Documents', kinds: [] },
    ]
    const whole = { source: 'db:shop', lane: null, kind: null, missingCount: null }
    const client = {
      getState: () => ({ gaps: gaps.map((gap) => ({ ...whole, ...gap })) }),
      request: (name: string) => Promise.resolve(name === 'io.lanes' ? { lanes } : { kinds: [] }),
    } as unknown as CaptureClient
    const entry = entryOf('database.flush')
    const span = { startTicks: second(10), endTicks: second(30) }
    return measureBeside(client, entry, recordedBeside(entry)!, span)
  }
  const from = (start: number, end: number) => ({ startTicks: second(start), endTicks: second(end) })
  const documents = 'db:shop|c'

  it.each([
    ['nothing is missing', [], 0, '0 events, 0 B in 20.0 s'],
    ['a gap is over all of it', [from(5, 40)], 0, null],
    [
      'two gaps are',
      [
        { ...from(5, 20), lane: documents },
        { ...from(18, 40), kind: 'DataFlush' },
      ],
      0,
      null,
    ],
    ['a gap is over some of it', [from(5, 20)], 0, '0 events, 0 B in 20.0 s (recorded in part)'],
    ['the gap is of another lane', [{ ...from(5, 40), lane: 'db:shop|a' }], 0, '0 events, 0 B in 20.0 s'],
    ['the gap is of another kind', [{ ...from(5, 40), kind: 'DataSync' }], 0, '0 events, 0 B in 20.0 s'],
    ['the gap is of another database', [{ ...from(5, 40), source: 'db:x' }], 0, '0 events, 0 B in 20.0 s'],
    ['the server stood still', [{ ...from(5, 40), missingCount: 0 }], 0, '0 events, 0 B in 20.0 s'],
    ['the recording began later', [], 50, null],
    ['the recording began within', [], 20, '0 events, 0 B in 20.0 s (recorded in part)'],
    ['the recording began within, after a gap', [from(15, 40)], 20, null],
  ])('unknown is not zero: %s', async (_, gaps, first, value) => {
    expect(await measured(gaps, first)).toEqual(
      value === null ? null : [{ label: 'Data flushes', unit: 'text', value }],
    )
  })
})

it.each([
  ['io', {}, 59_000, 'recorded until a minute after its end'],
  ['io', {}, 60_000, 'not recorded. Choose its database as a source to record its I/O.'],
  ['server', {}, 900_000, 'not recorded. The CPU of the server is recorded while this page is open.'],
  [
    'server',
    { beside: { before: null, after: null } },
    30_000,
    'not recorded. The CPU of the server is recorded while this page is open.',
  ],
] as const)('says why nothing is known beside an action: %s, %o, %i ms after', (kind, parts, afterMs, words) => {
  expect(missingBeside(entryOf('x', { endedMs: 1000, ...parts }), kind, 1000 + afterMs)).toBe(words)
})
