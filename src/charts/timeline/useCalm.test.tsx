import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useCalm } from './useCalm.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('shows the first change at once, then at its pace, and always the last', () => {
  const seen: number[] = []
  const { result, rerender } = renderHook(({ value }) => useCalm(value, 100), { initialProps: { value: 0 } })
  for (let frame = 1; frame <= 20; frame++) {
    rerender({ value: frame })
    act(() => void vi.advanceTimersByTime(16))
    if (seen.at(-1) !== result.current) seen.push(result.current)
  }
  expect(seen.length).toBeGreaterThan(3)
  expect(seen.length).toBeLessThan(6)
  expect(seen[0]).toBe(1)
  act(() => void vi.advanceTimersByTime(100))
  expect(result.current).toBe(20)
})
