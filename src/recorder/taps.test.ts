import { expect, test } from 'vitest'
import type { Ticks } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import type { ServerFeed } from '../feeds/server/data/feed.ts'
import { GapTap, ServerTap } from './taps.ts'

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

const gapsOf = (taken: readonly ArchiveRecord[]) => taken.flatMap((record) => (record.t === 'gap' ? [record.gap] : []))

test('gaps that were written are not written again when the log joins them', () => {
  const log = new GapLog()
  const tap = new GapTap()
  const taken: ArchiveRecord[] = []
  const end = (): void => {
    const startTicks = (gapsOf(taken).length * 10) as Ticks
    log.close(log.open('db:a', 'socket-closed', startTicks, ''), { endTicks: (startTicks + 1) as Ticks })
    tap.take(log.snapshot(startTicks), (record) => void taken.push(record))
  }
  for (let count = 0; count < 2005; count++) end()
  expect(log.snapshot(null).length).toBeLessThan(2005)
  expect(gapsOf(taken).map(({ startTicks, endTicks }) => endTicks - startTicks)).toEqual(
    Array.from({ length: 2005 }, () => 1),
  )
})

test('the rest of a gap that was written while it was open is written at its end', () => {
  const log = new GapLog()
  const tap = new GapTap()
  const taken: ArchiveRecord[] = []
  const take = (nowTicks: number, isWanted: boolean): void =>
    tap.take(
      log.snapshot(nowTicks as Ticks),
      (record) => void taken.push(record),
      () => isWanted,
    )
  const id = log.open('db:a', 'server-stopped', 10 as Ticks, '')
  take(20, false)
  take(30, true)
  take(40, true)
  log.close(id, { endTicks: 50 as Ticks })
  take(60, false)
  take(70, true)
  expect(gapsOf(taken).map(({ startTicks, endTicks }) => [startTicks, endTicks])).toEqual([
    [10, 30],
    [30, 50],
  ])
})

test('a gap before tables that are not the first ones does not say that no recorder ran', () => {
  const log = new GapLog()
  log.close(log.open('db:a', 'worker-restarted', 10 as Ticks, ''), { endTicks: 20 as Ticks })
  const detail = (tap: GapTap): string | undefined => {
    const taken: ArchiveRecord[] = []
    tap.take(log.snapshot(null), (record) => void taken.push(record))
    return gapsOf(taken)[0]?.detail
  }
  expect(detail(new GapTap())).toBe('The recorder was not running.')
  expect(detail(new GapTap(false))).toBe('The recorder began again with empty tables.')
})
