import { expect, it, vi } from 'vitest'
import { TICKS_PER_MS, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import type { IoColumns } from '../../feeds/io/contract.ts'
import { DEFAULT_RULE, FEW_EVENTS } from '../../features/stalls/contract.ts'
import type { Events } from '../../features/stalls/data/lanes.ts'
import { StallsJudge } from '../../features/stalls/data/responses.ts'
import { readRecording } from '../../testing/stalls/recordings.ts'
import { heldUpOf, HeldUpWatch, NOT_JUDGED } from './held-up.ts'

const columnsOf = ({ start, end, bytes }: Events): IoColumns => ({
  startTicks: start.map((ms) => Math.round(ms * TICKS_PER_MS)),
  durationTicks: start.map((ms, row) => Math.round(((end[row] ?? 0) - ms) * TICKS_PER_MS)),
  bytes,
})

async function heldUpIn(name: string) {
  const columns = readRecording(name, false).lanes.map(({ environment, writes, syncs, flushes }) => ({
    lane: environment,
    source: 'db:demo',
    path: environment,
    label: environment.split('/').at(-1) ?? '',
    writes: columnsOf(writes),
    syncs: columnsOf(syncs),
    flushes: columnsOf(flushes),
    isCut: false,
    sums: [],
    summedWrites: 0,
    slowOthers: [],
  }))
  const judge = new StallsJudge({
    version: () => 1,
    columns: () => Promise.resolve(columns),
    selectionOf: () => '',
    volumeOf: () => null,
    circumstances: () => Promise.resolve([]),
  })
  const params = { sources: ['db:demo'], rule: DEFAULT_RULE, volumes: [], unknown: [], range: null, most: FEW_EVENTS }
  return heldUpOf(await judge.respond(params, new AbortController().signal))
}

it('names what held commits up, and for how much of the time', async () => {
  const documents = (await heldUpIn('sync-blocks-journal')).find(({ environment }) => environment === 'truth')
  expect(documents).toMatchObject({ cause: 'sync' })
  expect(documents?.ofCause).toBeGreaterThanOrEqual(14)
  expect(documents?.stalledShare).toBeGreaterThan(0.1)
})

it('blames nothing where nothing does', async () => {
  expect(new Set((await heldUpIn('coincidence')).map(({ cause }) => cause))).toEqual(new Set(['unexplained']))
})

it('names a cause of a fifth of them, and none of fewer', () => {
  const stalls = (of: Record<string, number>) =>
    Object.entries(of).flatMap(([cause, count]) =>
      Array.from({ length: count }, (_, i) => ({
        of: 'write',
        source: 'db:demo',
        environment: 'truth',
        label: 'truth',
        cause,
        startTicks: i,
        durationMs: 1,
      })),
    )
  const of = (causes: Record<string, number>) => heldUpOf({ stalls: stalls(causes), lanes: [] } as never)[0]
  expect(of({ unexplained: 12, sync: 9 })).toMatchObject({ cause: 'sync', ofCause: 9, stalls: 21 })
  expect(of({ unexplained: 19, sync: 2 })).toMatchObject({ cause: 'unexplained', ofCause: 19 })
})

it('keeps no judgement after one that failed', async () => {
  const lane = { source: 'db:demo' } as never
  let fails = false
  const source = {
    version: () => 1,
    columns: () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve([])),
    selectionOf: () => '',
    volumeOf: () => null,
    circumstances: () => Promise.resolve([]),
  }
  const watch = new HeldUpWatch({ store: { lanes: new Map([['truth', lane]]) } as never }, source)
  const at = (seconds: number) => watch.newest((seconds * TICKS_PER_SECOND) as Ticks)
  at(0)
  await expect.poll(() => at(1)).toEqual({ heldUp: [], slowCommits: [] })
  const none = { bytes: 0, sync: 0, flush: 0, neighbour: 0, standstill: 0, unexplained: 0 }
  expect(watch.recent).toEqual({ atTicks: 0, byCause: none })
  fails = true
  at(60)
  await expect.poll(() => at(61)).toBe(NOT_JUDGED)
  expect(watch.recent).toBeNull()
})

it('judges again after a judgement that failed, such as for code of a server that is gone', async () => {
  const lane = { source: 'db:demo' } as never
  const columns = vi.fn(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  const watch = new HeldUpWatch(
    { store: { lanes: new Map([['truth', lane]]) } as never },
    {
      version: () => 1,
      columns,
      selectionOf: () => '',
      volumeOf: () => null,
      circumstances: () => Promise.resolve([]),
    },
  )
  for (const [i, seconds] of [0, 60].entries()) {
    expect(watch.newest((seconds * TICKS_PER_SECOND) as Ticks)).toBe(NOT_JUDGED)
    await expect.poll(() => columns).toHaveBeenCalledTimes(i + 1)
    // The failure must not be one that no code handles: Vitest would report it.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
})
