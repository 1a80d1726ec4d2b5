import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { SourcePhase } from '../../../../capture/client/state.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { sourceState, stubCapture } from '../../../../testing/stub-capture.ts'
import { IndexesView } from './IndexesView.tsx'

afterEach(cleanup)

it.each([
  ['unloaded', /is not loaded/],
  ['compacting', /is compacting the database/],
] satisfies [SourcePhase, RegExp][])('says why the indexes of a database are not known: %s', async (phase, text) => {
  const capture = stubCapture({ sources: [sourceState({ kind: 'database', name: 'Orders' }, { phase })] })
  capture.responses.set('actions.indexes', () => ({ loaded: false }))
  render(
    <CaptureProvider capture={capture}>
      <IndexesView sources={['db:Orders']} focus={null} clock="utc" onFocus={() => undefined} />
    </CaptureProvider>,
  )
  expect(await screen.findByText(text)).toBeTruthy()
})
