import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { TickSpan } from '../../../base/ticks.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { sourceState, stubCapture } from '../../../testing/stub-capture.ts'
import { MissingFiles } from './MissingFiles.tsx'
import { isAllMissing, missingFiles } from '../../worker/missing-files.ts'
import { ViewContext } from '../../client/view.ts'

const SOURCES = ['db:Orders', 'file:day.zip/Orders', 'file:day.zip/Users', 'file:io.json']

test('files that a link names and that are not open are named once each, with where to open them', async () => {
  const capture = stubCapture()
  capture.setState({ sources: [sourceState({ kind: 'file', name: 'io.json' }, { phase: 'read' })] })
  const open = vi.fn()
  const view = {
    sources: SOURCES,
    database: null,
    range: null,
    liveSpan: 1 as TickSpan,
    selection: null,
    clock: 'utc' as const,
    params: {},
  }
  render(
    <ViewContext value={{ view, open, change: vi.fn(), href: () => '' }}>
      <CaptureProvider capture={capture}>
        <MissingFiles />
      </CaptureProvider>
    </ViewContext>,
  )
  expect(screen.getByText('Not open here: day.zip')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Open files…' }))
  expect(open).toHaveBeenCalledWith('files', { params: { 'files.focus': 'drop' } })
})

test('while a file is read nothing is said to be missing, and databases never are', () => {
  const state = stubCapture().getState()
  const file = { phase: 'reading' } as (typeof state.files)[number]
  expect(missingFiles(state, SOURCES)).toEqual(['day.zip', 'io.json'])
  expect(missingFiles({ ...state, files: [file] }, SOURCES)).toEqual([])
  expect(missingFiles({ ...state, files: [{ ...file, phase: 'read', name: 'day.zip' }] }, SOURCES)).toEqual(['io.json'])
  expect(missingFiles(state, ['db:Orders', 'server'])).toEqual([])
  expect(isAllMissing(state, SOURCES)).toBe(false)
  expect(isAllMissing(state, SOURCES.slice(1))).toBe(true)
})
