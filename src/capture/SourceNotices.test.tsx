import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { sourceState, stubCapture } from '../testing/stub-capture.ts'
import { SourceNotices } from './SourceNotices.tsx'
import type { SourceState } from './state.ts'
import { CaptureContext } from './view.ts'

const show = (parts: Partial<SourceState>): void => {
  const source = sourceState({ kind: 'database', name: 'Orders' }, { phase: 'paused', ...parts })
  render(
    <CaptureContext value={stubCapture()}>
      <SourceNotices sources={[source]} what="I/O" clock="utc" />
    </CaptureContext>,
  )
}

afterEach(cleanup)

test('a hidden tab is told so', () => {
  show({ message: 'Paused while the page is hidden.' })
  expect(screen.getByText('Orders is paused while this tab is hidden')).toBeDefined()
})

test('a connection at rest does not claim that the tab is hidden, and says when it goes on', () => {
  show({ message: 'It rests.', retryAtMs: Date.UTC(2026, 0, 1, 4, 5, 6) })
  expect(screen.queryByText(/hidden/)).toBeNull()
  expect(screen.getByText('Orders is watched now and then only')).toBeDefined()
  expect(screen.getByText('It rests. Again at 04:05:06. What was collected before stays.')).toBeDefined()
})
