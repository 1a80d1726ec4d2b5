import { describe, expect, it } from 'vitest'
import {
  addLane,
  chosenKey,
  foldLane,
  formatLanes,
  isShownHere,
  lanesOf,
  MOST_LANES,
  moveLane,
  moveLaneBy,
  parseLanes,
  removeLane,
  resizeLane,
} from './chosen.ts'

const PRESET = lanesOf(['server.cpu', 'io.journals', 'indexing.batches'])
const ids = (lanes: readonly { readonly id: string }[]): readonly string[] => lanes.map(({ id }) => id)

describe('lanes in the URL', () => {
  it('are read as they were written, whatever the source is called', () => {
    let lanes = addLane(PRESET, { id: 'io.journals', source: 'db:a,b:80f@100 %', server: null })
    lanes = foldLane(resizeLane(lanes, 'indexing.batches', 120.4), 'server.cpu')
    lanes = foldLane(resizeLane(lanes, 'io.journals', 50), 'io.journals')
    const text = formatLanes(lanes, PRESET)
    expect(text).toBe('server.cpu:f,io.journals:50f,indexing.batches:120,io.journals@db:a%2Cb:80f@100 %25')
    expect(parseLanes(text, PRESET)).toEqual(lanes)
  })

  it('name the server where it is another, beside the same lane of this one', () => {
    let lanes = addLane(PRESET, { id: 'server.cpu', source: null, server: 'db2.example:8080' })
    lanes = addLane(lanes, { id: 'io.journals', source: 'db:a!b', server: 'db2.example:8080' })
    lanes = foldLane(resizeLane(lanes, 'server.cpu!db2.example:8080', 50), 'server.cpu!db2.example:8080')
    const text = formatLanes(lanes, PRESET)
    expect(text).toContain('server.cpu,io.journals,indexing.batches,server.cpu:50f!db2.example:8080,')
    expect(parseLanes(text, PRESET)).toEqual(lanes)
    expect(new Set(lanes.map(chosenKey)).size).toBe(5)
    expect(parseLanes('server.cpu!<b>,io.journals', PRESET).map(chosenKey)).toEqual(['io.journals'])
  })

  it('name the object of a lane of one object, whatever it is called', () => {
    let lanes = addLane(PRESET, { id: 'indexing.index', source: 'db:a~b', server: null, object: 'Orders/By,@%~Total' })
    lanes = addLane(lanes, { id: 'indexing.index', source: 'db:a~b', server: null, object: 'Orders/ByCompany' })
    lanes = foldLane(lanes, 'indexing.index~Orders/ByCompany@db:a~b')
    const text = formatLanes(lanes, PRESET)
    expect(text).toContain('indexing.index~Orders/By%2C%40%25~Total@db:a~b,indexing.index:f~Orders/ByCompany@db:a~b')
    expect(parseLanes(text, PRESET)).toEqual(lanes)
    expect(new Set(lanes.map(chosenKey)).size).toBe(5)
  })

  it('are left out where they are the preset, and none is not the preset', () => {
    expect(formatLanes(PRESET, PRESET)).toBe('')
    expect(parseLanes('', PRESET)).toBe(PRESET)
    expect(parseLanes(formatLanes([], PRESET), PRESET)).toEqual([])
    expect(formatLanes([], [])).toBe('')
  })

  it('of foreign texts those that are none are dropped, doubles too', () => {
    expect(ids(parseLanes('x,io.journals,<b>,io.journals:40,.,io.,a.b@%E0', PRESET))).toEqual(['io.journals', 'a.b'])
    expect(parseLanes('nothing here', PRESET)).toBe(PRESET)
    const many = Array.from({ length: 100 }, (_, i) => `a.l${String(i)}`).join(',')
    expect(parseLanes(many, PRESET)).toHaveLength(MOST_LANES)
  })
})

describe('lanes of a timeline', () => {
  it('are of what their panel shows, but for those of another server or of a source that is not chosen', () => {
    const shown = (source: string | null, server: string | null): boolean =>
      isShownHere({ id: 'stacks.snapshots', source, server }, ['db:a'])
    expect([shown(null, null), shown('db:a', null)]).toEqual([true, true])
    expect([shown(null, 'b:8080'), shown('file:late.zip/a', null)]).toEqual([false, false])
  })

  it('move, and stay inside', () => {
    expect(ids(moveLaneBy(PRESET, 'server.cpu', 1))).toEqual(['io.journals', 'server.cpu', 'indexing.batches'])
    expect(ids(moveLaneBy(PRESET, 'server.cpu', -1))).toEqual(ids(PRESET))
    expect(ids(moveLaneBy(PRESET, 'indexing.batches', 1))).toEqual(ids(PRESET))
    expect(ids(moveLane(PRESET, 'indexing.batches', 0))).toEqual(['indexing.batches', 'server.cpu', 'io.journals'])
    expect(moveLane(PRESET, 'io.unknown', 0)).toBe(PRESET)
  })

  it('are added once for each source, removed by their key, and keep a readable height', () => {
    expect(addLane(PRESET, { id: 'io.journals', source: null, server: null })).toBe(PRESET)
    const both = addLane(PRESET, { id: 'io.journals', source: 'db:a', server: null })
    expect(both.map(chosenKey)).toEqual(['server.cpu', 'io.journals', 'indexing.batches', 'io.journals@db:a'])
    expect(removeLane(both, 'io.journals')).toHaveLength(3)
    expect(resizeLane(PRESET, 'server.cpu', 1)[0]?.heightPx).toBe(26)
    expect(resizeLane(PRESET, 'server.cpu', 1e9)[0]?.heightPx).toBe(600)
  })
})
