import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { attachGestures, wheelZoomFactor, type GestureHandlers } from './gestures.ts'

describe('attachGestures', () => {
  const calls: [name: string, ...args: unknown[]][] = []
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void calls.push([name, ...args])
  const handlers: GestureHandlers = {
    hover: note('hover'),
    click: note('click'),
    pan: note('pan'),
    zoom: note('zoom'),
    done: note('done'),
  }
  let element: HTMLElement
  let detach: () => void
  beforeEach(() => {
    calls.length = 0
    element = document.createElement('div')
    element.setPointerCapture = () => undefined
    document.body.append(element)
    detach = attachGestures(element, handlers)
  })
  afterEach(() => {
    detach()
    element.remove()
  })
  const pointer = (type: string, clientX: number, clientY: number, pointerId = 1, pointerType = 'mouse'): void =>
    void element.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerId, pointerType, button: 0 }))

  it('distinguishes a click from a drag', () => {
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 12, 10)
    pointer('pointerup', 12, 10)
    expect(calls).toEqual([['click', { xPx: 12, yPx: 10 }]])
    calls.length = 0
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 30, 15)
    pointer('pointermove', 25, 15)
    pointer('pointerup', 25, 15)
    expect(calls).toEqual([['hover', null], ['pan', 20, 5], ['pan', -5, 0], ['done']])
  })

  it('zooms about the middle of two fingers, and takes no touch for hover', () => {
    pointer('pointermove', 5, 5, 1, 'touch')
    pointer('pointerdown', 100, 50, 1, 'touch')
    pointer('pointerdown', 200, 50, 2, 'touch')
    pointer('pointermove', 300, 50, 2, 'touch')
    expect(calls).toEqual([
      ['zoom', 0.5, 200],
      ['pan', 50, 0],
    ])
  })

  it('zooms with the wheel, pans with Shift or sideways, and says when the wheel rests', () => {
    vi.useFakeTimers()
    const wheel = (init: WheelEventInit): WheelEvent => {
      const event = new WheelEvent('wheel', { cancelable: true, ...init })
      // A wheel event of happy-dom is no mouse event.
      Object.defineProperties(event, {
        shiftKey: { value: init.shiftKey === true },
        clientX: { value: 40 },
        clientY: { value: 0 },
      })
      element.dispatchEvent(event)
      return event
    }
    expect(wheel({ deltaY: -100 }).defaultPrevented).toBe(true)
    wheel({ deltaY: 50, shiftKey: true })
    wheel({ deltaX: 30, deltaY: 1 })
    vi.advanceTimersByTime(200)
    vi.useRealTimers()
    expect(calls.map(([name]) => name)).toEqual(['zoom', 'pan', 'pan', 'done'])
    expect(calls[0]).toEqual(['zoom', wheelZoomFactor(-100, false), 40])
    expect(calls.slice(1, 3)).toEqual([
      ['pan', -50, 0],
      ['pan', -30, 0],
    ])
  })

  it('zooms in and out by the same measure', () => {
    expect(wheelZoomFactor(100, false) * wheelZoomFactor(-100, false)).toBeCloseTo(1)
    expect(wheelZoomFactor(1e6, false)).toBeLessThan(1.5)
  })
})
