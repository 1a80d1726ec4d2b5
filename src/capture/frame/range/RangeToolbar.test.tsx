import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useEffect, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Extent } from '../../../base/far-events.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { RangeToolbar } from './RangeToolbar.tsx'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useMoving, useViewport, type Viewport } from './useViewport.ts'
import { isOnlyFiles, ViewContext, type View } from '../../client/view.ts'

const END = (100 * TICKS_PER_SECOND) as Ticks
const EXTENT: TimeRange = { startTicks: 0 as Ticks, endTicks: END }

const seen: { viewport: Viewport | null } = { viewport: null }
const change = vi.fn<(parts: Partial<View>) => void>()

function Stage({ view }: { readonly view: View }): ReactNode {
  const viewport = useViewport(useCaptureState(), 1000, NO_FOLDS, isOnlyFiles(view))
  const moving = useMoving(viewport)
  useEffect(() => {
    seen.viewport = moving
  })
  return <RangeToolbar viewport={viewport} />
}

const viewOf = (sources: readonly View['sources'][number][]): View => ({
  sources,
  database: null,
  range: null,
  liveSpan: (10 * TICKS_PER_SECOND) as TickSpan,
  selection: null,
  clock: 'utc',
  params: {},
})

/** With a view that changes, at once, as the address does. */
function Kept(): ReactNode {
  const [view, setView] = useState(viewOf(['file:a.json']))
  const store = {
    view,
    change: (parts: Partial<View>) => {
      change(parts)
      flushSync(() => setView((before) => ({ ...before, ...parts })))
    },
    open: () => undefined,
    href: () => '',
  }
  return (
    <ViewContext value={store}>
      <CaptureProvider capture={stubCapture({ nowTicks: null, extent: EXTENT })}>
        <Stage view={view} />
      </CaptureProvider>
    </ViewContext>
  )
}

function show(sources: readonly View['sources'][number][], nowTicks: Ticks | null, extent: Extent = EXTENT) {
  const view = viewOf(sources)
  render(
    <ViewContext value={{ view, change, open: () => undefined, href: () => '' }}>
      <CaptureProvider capture={stubCapture({ nowTicks, extent })}>
        <Stage view={view} />
      </CaptureProvider>
    </ViewContext>,
  )
}

afterEach(() => {
  change.mockReset()
})

describe('the range toolbar', () => {
  it('of a server follows the newest', () => {
    show(['db:Orders'], END)
    expect(screen.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByRole('combobox', { name: 'Live window' })).toBeTruthy()
    expect(seen.viewport!.range).toEqual({ startTicks: 90 * TICKS_PER_SECOND, endTicks: END })
  })

  it('of files has nothing to follow: all of them are in view, and End goes to their end', async () => {
    show(['file:a.json', 'file:b.json'], null)
    expect(screen.queryByRole('button', { name: /Live|Pause/ })).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'Live window' })).toBeNull()
    expect(seen.viewport).toMatchObject({ live: false, behindTicks: null })
    expect(seen.viewport!.range.startTicks).toBeLessThanOrEqual(0)
    expect(seen.viewport!.range.endTicks).toBeGreaterThanOrEqual(END)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Zoom in' }))
    await expect.poll(() => seen.viewport!.moving).toBe(true)
    seen.viewport!.goLive()
    await expect.poll(() => seen.viewport!.range.endTicks).toBeGreaterThanOrEqual(END)
    expect(seen.viewport!.range.endTicks - seen.viewport!.range.startTicks).toBeLessThan(60 * TICKS_PER_SECOND)
  })

  it('of files beside a server follows the server', () => {
    show(['file:a.json', 'server'], END)
    expect(screen.getByRole('button', { name: 'Live' })).toBeTruthy()
  })

  it('names what lies far from all others, and goes there', async () => {
    const startTicks = (-400 * 86_400 * TICKS_PER_SECOND) as Ticks
    const far = [{ startTicks, endTicks: (startTicks + TICKS_PER_SECOND) as Ticks, count: 1 }]
    show(['file:a.json'], null, { ...EXTENT, far })
    expect(seen.viewport!.range.startTicks).toBeGreaterThan(-10 * TICKS_PER_SECOND)
    expect(screen.getByText(/1 event far away \(2018-11-27\)/)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show' }))
    await expect.poll(() => seen.viewport!.range.endTicks).toBeLessThan(startTicks + 2 * TICKS_PER_SECOND)
  })

  it('takes an edge that is typed while the texts are still behind the edge before', async () => {
    render(<Kept />)
    const type = (name: 'From' | 'To', text: string): void => {
      const field = screen.getByRole('textbox', { name })
      fireEvent.change(field, { target: { value: text } })
      fireEvent.keyDown(field, { key: 'Enter' })
    }
    type('To', '2020-01-01 00:01:20')
    await expect.poll(() => change.mock.calls.length).toBe(1)
    type('From', '2020-01-01 00:00:40')
    await expect.poll(() => change.mock.calls.length).toBe(2)
    const seconds = (at: number): number => at * TICKS_PER_SECOND
    await expect.poll(() => seen.viewport).toMatchObject({ moving: false })
    expect(seen.viewport!.range).toEqual({ startTicks: seconds(40), endTicks: seconds(80) })
  })
})
