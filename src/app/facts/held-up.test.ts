import { expect, it } from 'vitest'
import { TICKS_PER_MS } from '../../base/ticks.ts'
import type { IoColumns } from '../../feeds/io/contract.ts'
import { DEFAULT_RULE, FEW_EVENTS } from '../../features/stalls/contract.ts'
import type { Events } from '../../features/stalls/data/lanes.ts'
import { StallsJudge } from '../../features/stalls/data/responses.ts'
import { readRecording } from '../../testing/stalls/recordings.ts'
import { heldUpOf } from './held-up.ts'

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
