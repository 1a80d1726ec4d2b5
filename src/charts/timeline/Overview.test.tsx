import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import { Overview } from './Overview.tsx'

const range = (start: number, end: number): TimeRange => ({ startTicks: start as Ticks, endTicks: end as Ticks })

describe('Overview', () => {
  it('is three sliders that say where they are and move by keys', () => {
    const ranges: TimeRange[] = []
    render(
      <Overview
        label="Overview"
        extent={range(0, 100_000)}
        range={range(20_000, 40_000)}
        draw={() => undefined}
        onRange={(next) => ranges.push(typeof next === 'function' ? next(range(20_000, 40_000)) : next)}
        onWidth={() => undefined}
        describe={(at) => `tick ${at}`}
      />,
    )
    const window = screen.getByRole('slider', { name: 'Range in view' })
    expect(window.getAttribute('aria-valuetext')).toBe('tick 20000 to tick 40000')
    expect(screen.getByRole('slider', { name: 'End of range' }).getAttribute('aria-valuenow')).toBe('40')
    fireEvent.keyDown(window, { key: 'ArrowRight' })
    fireEvent.keyDown(screen.getByRole('slider', { name: 'Start of range' }), { key: 'PageDown' })
    fireEvent.keyDown(screen.getByRole('slider', { name: 'End of range' }), { key: 'End' })
    expect(ranges).toEqual([range(21_000, 41_000), range(10_000, 40_000), range(20_000, 100_000)])
  })
})
