import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { ClusterLogTap } from './cluster-log.ts'

const KINDS = ['AddDatabase', 'PutIndex']
/** Commands as `index term`, a tick each; every other one adds an index. */
const log = (...commands: readonly (readonly [index: number, term: number])[]) => ({
  commands: {
    length: commands.length,
    index: Float64Array.from(commands, ([index]) => index),
    term: Float64Array.from(commands, ([, term]) => term),
    atTicks: Float64Array.from(commands, ([index]) => index * 10),
    kind: Uint16Array.from(commands, ([index]) => index % 2),
    kinds: KINDS,
  },
})

function tapped() {
  const taken: string[] = []
  const take = (record: ArchiveRecord): void => {
    if (record.t === 'command') taken.push(`${String(record.index)} ${String(record.term)} ${record.kind}`)
    else if (record.t === 'gap')
      taken.push(
        `${String(record.gap.missingCount)} missing, ${String(record.gap.startTicks)} to ${String(record.gap.endTicks)}`,
      )
  }
  return { taken, take, tap: new ClusterLogTap() }
}

test('each command is written once, and what the server dropped is a gap with its number', () => {
  const { taken, take, tap } = tapped()
  tap.take(log([1, 1], [2, 1]), take)
  tap.take(log([1, 1], [2, 1], [3, 1]), take)
  tap.take(log([3, 1]), take)
  tap.take(log([7, 1], [8, 1]), take)
  expect(taken).toEqual([
    '1 1 PutIndex',
    '2 1 AddDatabase',
    '3 1 PutIndex',
    '3 missing, 30 to 70',
    '7 1 PutIndex',
    '8 1 AddDatabase',
  ])
})

test('commands of a new leader at a place that was taken are written, and so is the log of another server', () => {
  const { taken, take, tap } = tapped()
  tap.take(log([4, 2], [5, 2]), take)
  tap.take(log([4, 2], [5, 3], [6, 3]), take)
  expect(taken.splice(0)).toEqual(['4 2 AddDatabase', '5 2 PutIndex', '5 3 PutIndex', '6 3 AddDatabase'])
  tap.take(log([1, 1], [2, 1]), take)
  expect(taken).toEqual(['1 1 PutIndex', '2 1 AddDatabase'])
})

test('a recorder that goes on knows the last one by its seed', () => {
  const { take, tap } = tapped()
  tap.take(log([1, 1], [2, 1]), take)
  const next = tapped()
  for (const seed of tap.seeds()) if (seed.t === 'command') next.tap.meet(seed)
  next.tap.take(log([1, 1], [2, 1], [3, 1]), next.take)
  expect(next.taken).toEqual(['3 1 PutIndex'])
})
