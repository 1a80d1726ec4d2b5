import { cleanup, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../testing/stub-capture.ts'
import type { SourceState } from '../client/state.ts'
import { NothingYet } from './notices/NothingYet.tsx'
import { definePanel } from './panel.ts'
import { PanelFrame } from './PanelFrame.tsx'

const load = () => Promise.resolve({ default: () => null })
const panel = definePanel({ id: 'io', title: 'I/O', group: 'investigate', icon: 'disk', load })

describe('PanelFrame', () => {
  it('asks for a source where the panel needs one, and names the region by the panel', () => {
    renderPanel(<PanelFrame panel={panel}>content</PanelFrame>, stubCapture())
    expect(screen.getByRole('region', { name: 'I/O' })).toBeTruthy()
    expect(screen.getByText(/or the server’s own storage, .* This loads no database\.$/)).toBeTruthy()
    expect(screen.queryByText('content')).toBeNull()
    cleanup()
    renderPanel(<PanelFrame panel={{ ...panel, scope: 'databases' }}>content</PanelFrame>, stubCapture())
    expect(screen.queryByText(/own storage/)).toBeNull()
  })

  it('shows its content where a source is chosen, or none is needed', () => {
    renderPanel(<PanelFrame panel={panel}>content</PanelFrame>, stubCapture(), { sources: ['db:Orders'] })
    expect(screen.getByText('content')).toBeTruthy()
    cleanup()
    renderPanel(<PanelFrame panel={{ ...panel, needsSource: false }}>content</PanelFrame>, stubCapture())
    expect(screen.getByText('content')).toBeTruthy()
  })
})

describe('NothingYet', () => {
  const database = (parts: Partial<SourceState>) => sourceState({ kind: 'database', name: 'Orders' }, parts)
  const file = (parts: Partial<SourceState>) => sourceState({ kind: 'file', name: 'a.json' }, parts)
  const show = (sources: readonly SourceState[], response: unknown = {}): void => {
    const capture = stubCapture()
    capture.setState({ sources })
    renderPanel(
      <NothingYet
        title="No I/O yet"
        request={{ response, error: null }}
        inFiles={<p>nothing in the files</p>}
        renderConnected={(names) => <p>connected to {names}</p>}
      />,
      capture,
      { sources: sources.map(({ id }) => id) },
    )
  }

  it('waits for the first response, by name', () => {
    show([database({ phase: 'connecting', frames: 0 })])
    expect(screen.getByText('Waiting for the first response of Orders …')).toBeTruthy()
    cleanup()
    show([database({ phase: 'live' })], null)
    expect(screen.getByText('Waiting for the first response of Orders …')).toBeTruthy()
  })

  it('reports that a live source has nothing, and files only where nothing is live', () => {
    show([database({ phase: 'live' })])
    expect(screen.getByText('connected to Orders')).toBeTruthy()
    cleanup()
    show([file({ phase: 'read' }), database({ phase: 'connecting', frames: 0 })])
    expect(screen.getByText('nothing in the files')).toBeTruthy()
  })

  it('leaves a source that cannot be watched to its notice', () => {
    show([database({ phase: 'disabled' })])
    expect(screen.queryByText(/Orders/)).toBeNull()
  })
})
