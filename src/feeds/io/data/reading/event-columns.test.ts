import { describe, expect, test } from 'vitest'
import { EventColumns } from './event-columns.ts'

const add = (columns: EventColumns, start: number, times = 1): void => {
  for (let i = 0; i < times; i++) columns.add(start, i, 1, -1, -1, -1)
}
const shownStarts = (columns: EventColumns, all: boolean): number[] => {
  const { columns: shown, length } = columns.show(all)
  return Array.from(shown[0]?.subarray(0, length) ?? [])
}

describe('event columns', () => {
  test('the last moment stays until another one begins, or all is wanted', () => {
    const columns = new EventColumns()
    add(columns, 5)
    add(columns, 6, 2)
    expect(columns.ready).toBe(1)
    expect(shownStarts(columns, false)).toEqual([5])
    expect(shownStarts(columns, true)).toEqual([5, 6, 6])
    columns.drop(1)
    expect([columns.length, columns.ready]).toEqual([2, 0])
    add(columns, 6)
    expect(columns.ready).toBe(0)
    add(columns, 7)
    expect(columns.ready).toBe(3)
    expect(shownStarts(columns, false)).toEqual([6, 6, 6])
  })

  test('a moment that went on when all was handed on has nothing ready', () => {
    const columns = new EventColumns()
    add(columns, 5, 100)
    columns.drop(100)
    add(columns, 5, 2)
    expect([columns.length, columns.ready]).toEqual([2, 0])
  })
})
