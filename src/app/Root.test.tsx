import { render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stubCapture } from '../testing/stub-capture.ts'
import { Root } from './Root.tsx'

vi.mock('../features/io/panel.ts', () => ({ ioPanel: { id: 'io', title: 'I/O', Component: () => <p>lanes</p> } }))

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the page', () => {
  it('starts once', () => {
    const connect = vi.fn(() => stubCapture())
    const { rerender } = render(<Root connect={connect} />)
    rerender(<Root connect={connect} />)
    expect(screen.getByRole('main')).toBeTruthy()
    expect(connect).toHaveBeenCalledTimes(1)
  })

  it('says so when it cannot start', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const connect = () => {
      throw new Error('Worker is not defined')
    }
    render(<Root connect={connect} />)
    expect(screen.getByRole('alert').textContent).toContain('The page broke: Worker is not defined')
  })
})
