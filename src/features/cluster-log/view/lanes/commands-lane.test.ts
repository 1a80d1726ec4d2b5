import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import type { LaneView } from '../../../../capture/frame/lanes/lane.ts'
import type { ClusterLog } from '../../contract.ts'
import lane from './commands-lane.ts'

const LOG: ClusterLog = {
  commands: {
    length: 4,
    index: Float64Array.of(7, 8, 9, 10),
    term: Float64Array.of(1, 1, 2, 2),
    atTicks: Float64Array.of(100, 90, Number.NaN, 300),
    kind: Uint16Array.of(0, 1, 1, 1),
    kinds: ['AddDatabase', 'PutIndex'],
  },
  node: 'A',
  role: 'Leader',
  term: 2,
  sinceTicks: null,
  commitIndex: 9,
  nowTicks: 400 as Ticks,
  criticalError: null,
  failure: null,
}

it('has commands with a time in its order, and tells those that are not committed', async () => {
  const request = (): Promise<never> => Promise.resolve(LOG) as Promise<never>
  const { tracks, summarize } = await lane.read(request, {} as LaneView, new AbortController().signal)
  const [track] = tracks
  expect([...(track?.marks.startTicks ?? [])]).toEqual([90, 100, 300])
  const items = [0, 1, 2].map((mark) => track?.itemAt(mark))
  expect(items.map((item) => item?.title)).toEqual(['PutIndex', 'AddDatabase', 'PutIndex'])
  expect(items.map((item) => item?.link?.parts.selection)).toEqual(['8', '7', '10'])
  expect(items.map((item) => item?.facts.at(-1)?.[1])).toEqual(['committed', 'committed', 'not committed'])
  expect(summarize({ startTicks: 0 as Ticks, endTicks: 200 as Ticks })).toBe('2 cluster commands')
})
