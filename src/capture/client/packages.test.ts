import { expect, test } from 'vitest'
import type { Bytes } from '../../base/brand.ts'
import { emptyState, unanswered } from '../../testing/stub-capture.ts'
import { shownPackage, shownRecording, withOtherPackage } from './packages.ts'
import type { FileState } from './state.ts'

const fileOf = (name: string, path: string, servers: number): FileState => ({
  id: 1,
  name,
  phase: 'read',
  totalBytes: 1 as Bytes,
  readBytes: 1 as Bytes,
  startedMs: 0,
  endedMs: 1,
  message: '',
  faultAt: null,
  sources: [],
  servers,
  entries: [{ path, bytes: 1 as Bytes, feed: 'archive', phase: 'read', message: '' }],
})

test('panels of a server show a recording or a package that is chosen, and without a server the newest of them', () => {
  const files = [
    fileOf('package.zip', 'server-wide/cpu.stats.json', 1),
    fileOf('nightly', 'vitals/node=a_8080/day=2026-11-26/1.parquet', 0),
    fileOf('weekly', 'journal/a_8080.0.journal', 0),
  ]
  const live = { ...emptyState(), files }
  const gone = { ...live, server: null, serverError: unanswered }
  expect(shownRecording(live, ['db:shop'])).toBeNull()
  expect(shownRecording(live, ['db:shop', 'file:nightly/a_8080/shop'])).toBe('nightly')
  expect(shownPackage(live, ['file:nightly/a_8080/shop'])).toBeNull()
  expect(shownRecording(gone, [])).toBe('weekly')
  expect(shownRecording({ ...gone, files: files.slice(0, 1) }, [])).toBeNull()
})

test('another package is shown in place of one, with its sources, whether they were chosen or not', () => {
  const early = { ...fileOf('early.zip', 'server-wide/cpu.stats.json', 1), sources: ['file:early.zip/orders'] }
  const late = { ...fileOf('late.zip', 'server-wide/cpu.stats.json', 1), id: 2, sources: ['file:late.zip/orders'] }
  const state = { ...emptyState(), files: [early, late] }
  const both = ['db:shop', ...early.sources, ...late.sources]
  expect(shownPackage(state, both)).toBe('early.zip')
  const after = withOtherPackage(both, 'early.zip', late)
  expect(after).toEqual(['db:shop', 'file:late.zip/orders'])
  expect(shownPackage(state, after)).toBe('late.zip')
  expect(withOtherPackage(after, 'late.zip', early)).toEqual(['db:shop', 'file:early.zip/orders'])
})
