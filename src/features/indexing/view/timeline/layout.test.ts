import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { chooseLanePx, DEPTH_PX, gapsOfIndexes, layoutGaps, layoutLanes, rowAt, rowOf, unknownUntil } from './layout.ts'
import { DEFAULT_SETTINGS } from '../params.ts'
import { allIndexesLane } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../../feeds/indexing/contract/indexes.ts'

const infosOf = async (databases: readonly string[], indexes: number): Promise<readonly IndexInfo[]> => {
  const capture = await fakeIndexing({ seed: 3, databases, indexes, seconds: 20 })
  return (await capture.request('indexing.indexes', { sources: databases.map((name) => `db:${name}`) })).indexes
}

describe('layoutLanes', () => {
  it('tiles from top to bottom, by name, whether lanes are open or not', async () => {
    const infos = await infosOf(['shop'], 8)
    const open = new Set([infos[2]!.key])
    const layout = layoutLanes(infos, ['db:shop'], { ...DEFAULT_SETTINGS, open }, new Map([[infos[2]!.key, 5]]))
    let topPx = 0
    for (const row of layout.rows) {
      expect(row.topPx).toBe(topPx)
      topPx += row.heightPx
    }
    expect(layout.heightPx).toBe(topPx)
    expect(layout.rows.map((row) => row.label)).toEqual(layout.rows.map((row) => row.label).toSorted())
    const opened = rowOf(layout, infos[2]!.key)!
    expect(opened.heightPx).toBeGreaterThan(5 * DEPTH_PX)
    expect(layout.keys).toHaveLength(infos.length)
  })

  it('finds by a part of the name, and puts the busiest first when asked to', async () => {
    const infos = await infosOf(['shop'], 8)
    const found = layoutLanes(infos, ['db:shop'], { ...DEFAULT_SETTINGS, find: 'users' }, new Map())
    expect(found.rows.length).toBeGreaterThan(1)
    expect(found.rows.every((row) => row.label.startsWith('Users/'))).toBe(true)
    const busy = layoutLanes(infos, ['db:shop'], { ...DEFAULT_SETTINGS, order: 'busy' }, new Map())
    const times = busy.rows.map((row) => row.index!.busyTicks)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  it('groups by database where there are several, so that equal names are distinguished', async () => {
    const infos = await infosOf(['shop', 'billing'], 2)
    const layout = layoutLanes(infos, ['db:shop', 'db:billing'], DEFAULT_SETTINGS, new Map())
    expect(layout.rows.filter((row) => row.type === 'source').map((row) => row.label)).toEqual(['shop', 'billing'])
    expect(new Set(layout.keys).size).toBe(layout.keys.length)
  })

  it('puts a side-by-side replacement below what it replaces', async () => {
    const [first, second] = await infosOf(['shop'], 2)
    const replacement = { ...second!, key: 'db:shop|ReplacementOf/x', name: 'ReplacementOf/x', replaces: first!.key }
    const layout = layoutLanes([replacement, second!, first!], ['db:shop'], DEFAULT_SETTINGS, new Map())
    const at = layout.keys.indexOf(first!.key)
    expect(layout.keys[at + 1]).toBe(replacement.key)
  })

  it('makes lanes as high as fits, within what can be read', () => {
    expect(chooseLanePx(6, 600)).toBe(27)
    expect(chooseLanePx(200, 600)).toBe(15)
    expect(chooseLanePx(30, 600)).toBe(20)
  })

  it('finds the row at a height', async () => {
    const layout = layoutLanes(await infosOf(['shop'], 4), ['db:shop'], DEFAULT_SETTINGS, new Map())
    for (const row of layout.rows) expect(rowAt(layout, row.topPx + row.heightPx / 2)?.key).toBe(row.key)
    expect(rowAt(layout, layout.heightPx + 1)).toBeNull()
  })
})

describe('layoutGaps', () => {
  const gap = (parts: Partial<Gap>): Gap => ({
    id: 1,
    source: 'db:shop',
    lane: null,
    kind: null,
    reason: 'ring-lapped',
    startTicks: 0 as Ticks,
    endTicks: 10 as Ticks,
    missingCount: 3,
    missingBytes: null,
    detail: '',
    ...parts,
  })
  it('covers all lanes of a source in one band, or one lane alone', async () => {
    const layout = layoutLanes(await infosOf(['shop'], 4), ['db:shop'], DEFAULT_SETTINGS, new Map())
    const [whole] = layoutGaps(layout.rows, [gap({})])
    expect(whole).toMatchObject({ topPx: 0, heightPx: layout.heightPx })
    const row = layout.rows[1]!
    expect(layoutGaps(layout.rows, [gap({ lane: row.key })])).toMatchObject([
      { topPx: row.topPx, heightPx: row.heightPx },
    ])
    expect(layoutGaps(layout.rows, [gap({ source: 'db:other' })])).toEqual([])
  })

  it('are those of batches, not of other data of the same source', async () => {
    const infos = await infosOf(['shop'], 2)
    const gaps = [
      gap({ id: 1, lane: null }),
      gap({ id: 2, lane: allIndexesLane('db:shop') }),
      gap({ id: 3, lane: infos[0]!.key }),
      gap({ id: 4, lane: 'db:shop|/var/lib/data' }),
      gap({ id: 5, lane: null, reason: 'server-unresponsive' }),
      gap({ id: 6, lane: null, reason: 'server-unresponsive', source: 'db:other' }),
    ]
    expect(gapsOfIndexes(gaps, infos)).toEqual([{ ...gaps[1], lane: null }, gaps[2], gaps[4]])
  })
})

describe('unknownUntil', async () => {
  const [info] = await infosOf(['shop'], 1)
  const withBatches = (batches: number): IndexInfo => ({ ...info!, counts: { ...info!.counts, batches } })
  it('is the first batch once the ring may have lost earlier ones, and nothing before that', () => {
    expect(unknownUntil(withBatches(24))).toBe(-Infinity)
    expect(unknownUntil(withBatches(25))).toBe(info!.firstTicks)
  })
})
