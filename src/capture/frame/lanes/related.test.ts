import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { markTrack, spanMarks } from './mark-track.ts'
import type { LaneData, LaneItem, LaneRelations } from './lane.ts'
import { relatedMarks, sharedBy } from './related.ts'
import { findSelected, formatSelection, parseSelection } from './selection.ts'

const item = (startTicks: number, endTicks: number, of: LaneRelations = {}): LaneItem => ({
  startTicks: startTicks as Ticks,
  durationTicks: endTicks - startTicks,
  title: `${String(startTicks)}–${String(endTicks)}`,
  facts: [],
  evidence: [],
  of,
  link: null,
})

const laneOf = (...items: readonly LaneItem[]): LaneData => ({
  tracks: [
    markTrack({
      key: 'only',
      marks: spanMarks(items),
      looks: [{ title: 'Mark', token: '--fg', pattern: 'solid' }],
      lookAt: () => 0,
      itemAt: (mark) => items[mark] as LaneItem,
    }),
  ],
  summarize: () => '',
  legend: [],
  hasGap: () => false,
  gaps: [],
})

const titlesOf = (selected: LaneItem, lanes: Readonly<Record<string, LaneData>>): readonly string[] =>
  relatedMarks({ lane: 'a', item: selected }, new Map(Object.entries(lanes))).map(
    (mark) => `${mark.lane} ${mark.item.title} ${mark.shares ?? 'time'}`,
  )

describe('marks that belong to the selected one', () => {
  it('are those of other lanes that overlap it, and none of its own lane', () => {
    const lanes = {
      a: laneOf(item(0, 100), item(10, 20)),
      b: laneOf(item(0, 5), item(0, 500), item(9, 10), item(15, 15), item(20, 21), item(21, 30)),
    }
    expect(titlesOf(item(10, 20), lanes)).toEqual(['b 20–21 time', 'b 15–15 time', 'b 9–10 time', 'b 0–500 time'])
  })

  it('of the same index, operation or transaction where both are known, whatever else runs then', () => {
    const lanes = {
      b: laneOf(item(0, 50, { index: 'db:a|X' }), item(0, 60, { index: 'db:a|Y' }), item(0, 70)),
      c: laneOf(item(0, 50, { operation: '7', index: 'db:a|Y' })),
    }
    expect(titlesOf(item(10, 20, { index: 'db:a|X', operation: '7' }), lanes)).toEqual([
      'b 0–70 time',
      'b 0–50 index',
      'c 0–50 operation',
    ])
  })

  it('another storage environment does not set them apart: writes delay each other', () => {
    expect(sharedBy({ storage: 'a' }, { storage: 'b' })).toBeNull()
    expect(sharedBy({ storage: 'a' }, { storage: 'a', index: 'x' })).toBe('storage')
    expect(sharedBy({ index: 'y' }, { storage: 'a', index: 'x' })).toBe(false)
  })
})

describe('a selection', () => {
  it('is read as it was written, whatever is in its names', () => {
    const selection = { lane: 'io.journals@db:a!b%', startTicks: 12, durationTicks: 0.5, track: 'x!y|z' }
    expect(parseSelection(formatSelection(selection))).toEqual(selection)
    expect(parseSelection('JournalWrite~1~2~3~server|/data')).toBeNull()
    expect(parseSelection(null)).toBeNull()
  })

  it('is found again among several that began together, also when it goes on', () => {
    const lanes = new Map([['b', laneOf(item(5, 6), item(5, 9), item(7, 8))]])
    const selected = (startTicks: number, durationTicks: number): string | undefined =>
      findSelected({ lane: 'b', track: 'only', startTicks, durationTicks }, lanes)?.item.title
    expect(selected(5, 1)).toBe('5–6')
    expect(selected(5, 4)).toBe('5–9')
    expect(selected(7, 99)).toBe('7–8')
    expect(selected(6, 1)).toBeUndefined()
  })
})
