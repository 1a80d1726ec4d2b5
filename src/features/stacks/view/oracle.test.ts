import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../base/brand.ts'
import { JsonBytes } from '../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../base/json/json-walk.ts'
import { Ledger } from '../../../capture/worker/gap-log.ts'
import { stacksResponse, type FakeStacks } from '../../../testing/fake-stacks-answers.ts'
import { generateStacks, stackTraceJson } from '../../../testing/generated-stacks.ts'
import { StacksFeed } from '../data/feed.ts'
import type { FramesResponse, FramesParams } from '../contract/frames.ts'
import type { TreeView } from '../contract/samples.ts'
import type { FlameResponse, FlameParams } from '../contract/trees.ts'

/** The feed with the generated captures as the server would answer them, and the naive answers over the same. */
function stage(captures: number) {
  const fake: FakeStacks = { captures: generateStacks({ captures, threads: 200 }), state: {}, live: {} }
  const feed = new StacksFeed({ tabs: null })
  for (const capture of fake.captures) {
    const json = new JsonBytes()
    const reader = feed.reader(
      'file:generated.json',
      new Ledger(),
      () => undefined,
      new Set(),
      () => undefined,
    )
    const walk = new JsonWalk(json, reader.rule, () => undefined)
    json.feed(new TextEncoder().encode(stackTraceJson(capture)))
    json.isLast = true
    walk.run()
  }
  return { fake, feed }
}

const viewOf = (parts: Partial<TreeView> = {}, captures = [1]): TreeView => ({
  samples: { captures, jobs: null, threadIds: null, waits: null },
  against: null,
  direction: 'top-down',
  focus: null,
  fold: false,
  weight: 'threads',
  ...parts,
})

const flameAsk = (view: TreeView): FlameParams => ({
  view,
  zoom: 0,
  startShare: 0,
  endShare: 1,
  widthPx: 100_000 as CssPx,
  firstDepth: 0,
  endDepth: 100,
  search: { text: 'JournalWriter', isRegex: false },
})

/** Frame texts with weights by depth: what is drawn, whatever the ids and the order of equal siblings. */
function drawn({ marks, names }: FlameResponse): string[] {
  const texts = new Map(names.map(({ id, full }) => [id, full]))
  return Array.from(
    { length: marks.length },
    (_, i) =>
      `${marks.depth[i]} ${texts.get(marks.frame[i]!) ?? 'root'} ${marks.weight[i]!.toFixed(6)} ${marks.against[i]!.toFixed(6)} ${marks.self[i]!.toFixed(6)} ${marks.matched[i]}`,
  )
    .filter((line) => !line.startsWith('0 '))
    .toSorted()
}

describe('the feed, beside naive answers over the same captures', () => {
  const { fake, feed } = stage(3)
  const views: readonly (readonly [string, TreeView])[] = [
    ['one capture from the root', viewOf()],
    ['one capture from the leaves', viewOf({ direction: 'bottom-up' })],
    ['three captures as samples', viewOf({ weight: 'samples' }, [1, 2, 3])],
    ['three captures as threads', viewOf({}, [1, 2, 3])],
    ['one against two', viewOf({ against: viewOf({}, [2, 3]).samples })],
  ]

  it.each(views)('draws the same flame: %s', async (_, view) => {
    const ask = flameAsk(view)
    const naive = stacksResponse(fake, 'stacks.flame', ask) as FlameResponse
    const answer = (await feed.later()).responses['stacks.flame'](ask)
    expect(drawn(answer)).toEqual(drawn(naive))
    expect(answer.total.weight).toBeCloseTo(naive.total.weight, 9)
    expect(answer.search?.weight).toBeCloseTo(naive.search!.weight, 9)
    expect(answer.search?.share).toBeCloseTo(naive.search!.share, 9)
  })

  it('counts the same functions', async () => {
    const ask: FramesParams = {
      view: viewOf({}, [1, 2]),
      match: { text: '', isRegex: false },
      sort: 'total',
      descending: true,
      offset: 0,
      limit: 1000,
    }
    const figures = ({ rows }: FramesResponse): string[] =>
      rows.map(({ name, self, total }) => `${name.full} ${self.toFixed(6)} ${total.toFixed(6)}`).toSorted()
    expect(figures((await feed.later()).responses['stacks.frames'](ask))).toEqual(
      figures(stacksResponse(fake, 'stacks.frames', ask) as FramesResponse),
    )
  })
})
