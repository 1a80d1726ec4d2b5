import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import type { ServerFeed } from '../feeds/server/data/feed.ts'
import { ServerTap } from './taps.ts'

const finding = (id: string, isOver: boolean) => ({
  id,
  rule: id,
  level: 'warning',
  title: id,
  startTicks: 10,
  lastTicks: 20,
  isOver,
})

const feed = {
  model: {
    series: { tap: null },
    alerts: new Map(),
    findings: { logged: [finding('over', true), finding('holds', false)] },
    endedQueries: { kept: [] },
  },
} as unknown as ServerFeed

test('a finding is written once it is over, and at the end of the recording where it holds', () => {
  const taken: ArchiveRecord[] = []
  const tap = new ServerTap()
  const titles = (): string[] => taken.flatMap((record) => (record.t === 'finding' ? [record.title] : []))
  tap.collect(feed, 30, (record) => void taken.push(record))
  tap.collect(feed, 40, (record) => void taken.push(record))
  expect(titles()).toEqual(['over'])
  tap.collect(feed, 50, (record) => void taken.push(record), true)
  expect(titles()).toEqual(['over', 'holds'])
  expect(taken.at(-1)).toMatchObject({ startTicks: 10, endTicks: 20 })
})
