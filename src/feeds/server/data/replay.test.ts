import { expect, it } from 'vitest'
import type { ServerInput } from './model-inputs.ts'
import { Replay } from './replay.ts'

const WORK = { counts: null, states: [], merger: null, mergerTimes: [], waiting: null, operations: null }
const INDEX = { index: 'ByX', status: 'Running', itemsLeft: 1, itemsPerSecond: 1 }

it('keeps the work of a database as long as it is valid, and counts it', () => {
  const replay = new Replay()
  const work = (database: string, atMs: number): ServerInput => {
    return { kind: 'work', database, work: { ...WORK, indexes: [INDEX] }, atMs }
  }
  replay.keep({ kind: 'response', poll: 'serverId', response: {}, atMs: 0 }, null)
  for (let turn = 0; turn < 1000; turn++) replay.keep(work(`db${turn}`, turn * 20_000), null)
  expect(replay.inputs).toHaveLength(1 + 46)
  expect(replay.byteLength / 46).toBeGreaterThan(100)
})

it('keeps failing indexes of databases that exist', () => {
  const replay = new Replay()
  const failing = { index: 'ByX', isErrored: true, errors: 1 }
  replay.keep({ kind: 'failing', database: 'gone', indexes: [failing], atMs: 0 }, null)
  replay.keep({ kind: 'list', rows: [], atMs: 1 }, null)
  expect(replay.inputs).toMatchObject([{ kind: 'list' }])
})
