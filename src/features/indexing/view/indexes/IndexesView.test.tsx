import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ActivityEntry } from '../../../../actions/client/activity-entry.ts'
import { sessionOf } from '../../../../actions/client/session.ts'
import { ticksFromMs } from '../../../../base/ticks.ts'
import type { SourcePhase } from '../../../../capture/client/state.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { sourceState, stubCapture } from '../../../../testing/stub-capture.ts'
import IndexesView from './IndexesView.tsx'

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

it('says that the server compacts a database as soon as this browser has it do so, whatever its source knows', async () => {
  const capture = stubCapture({ sources: [sourceState({ kind: 'database', name: 'Orders' }, { phase: 'unloaded' })] })
  capture.responses.set('actions.indexes', () => ({ loaded: false }))
  const { log } = sessionOf(capture)
  const compaction = compactionOf('orders')
  log.put(compaction)
  render(
    <CaptureProvider capture={capture}>
      <IndexesView sources={['db:Orders']} focus={null} clock="utc" onFocus={() => undefined} />
    </CaptureProvider>,
  )
  expect(await screen.findByText(/is compacting the database/)).toBeTruthy()
  act(() => log.put({ ...compaction, state: 'done' }))
  expect(await screen.findByText(/is not loaded/)).toBeTruthy()
})

const compactionOf = (database: string): ActivityEntry => ({
  id: 'x',
  server: 's',
  call: { action: 'database.compact', target: { kind: 'database', database, name: null }, inputs: {}, facts: {} },
  title: 'Compact',
  startedTicks: ticksFromMs(0),
  endedTicks: null,
  startedMs: 0,
  endedMs: null,
  state: 'running',
  text: '',
  progress: null,
  error: null,
  accepted: { OperationId: 1 },
  attempts: 1,
  undoneBy: null,
})
