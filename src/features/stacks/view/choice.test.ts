import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import type { SnapshotInfo } from '../../../feeds/stacks/contract/snapshots.ts'
import { snapshotInfo } from '../../../testing/generated/generated-stacks.ts'
import { snapshotsOf, chooseSnapshots, choiceOf, formatChoice, parseChoice, type SnapshotChoice } from './choice.ts'

const at = (id: number, atTicks: number, source = 'server'): SnapshotInfo =>
  snapshotInfo({ id, atTicks: atTicks as Ticks, source })
const FIVE = [at(1, 100), at(2, 200), at(3, 300), at(4, 400), at(5, 500)]
const VIEW = { startTicks: 150 as Ticks, endTicks: 400 as Ticks }
const ids = (snapshots: readonly SnapshotInfo[]): number[] => snapshots.map(({ id }) => id)

const choices: fc.Arbitrary<SnapshotChoice> = fc.oneof(
  fc.constantFrom('latest' as const, 'previous', 'first', 'all', 'view').map((type) => ({ type })),
  fc.nat().map((ticks) => ({ type: 'at', atTicks: ticks as Ticks }) as const),
  fc
    .tuple(fc.nat(), fc.nat())
    .map(([start, end]) => ({ type: 'between', startTicks: start as Ticks, endTicks: end as Ticks }) as const),
  fc.nat(999).map((nth) => ({ type: 'nth', nth }) as const),
)

describe('choice of snapshots', () => {
  it('goes through a link and back', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        expect(parseChoice(formatChoice(choice))).toEqual(choice)
      }),
    )
    for (const text of [undefined, '', 'x', 'n', '1..', '-4']) expect(parseChoice(text)).toBeNull()
  })

  it('means what it says', () => {
    const pick = (choice: SnapshotChoice, chosen: SnapshotInfo[] = []): number[] =>
      ids(chooseSnapshots(FIVE, choice, VIEW, chosen))
    expect(pick({ type: 'latest' })).toEqual([5])
    expect(pick({ type: 'first' })).toEqual([1])
    expect(pick({ type: 'all' })).toEqual([1, 2, 3, 4, 5])
    expect(pick({ type: 'view' })).toEqual([2, 3])
    expect(pick({ type: 'previous' }, [FIVE[2]!])).toEqual([2])
    expect(pick({ type: 'previous' }, [FIVE[0]!])).toEqual([])
    expect(pick({ type: 'at', atTicks: 300 as Ticks })).toEqual([3])
    expect(pick({ type: 'at', atTicks: 301 as Ticks })).toEqual([])
    expect(pick({ type: 'between', startTicks: 200 as Ticks, endTicks: 500 as Ticks })).toEqual([2, 3, 4])
    expect(pick({ type: 'nth', nth: 3 })).toEqual([4])
  })

  it('takes the newest with stacks for the newest, and one without only where there is no other', () => {
    const listOnly = (snapshot: SnapshotInfo): SnapshotInfo => ({ ...snapshot, sampled: 0 })
    const newest = (snapshots: readonly SnapshotInfo[]): number[] =>
      ids(chooseSnapshots(snapshots, { type: 'latest' }, VIEW))
    expect(newest([FIVE[0]!, FIVE[1]!, listOnly(FIVE[2]!)])).toEqual([2])
    expect(newest([listOnly(FIVE[0]!), listOnly(FIVE[1]!)])).toEqual([2])
    expect(newest([])).toEqual([])
  })

  it('names a snapshot by its time, and by its place where it has none', () => {
    expect(choiceOf(FIVE[1]!, FIVE)).toEqual({ type: 'at', atTicks: 200 })
    const untimed = [at(1, Number.NaN), at(2, Number.NaN)]
    expect(choiceOf(untimed[1]!, untimed)).toEqual({ type: 'nth', nth: 1 })
  })

  it('takes snapshots of the process for any of its databases, and those of a file for that file', () => {
    const mixed = [at(1, 1), at(2, 2, 'db:shop'), at(3, 3, 'file:a.json'), at(4, 4, 'file:b.json')]
    expect(ids(snapshotsOf(mixed, ['db:other']))).toEqual([1, 2])
    expect(ids(snapshotsOf(mixed, ['file:b.json']))).toEqual([4])
    expect(ids(snapshotsOf(mixed, ['server', 'file:a.json']))).toEqual([1, 2, 3])
  })
})
