import { expect, it } from 'vitest'
import type { LaneView } from '../../../../capture/frame/lanes/lane.ts'
import { buildTimeScale, NO_FOLDS } from '../../../../charts/scale.ts'
import { TEST_TOKENS } from '../../../../testing/canvas-tokens.ts'
import { fakeStacks } from '../../../../testing/fake-stacks.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import lane from './snapshots-lane.ts'

it('has a mark for each snapshot, which leads to it, with flags for the sides of Stacks', async () => {
  const client = await fakeStacks({ snapshots: 3 })
  const [first, second, third] = client.stacks.snapshots.map(({ info }) => info.atTicks)
  const range = { startTicks: first!, endTicks: third! }
  const view = {
    sources: ['db:shop'],
    window: range,
    params: { 'stacks.of': String(second), 'stacks.vs': 'previous' },
  } as unknown as LaneView
  const { tracks, summarize } = await lane.read(client.request, view, new AbortController().signal)
  expect([...(tracks[0]?.marks.startTicks ?? [])]).toEqual([first, second, third])
  expect(tracks[0]?.itemAt(2).link).toMatchObject({
    panel: 'stacks',
    parts: { params: { 'stacks.of': String(third) } },
  })
  expect(summarize(range)).toBe('2 stack snapshots')
  const { context, texts } = recordingContext()
  const scale = buildTimeScale({ range, widthPx: 300, rule: NO_FOLDS })
  tracks[0]?.draw(context, { scale, tokens: TEST_TOKENS }, { yPx: 0, heightPx: 22 })
  expect(texts()).toEqual(['B', 'A'])
})
