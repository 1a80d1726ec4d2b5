import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../base/brand.ts'
import { filledStacks } from '../../../testing/fake-stacks.ts'
import { generateStacks, type FakeStackSnapshot } from '../../../testing/generated/generated-stacks.ts'
import type { FramesParams } from '../../../feeds/stacks/contract/frames.ts'
import type { TreeView } from '../../../feeds/stacks/contract/samples.ts'
import type { FlameResponse, FlameParams } from '../../../feeds/stacks/contract/trees.ts'

interface Sums {
  weight: number
  against: number
  self: number
}

/** Sums of each path of frames from the root, the slow and obvious way. Without filters, and as threads or samples. */
function naiveTree(snapshots: readonly FakeStackSnapshot[], view: TreeView): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  const sumsOf = (path: readonly string[]): Sums => {
    const key = path.join('\n')
    const found = sums.get(key) ?? { weight: 0, against: 0, self: 0 }
    sums.set(key, found)
    return found
  }
  for (const [side, filter] of [
    ['weight', view.samples],
    ['against', view.against],
  ] as const)
    for (const { info, samples } of snapshots) {
      if (filter === null || !filter.snapshots.includes(info.id)) continue
      const each = view.weight === 'samples' ? 1 : 1 / filter.snapshots.length
      for (const { frames } of samples) {
        if (frames.length === 0) continue
        const path = view.direction === 'bottom-up' ? frames.toReversed() : frames
        path.forEach((_, depth) => (sumsOf(path.slice(0, depth + 1))[side] += each))
        if (side === 'weight') sumsOf(path).self += each
      }
    }
  return sums
}

/** As `drawn`. */
const naiveDrawn = (sums: ReadonlyMap<string, Sums>): string[] =>
  Array.from(sums, ([key, { weight, against, self }]) => {
    const path = key.split('\n')
    const full = path.at(-1)!
    const matched = full.includes('JournalWriter') ? 1 : 0
    return `${path.length} ${full} ${weight.toFixed(6)} ${against.toFixed(6)} ${self.toFixed(6)} ${matched}`
  }).toSorted()

const viewOf = (parts: Partial<TreeView> = {}, snapshots = [1]): TreeView => ({
  samples: { snapshots, jobs: null, waits: null },
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

describe('the feed, beside naive sums over the same snapshots', () => {
  const snapshots = generateStacks({ snapshots: 3, threads: 200 })
  const feed = filledStacks(snapshots)
  const views: readonly (readonly [string, TreeView])[] = [
    ['one snapshot from the root', viewOf()],
    ['one snapshot from the leaves', viewOf({ direction: 'bottom-up' })],
    ['three snapshots as samples', viewOf({ weight: 'samples' }, [1, 2, 3])],
    ['three snapshots as threads', viewOf({}, [1, 2, 3])],
    ['one against two', viewOf({ against: viewOf({}, [2, 3]).samples })],
  ]

  it.each(views)('draws the same flame: %s', async (_, view) => {
    const { responses } = await feed.later()
    const response = await responses['stacks.flame'](flameAsk(view))
    const naive = naiveTree(snapshots, view)
    expect(drawn(response)).toEqual(naiveDrawn(naive))
    const roots = [...naive].filter(([key]) => !key.includes('\n'))
    expect(response.total.weight).toBeCloseTo(
      roots.reduce((sum, [, { weight }]) => sum + weight, 0),
      9,
    )
  })

  it('counts the same functions', async () => {
    const request: FramesParams = {
      view: viewOf({}, [1, 2]),
      match: { text: '', isRegex: false },
      sort: 'total',
      descending: true,
      offset: 0,
      limit: 1000,
    }
    const rows = new Map<string, { self: number; total: number }>()
    for (const { samples } of snapshots.slice(0, 2))
      for (const { frames } of samples)
        for (const full of new Set(frames)) {
          const row = rows.get(full) ?? { self: 0, total: 0 }
          rows.set(full, { self: row.self + (full === frames.at(-1) ? 0.5 : 0), total: row.total + 0.5 })
        }
    const { responses } = await feed.later()
    const response = await responses['stacks.frames'](request)
    expect(
      response.rows.map(({ name, self, total }) => `${name.full} ${self.toFixed(6)} ${total.toFixed(6)}`).toSorted(),
    ).toEqual(
      Array.from(rows, ([full, { self, total }]) => `${full} ${self.toFixed(6)} ${total.toFixed(6)}`).toSorted(),
    )
  })
})
