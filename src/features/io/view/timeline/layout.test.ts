import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateIo } from '../../../../testing/generated/generated-io.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { orderLanes } from '../../../../feeds/io/contract/lane-order.ts'
import { layoutLanes, trackAt, trackOf } from './layout.ts'
import { DEFAULT_SETTINGS, kindKey } from '../params.ts'

const { lanes } = generateIo({ seed: 7, databases: ['shop', 'blog'], indexes: 5, seconds: 30, unknownKind: true })
const sources = ['db:shop', 'db:blog', 'server']
const layoutOf = (settings = {}): ReturnType<typeof layoutLanes> =>
  layoutLanes(lanes, sources, { ...DEFAULT_SETTINGS, ...settings })

describe('layoutLanes', () => {
  it('orders documents, indexes by name, configuration, system, database by database', () => {
    const shop = orderLanes(lanes.toReversed(), sources).filter((lane) => lane.source === 'db:shop')
    expect(shop.map((lane) => lane.label)).toEqual([
      'Documents',
      'Orders/FanOut',
      'Orders/Totals',
      'Users/ByCity',
      'Users/ByName',
      'Users/Search',
      'Configuration',
    ])
    expect(orderLanes(lanes, sources).at(-1)?.type).toBe('System')
  })

  it('names the sources only when there are several', () => {
    expect(
      layoutOf()
        .rows.filter((row) => row.type === 'source')
        .map((row) => row.label),
    ).toEqual(['shop', 'blog', 'Server'])
    const one = lanes.filter((lane) => lane.source === 'db:shop')
    expect(layoutLanes(one, sources, DEFAULT_SETTINGS).rows.some((row) => row.type === 'source')).toBe(false)
  })

  it('keeps every kind of a collapsed lane at its own place, also when another is hidden', () => {
    const lane = lanes[0]!.id
    const place = (settings = {}): number => {
      const layout = layoutOf(settings)
      return trackOf(layout, lane, 'DataSync')!.topPx - layout.rows.find((row) => row.key === lane)!.topPx
    }
    expect(place({ hiddenKinds: new Set(['JournalWrite']) })).toBe(place())
  })

  it('expands a lane into kinds and a kind into files', () => {
    const lane = lanes[0]!
    const layout = layoutOf({ openLanes: new Set([lane.id]), openKinds: new Set([kindKey(lane.id, 'JournalWrite')]) })
    const own = layout.rows.filter((row) => row.lane === lane)
    expect(own.map((row) => row.type).slice(0, 3)).toEqual(['lane', 'kind', 'file'])
    expect(own.filter((row) => row.type === 'kind').map((row) => row.kind)).toEqual([
      'JournalWrite',
      'DataFlush',
      'DataSync',
      'Compression',
      'PageEvict',
    ])
    expect(layout.tracks.some((track) => track.ref.file !== null)).toBe(true)
  })

  it('asks only for what is not filtered away', () => {
    const layout = layoutOf({ find: 'users/by', hiddenKinds: new Set(['Compression']) })
    expect(layout.tracks.map(({ ref }) => ref.kind)).not.toContain('Compression')
    expect(layout.rows.filter((row) => row.type === 'lane').every((row) => row.label.startsWith('Users/By'))).toBe(true)
  })

  it('tiles rows without holes, holds every track in its row, and finds each by its centre', () => {
    const some = fc.subarray(lanes.map((lane) => lane.id))
    fc.assert(
      fc.property(some, fc.subarray(['JournalWrite', 'DataSync']), fc.boolean(), (open, hidden, files) => {
        const openKinds = new Set(files ? open.map((lane) => kindKey(lane, 'DataFlush')) : [])
        const layout = layoutOf({ openLanes: new Set(open), hiddenKinds: new Set(hidden), openKinds })
        let top = 0
        for (const row of layout.rows) {
          expect(row.topPx).toBe(top)
          top += row.heightPx
        }
        expect(layout.heightPx).toBe(top)
        for (const track of layout.tracks) {
          expect(trackAt(layout.tracks, track.topPx + track.heightPx / 2)).toBe(track)
          const row = visibleSlice(layout.rows, track.topPx, track.topPx + 0.1)[0]
          expect(row?.lane).toBe(track.lane)
          expect(track.topPx + track.heightPx).toBeLessThanOrEqual(row!.topPx + row!.heightPx)
        }
      }),
    )
  })

  it('finds what is visible as a walk would', () => {
    const { tracks } = layoutOf()
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 700 }), fc.integer({ min: 1, max: 300 }), (from, height) => {
        const naive = tracks.filter((track) => track.topPx + track.heightPx > from && track.topPx < from + height)
        expect(visibleSlice(tracks, from, from + height)).toEqual(naive)
      }),
    )
  })
})
