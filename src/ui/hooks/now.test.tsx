import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useNow } from './now.ts'

afterEach(() => {
  vi.useRealTimers()
})

function Clock() {
  return <output>{useNow()}</output>
}

it('shows the current second at once, however long no age was on the page', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const first = render(<Clock />)
  first.unmount()
  vi.setSystemTime(1_900_000)
  const seen: string[] = []
  function Seen() {
    seen.push(String(useNow()))
    return null
  }
  render(<Seen />)
  expect(seen[0]).toBe('1900000')
})

it('goes on by whole seconds while something shows it', () => {
  vi.useFakeTimers({ now: 5_000_000 })
  render(<Clock />)
  act(() => {
    vi.advanceTimersByTime(2_999)
  })
  expect(screen.getByRole('status').textContent).toBe('5002000')
})
