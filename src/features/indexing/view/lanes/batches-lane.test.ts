import { expect, test } from 'vitest'
import type { Gap } from '../../../../capture/client/state.ts'
import type { LaneRequest, LaneView } from '../../../../capture/frame/lanes/lane.ts'
import lane from './batches-lane.ts'

/** Words beside the lane's name where it has no batch. */
async function nothingOf(awaited: readonly string[]): Promise<string | undefined> {
  const request = (() => Promise.resolve({ indexes: [], awaited })) as unknown as LaneRequest
  const view = { sources: ['db:a'], window: { pieces: [] } } as unknown as LaneView
  return (await lane.read(request, view, new AbortController().signal)).nothing
}

test('one index has a track of its own, and its gaps', async () => {
  const indexOf = (name: string) => ({
    key: `db:a|${name}`,
    name,
    source: 'db:a',
    counts: { batches: 1 },
    busyTicks: 1,
  })
  const requested: unknown[] = []
  const request = ((name: string, params: unknown) => {
    requested.push(params)
    const marks = { length: 0, startTicks: [], durationTicks: [] }
    return Promise.resolve(
      name === 'indexing.marks' ? { rows: [marks] } : { indexes: ['x', 'y'].map(indexOf), awaited: [] },
    )
  }) as unknown as LaneRequest
  const view = { sources: ['db:a'], object: 'y', window: { pieces: [] } } as unknown as LaneView
  const { tracks, hasGap } = await lane.read(request, view, new AbortController().signal)
  expect(requested).toContainEqual(expect.objectContaining({ indexes: ['db:a|y'] }))
  expect(tracks.map(({ key }) => key)).toEqual(['db:a|y'])
  expect(['db:a|x', 'db:a|y', null].map((of) => hasGap({ lane: of } as Gap))).toEqual([false, true, false])
})

test('a database whose indexes were not reported yet is not said to have no batch', async () => {
  expect(await nothingOf(['db:a'])).toBe('reading …')
  expect(await nothingOf([])).toBe('none')
})
