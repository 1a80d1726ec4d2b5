import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useActive } from './useActive.ts'

const items = (...ids: string[]) => ids.map((id) => ({ id }))

const shown = (...ids: string[]) => {
  const { result, rerender } = renderHook((now: string[]) => useActive(items(...now)), { initialProps: ids })
  return {
    at: () => result.current.at,
    move: (steps: 1 | -1) => act(() => result.current.move(steps)),
    reset: () => act(() => result.current.reset()),
    become: (...now: string[]) => rerender(now),
  }
}

it('stays on its item while others come and go', () => {
  const list = shown('a', 'b', 'c')
  expect(list.at()).toBe(0)
  list.become('new', 'a', 'b', 'c')
  expect(list.at()).toBe(1)
  list.move(1)
  list.become('b')
  expect(list.at()).toBe(0)
})

it('is on nothing once the item that the user moved to is gone, until the user moves again', () => {
  const list = shown('a', 'b', 'c')
  list.move(1)
  list.become('a', 'c')
  expect(list.at()).toBe(-1)
  list.move(-1)
  expect(list.at()).toBe(1)
  list.move(1)
  expect(list.at()).toBe(0)
})

it('is on the first when a list that is filling drops the one that was first, also where it is empty in between', () => {
  const list = shown('a', 'b', 'c')
  list.become('b', 'c')
  expect(list.at()).toBe(0)
  list.become()
  expect(list.at()).toBe(-1)
  list.become('d', 'e')
  expect(list.at()).toBe(0)
  list.become('new', 'd', 'e')
  expect(list.at()).toBe(1)
})

it('begins with the first of another text, also where it comes late', () => {
  const list = shown('a', 'b')
  list.move(1)
  list.reset()
  expect(list.at()).toBe(0)
  const late = shown()
  expect(late.at()).toBe(-1)
  late.become('x')
  expect(late.at()).toBe(0)
})
