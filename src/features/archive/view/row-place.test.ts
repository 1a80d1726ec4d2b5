import { expect, test } from 'vitest'
import { emptyManifest } from '../../../capture/archive/manifest.ts'
import type { Recording } from '../../../capture/archive/recordings.ts'
import { emptyState, sourceState } from '../../../testing/stub-capture.ts'
import { placeOfRow, type RowPlace } from './row-place.ts'

const recordingOf = (name: string, node: string): Recording => ({
  name,
  manifest: emptyManifest(),
  journals: [`journal/${node}.0.journal`],
  read: () => Promise.resolve(new Blob()),
})

const ALL = [recordingOf('monday', 'a_8080'), recordingOf('tuesday', 'b_8080')]
const live = sourceState({ kind: 'server' })
const RECORDED = ['monday/a_8080/shop', 'tuesday/b_8080/shop'].map((name) => sourceState({ kind: 'file', name }))

function placed(node: string | null, recordings = ALL, sources = [live, ...RECORDED]): RowPlace {
  const asked = { columns: [{ name: node === null ? 'source' : 'node', type: 'VARCHAR' }] }
  return placeOfRow(asked, [node ?? 'db:shop'], recordings, { ...emptyState(), sources })
}

test('a row belongs to the server that its node names, in a recording or beside one', () => {
  expect(placed('b_8080')).toEqual({ recordings: [ALL[1]], sources: ['file:tuesday/b_8080/shop'] })
  expect(placed('127.0.0.1_8080')).toEqual({ recordings: [], sources: [live.id] })
  // No hour of it is open yet.
  expect(placed('b_8080', ALL, RECORDED.slice(0, 1)).sources).toEqual(['file:tuesday/b_8080/server'])
})

test('a row without a known node belongs to the only recording, and to no server where several are open', () => {
  const first = ALL.slice(0, 1)
  expect(placed(null, first, RECORDED.slice(0, 1))).toEqual({ recordings: first, sources: ['file:monday/a_8080/shop'] })
  const unknown = { recordings: [], sources: null }
  expect(placed(null)).toEqual(unknown)
  expect(placed(null, first, [live])).toEqual(unknown)
  expect(placed('other')).toEqual(unknown)
})
