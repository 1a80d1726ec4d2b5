import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** An operating system whose setting the test changes. */
function fakeSystem(dark: boolean): { set: (dark: boolean) => void } {
  const listeners = new Set<() => void>()
  const query = {
    matches: dark,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }
  vi.stubGlobal('matchMedia', () => query)
  return {
    set: (next) => {
      query.matches = next
      for (const listener of listeners) listener()
    },
  }
}

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const dataset = (): DOMStringMap => document.documentElement.dataset

describe('the theme', () => {
  it('follows the operating system live until one is chosen', async () => {
    const system = fakeSystem(true)
    const { setAppearance, startTheme } = await import('./theme.ts')
    const received = vi.fn<() => void>()
    window.addEventListener('rookery:theme', received)
    const stop = startTheme()
    expect(dataset()['theme']).toBe('dark')
    system.set(false)
    expect(dataset()['theme']).toBe('light')
    setAppearance({ preference: 'dark' })
    system.set(false)
    expect(dataset()['theme']).toBe('dark')
    expect(received).toHaveBeenCalledTimes(4)
    stop()
    window.removeEventListener('rookery:theme', received)
  })

  it('is kept, palette included, and read again', async () => {
    fakeSystem(true)
    const first = await import('./theme.ts')
    first.setAppearance({ preference: 'light', palette: 'colour-blind' })
    vi.resetModules()
    const second = await import('./theme.ts')
    second.startTheme()()
    expect(dataset()['theme']).toBe('light')
    expect(dataset()['palette']).toBe('colour-blind')
  })

  it('does without storage, and with nonsense in it', async () => {
    fakeSystem(true)
    localStorage.setItem('rookery.theme', 'purple')
    const { setAppearance, startTheme } = await import('./theme.ts')
    startTheme()()
    expect(dataset()['theme']).toBe('dark')
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new Error('forbidden')
      },
    })
    setAppearance({ preference: 'light' })
    expect(dataset()['theme']).toBe('light')
  })

  it('is seen by components', async () => {
    fakeSystem(true)
    const { setAppearance, startTheme, useAppearance } = await import('./theme.ts')
    startTheme()()
    const Probe = () => <p>{useAppearance().theme}</p>
    render(<Probe />)
    expect(screen.getByText('dark')).toBeTruthy()
    act(() => setAppearance({ preference: 'light' }))
    expect(screen.getByText('light')).toBeTruthy()
  })
})
