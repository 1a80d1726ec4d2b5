import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PanelBoundary } from './PanelBoundary.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
afterEach(() => {
  vi.restoreAllMocks()
})

function show(error: Error): void {
  const Broken = (): ReactNode => {
    throw error
  }
  render(
    <PanelBoundary what="The panel I/O">
      <Broken />
    </PanelBoundary>,
  )
}

describe('PanelBoundary', () => {
  it('offers to reload the page when the build reports that code could not be fetched, whatever the message', () => {
    const error = new TypeError('error loading')
    dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
    show(error)
    expect(screen.getByText('The panel I/O could not be fetched.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy()
  })

  it('takes an error that merely reads like one for a fault of the panel', () => {
    show(new Error('Failed to fetch dynamically imported module'))
    expect(screen.getByText(/^The panel I\/O broke: Failed to fetch/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reload panel' })).toBeTruthy()
  })
})
