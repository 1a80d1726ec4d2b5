import { expect, test } from 'vitest'
import type { LaneRequest, LaneView } from '../../../../capture/frame/lanes/lane.ts'
import lane from './batches-lane.ts'

/** Words beside the lane's name where it has no batch. */
async function nothingOf(awaited: readonly string[]): Promise<string | undefined> {
  const request = (() => Promise.resolve({ indexes: [], awaited })) as unknown as LaneRequest
  const view = { sources: ['db:a'], window: { pieces: [] } } as unknown as LaneView
  return (await lane.read(request, view, new AbortController().signal)).nothing
}

test('a database whose indexes were not reported yet is not said to have no batch', async () => {
  expect(await nothingOf(['db:a'])).toBe('reading …')
  expect(await nothingOf([])).toBe('none')
})
