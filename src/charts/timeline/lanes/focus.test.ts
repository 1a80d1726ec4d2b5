import { expect, it } from 'vitest'
import type { MarkColumns } from '../marks.ts'
import type { LaneBox } from './box.ts'
import type { LaneMark } from './contract.ts'
import { markFocus, type MarkPicture } from './focus.ts'

interface Row extends MarkColumns {
  readonly names: readonly string[]
}
type Mark = LaneMark & { readonly name: string }

/** Two pairs begin at the same tick; of the second pair both take as long. */
const row: Row = {
  length: 6,
  startTicks: Float64Array.of(10, 20, 20, 30, 30, 40),
  durationTicks: Float64Array.of(1, 5, 7, 2, 2, 3),
  names: ['a', 'b', 'c', 'd', 'e', 'f'],
}
const track = { key: 'x' } as LaneBox
const picture = { marks: new Map([['x', row]]) } as unknown as MarkPicture<Row>
const { step } = markFocus<Row, MarkPicture<Row>, Mark>((of, { startTicks, durationTicks, names }, at) => ({
  track: of,
  startTicks: startTicks[at] as Mark['startTicks'],
  durationTicks: durationTicks[at] as Mark['durationTicks'],
  name: names[at] ?? '',
}))

const walk = (from: number, by: 1 | -1): string => {
  let mark: Mark | null = {
    track,
    startTicks: row.startTicks[from],
    durationTicks: row.durationTicks[from],
    name: row.names[from],
  } as Mark
  let names = ''
  for (let i = 0; mark !== null && i < 10; i++) {
    names += mark.name
    mark = step(picture, mark, by)
  }
  return names
}

it('steps through marks that begin together, and passes those that cannot be told apart', () => {
  expect(walk(0, 1)).toBe('abcdf')
  expect(walk(5, -1)).toBe('fecba')
})
