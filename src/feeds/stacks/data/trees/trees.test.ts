import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { DocumentBuilder } from '../reading/document.ts'
import { engineFor } from '../pattern.ts'
import { flameResponse } from '../responses/flame.ts'
import { framesResponse } from '../responses/frames.ts'
import { textResponse } from '../responses/text.ts'
import { treeResponse } from '../responses/tree-rows.ts'
import { inGate } from '../../../../testing/gate.ts'
import type { CssPx } from '../../../../base/brand.ts'
import type { FramesParams } from '../../contract/frames.ts'
import type { SampleFilter, TreeView } from '../../contract/samples.ts'
import type { TextMatch } from '../../contract/search.ts'
import type { FlameParams } from '../../contract/trees.ts'
import { StackStore } from '../table.ts'
import type { TreeNode } from './node.ts'
import type { TreePicture } from './picture.ts'
import { Pictures } from './picture.ts'
import { FrameSearch } from './search.ts'

const textOf = (name: string): string => `M!N.T.${name}()`
beforeAll(() => engineFor({ text: '', isRegex: true }))
const NOTHING: TextMatch = { text: '', isRegex: false }

/** A snapshot: stacks leaf first by the names of their frames, and CPU of each thread. */
function add(store: StackStore, stacks: readonly (readonly string[])[], cpu: readonly number[] = []): number {
  const builder = new DocumentBuilder(store.frames)
  stacks.forEach((stack, i) => {
    builder.beginEntry()
    builder.threadId(i + 1)
    for (const name of stack) builder.frame(store.frames.intern(name.includes('!') ? name : textOf(name)))
    builder.endEntry()
    builder.thread({ Id: i + 1, Name: `Indexing of I${i} of db`, CpuUsage: cpu[i] })
  })
  return store.add(builder.finish(), { source: 'server', origin: 'click', cost: null, series: null }).info.id
}

const all = (...snapshots: number[]): SampleFilter => ({ snapshots, jobs: null, waits: null })
const view = (samples: SampleFilter, parts: Partial<TreeView> = {}): TreeView => ({
  samples,
  against: null,
  direction: 'top-down',
  focus: null,
  fold: false,
  weight: 'samples',
  ...parts,
})
const flameParams = (parts: Partial<FlameParams> & Pick<FlameParams, 'view'>): FlameParams => ({
  zoom: 0,
  startShare: 0,
  endShare: 1,
  widthPx: 1000 as CssPx,
  firstDepth: 0,
  endDepth: 100,
  search: null,
  ...parts,
})
const framesParams = (of: TreeView, parts: Partial<FramesParams> = {}): FramesParams => ({
  view: of,
  match: NOTHING,
  sort: 'total',
  descending: true,
  offset: 0,
  limit: 1000,
  ...parts,
})

function stage() {
  const store = new StackStore()
  const pictures = new Pictures(store)
  const search = new FrameSearch()
  return {
    store,
    pictures,
    id: (name: string) => store.frames.find(textOf(name)) ?? -1,
    flame: (parts: Partial<FlameParams> & Pick<FlameParams, 'view'>) =>
      flameResponse(store, pictures, search, flameParams(parts)),
    /** The whole tree as `[depth, frame, weight, self]`. */
    rows: (of: TreeView) => {
      const rows = treeResponse(store, pictures, search, {
        view: of,
        zoom: 0,
        open: Array.from({ length: 10_000 }, (_, node) => node),
        search: null,
        offset: 0,
        limit: 10_000,
      }).rows
      return rows.map(({ depth, name, weight, self }) => [depth, name.short, weight, self])
    },
    frames: (of: TreeView, parts: Partial<FramesParams> = {}) =>
      framesResponse(store, pictures, framesParams(of, parts)),
    text: (of: TreeView, node: number) => textResponse(store, pictures, { view: of, node }),
  }
}

/** The node of a path of frames from the root. */
const nodeAt = (picture: TreePicture, ...frames: readonly number[]): number =>
  frames.reduce((node, frame) => picture.childOf(node, frame)!, picture.root).id

const everyNode = (picture: TreePicture): TreeNode[] => {
  const nodes = [picture.root]
  for (let at = 0; at < nodes.length; at++) nodes.push(...picture.childrenOf(nodes[at]!))
  return nodes
}

/*    Main ─ Run ─┬─ Read (2)          Main ─ Other (1)
 *                └─ Run ─ Read (1)                          */
const STACKS = [
  ['Read', 'Run', 'Main'],
  ['Read', 'Run', 'Main'],
  ['Read', 'Run', 'Run', 'Main'],
  ['Other', 'Main'],
]

describe('a tree of five frames', () => {
  const { store, rows, id, frames } = stage()
  const samples = all(add(store, STACKS))

  it('roots first', () => {
    expect(rows(view(samples))).toEqual([
      [0, 'T.Main', 4, 0],
      [1, 'T.Run', 3, 0],
      [2, 'T.Read', 2, 2],
      [2, 'T.Run', 1, 0],
      [3, 'T.Read', 1, 1],
      [1, 'T.Other', 1, 1],
    ])
  })

  it('leaves first', () => {
    expect(rows(view(samples, { direction: 'bottom-up' }))).toEqual([
      [0, 'T.Read', 3, 0],
      [1, 'T.Run', 3, 0],
      [2, 'T.Main', 2, 2],
      [2, 'T.Run', 1, 0],
      [3, 'T.Main', 1, 1],
      [0, 'T.Other', 1, 0],
      [1, 'T.Main', 1, 1],
    ])
  })

  it('what a frame calls, from its outermost place', () => {
    expect(rows(view(samples, { direction: 'callees', focus: id('Run') }))).toEqual([
      [0, 'T.Run', 3, 0],
      [1, 'T.Read', 2, 2],
      [1, 'T.Run', 1, 0],
      [2, 'T.Read', 1, 1],
    ])
  })

  it('who calls a frame', () => {
    expect(rows(view(samples, { direction: 'callers', focus: id('Run') }))).toEqual([
      [0, 'T.Run', 3, 0],
      [1, 'T.Main', 3, 3],
    ])
    expect(rows(view(samples, { direction: 'callers', focus: null }))).toEqual([])
  })

  it('functions count once a sample', () => {
    expect(frames(view(samples)).rows.map(({ name, self, total }) => [name.short, self, total])).toEqual([
      ['T.Main', 0, 4],
      ['T.Read', 3, 3],
      ['T.Run', 0, 3],
      ['T.Other', 1, 1],
    ])
    expect(frames(view(samples), { match: { text: '^M!N\\.T\\.R', isRegex: true } }).total).toBe(2)
    expect(frames(view(samples), { match: { text: '(', isRegex: true } }).matchError).not.toBeNull()
  })

  it('weighs by threads and by CPU, and says what is not known', () => {
    const other = stage()
    const first = add(other.store, [['A'], ['B']], [30, 10])
    const second = add(other.store, [['A'], ['A']], [20])
    const both = all(first, second)
    expect(other.rows(view(both, { weight: 'threads' }))).toEqual([
      [0, 'T.A', 1.5, 1.5],
      [0, 'T.B', 0.5, 0.5],
    ])
    expect(other.rows(view(both, { weight: 'cpu' }))).toEqual([
      [0, 'T.A', 25, 25],
      [0, 'T.B', 5, 5],
    ])
    expect(other.flame({ view: view(both, { weight: 'cpu' }) }).unknownCpu).toBe(1)
    expect(other.rows(view({ ...both, jobs: ['index:db/I0'] }))).toEqual([[0, 'T.A', 2, 2]])
    expect(other.rows(view({ ...both, waits: ['disk'] }))).toEqual([])
  })
})

describe('folding', () => {
  it('joins frames of the runtime that only pass a call on', () => {
    const { store, rows } = stage()
    const core = 'System.Private.CoreLib!System.Threading'
    const samples = all(
      add(store, [
        [
          `${core}.Monitor.Wait()`,
          `${core}.SemaphoreSlim.Wait()`,
          'Mine',
          `${core}.A.Run()`,
          `${core}.B.Run()`,
          'Main',
        ],
      ]),
    )
    expect(rows(view(samples, { fold: true })).map(([depth, name]) => [depth, name])).toEqual([
      [0, 'T.Main'],
      [1, '…'],
      [2, 'T.Mine'],
      [3, '…'],
    ])
    expect(rows(view(samples))).toHaveLength(6)
  })
})

describe('comparing', () => {
  const { store, flame, frames } = stage()
  const before = all(
    add(store, [
      ['A', 'Main'],
      ['B', 'Main'],
    ]),
  )
  const after = all(
    add(store, [
      ['A', 'Main'],
      ['A', 'Main'],
      ['C', 'Main'],
    ]),
    add(store, [['A', 'Main']]),
  )

  it('weighs per snapshot, and says what grew, vanished and came', () => {
    const rows = frames(view(after, { against: before }), { sort: 'change' }).rows
    expect(rows.map(({ name, total, totalAgainst, change }) => [name.short, total, totalAgainst, change])).toEqual([
      ['T.A', 1.5, 1, 'grew'],
      ['T.C', 0.5, 0, 'new'],
      ['T.Main', 2, 2, 'same'],
      ['T.B', 0, 1, 'vanished'],
    ])
  })

  it('places everything the same when the sides change', () => {
    const one = flame({ view: view(after, { against: before }) })
    const other = flame({ view: view(before, { against: after }) })
    expect(other.marks.startShare).toEqual(one.marks.startShare)
    expect(other.marks.frame).toEqual(one.marks.frame)
    expect(other.marks.weight).toEqual(one.marks.against)
    expect(other.marks.against).toEqual(one.marks.weight)
    expect(one.total).toEqual({ weight: 2, against: 2, samples: 6 })
  })
})

describe('the flame', () => {
  it('has a mark for each node, true to its weight', () => {
    const { store, flame, id } = stage()
    const { marks, names, depth } = flame({ view: view(all(add(store, STACKS))) })
    const drawn = Array.from({ length: marks.length }, (_, i) => [
      marks.depth[i],
      names.find((name) => name.id === marks.frame[i])?.short ?? 'root',
      marks.startShare[i],
      marks.endShare[i],
    ])
    expect(drawn).toEqual([
      [0, 'root', 0, 1],
      [1, 'T.Main', 0, 1],
      [2, 'T.Run', 0, 0.75],
      [2, 'T.Other', 0.75, 1],
      [3, 'T.Read', 0, 0.5],
      [3, 'T.Run', 0.5, 0.75],
      [4, 'T.Read', 0.5, 0.75],
    ])
    expect(depth).toBe(4)
    expect(names.map((name) => name.id)).toContain(id('Main'))
  })

  it('joins what is narrower than a pixel, and loses no weight and no match', () => {
    const { store, flame } = stage()
    const stacks = [
      ...Array.from({ length: 500 }, () => ['Big']),
      ...Array.from({ length: 500 }, (_, i) => [`F${i}`, 'Rare']),
    ]
    const samples = all(add(store, stacks))
    const { marks, search } = flame({
      view: view(samples),
      widthPx: 100 as CssPx,
      search: { text: 'f123(', isRegex: false },
    })
    expect(marks.length).toBe(4)
    expect([marks.joined[3], marks.weight[3], marks.frame[3], marks.matched[3], marks.depth[3]]).toEqual([
      500, 500, -1, 1, 2,
    ])
    expect(search).toEqual({ error: null, frames: 1, weight: 1, share: 0.001, againstShare: 0 })
  })

  it('zooms, and gives only what is seen', () => {
    const { store, flame, pictures, id } = stage()
    const of = view(all(add(store, STACKS)))
    const run = nodeAt(pictures.of(of), id('Main'), id('Run'))
    const { marks } = flame({ view: of, zoom: run, startShare: 0.7, endShare: 1 })
    expect([...marks.depth]).toEqual([0, 1, 2])
    expect(marks.startShare[1]).toBeCloseTo(2 / 3)
    expect([...flame({ view: of, firstDepth: 2, endDepth: 3 }).marks.depth]).toEqual([2, 2])
    expect(flame({ view: of, zoom: 999_999 }).marks).toEqual(flame({ view: of }).marks)
    expect(flame({ view: view(all(77)) }).marks.length).toBe(0)
  })

  it('shows which threads are at a node, in every direction', () => {
    const { store, pictures, text, id } = stage()
    const samples = all(add(store, STACKS))
    for (const direction of ['top-down', 'bottom-up', 'callers', 'callees'] as const) {
      const of = view(samples, { direction, focus: id('Run') })
      const first = nodeAt(
        pictures.of(of),
        id(direction === 'top-down' ? 'Main' : direction === 'bottom-up' ? 'Read' : 'Run'),
      )
      expect([direction, text(of, first)!.threadCount]).toEqual([direction, direction === 'top-down' ? 4 : 3])
    }
    const of = view(samples)
    const node = nodeAt(pictures.of(of), id('Main'), id('Other'))
    expect(text(of, node)).toMatchObject({
      text: `${textOf('Other')}\n${textOf('Main')}`,
      threads: [{ id: 4, name: 'Indexing of I3 of db' }],
      threadCount: 1,
    })
    expect(text(of, 10_000)).toBeNull()
  })
})

describe('laws', () => {
  const stack = fc.array(fc.constantFrom<string>('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 8 })
  const stacks = fc.array(stack, { minLength: 1, maxLength: 40 })

  it('every direction keeps what every sample weighs', () => {
    fc.assert(
      fc.property(stacks, stacks, fc.boolean(), (one, two, fold) => {
        const { store, pictures, id } = stage()
        const samples = all(add(store, one), add(store, two))
        const count = one.length + two.length
        const withA = [...one, ...two].filter((frames) => frames.includes('A')).length
        // Callers and callees are of a frame that some stack has.
        const directions =
          withA > 0 ? (['top-down', 'bottom-up', 'callers', 'callees'] as const) : (['top-down', 'bottom-up'] as const)
        for (const direction of directions) {
          const picture = pictures.of(view(samples, { direction, focus: id('A'), fold }))
          const nodes = everyNode(picture)
          const self = nodes.reduce((sum, node) => sum + node.self, 0)
          const wanted = direction === 'top-down' || direction === 'bottom-up' ? count : withA
          expect([direction, picture.root.weight, self]).toEqual([direction, wanted, wanted])
          for (const node of nodes) {
            const below = picture.childrenOf(node)
            expect(below.reduce((sum, child) => sum + child.weight, node.self)).toBe(node.weight)
            const heights = below.map((child) => picture.heightOf(child) + 1)
            expect(picture.heightOf(node)).toBe(Math.max(0, ...heights))
            expect(picture.at(node.id)).toBe(node)
          }
        }
      }),
      { numRuns: inGate(10, 50) },
    )
  })

  it('every direction, folded or not, is what joining the paths by hand gives', () => {
    const core = 'System.Private.CoreLib!System.Threading'
    const names = ['A', 'B', 'C', `${core}.X.Run()`, `${core}.Y.Run()`]
    const some = fc.array(fc.array(fc.constantFrom(...names), { maxLength: 8 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(some, some, fc.boolean(), fc.constantFrom(...names), (one, two, fold, focusName) => {
        const { store, pictures, flame } = stage()
        const [first, second] = [all(add(store, one)), all(add(store, two))]
        const focus = store.frames.intern(focusName.includes('!') ? focusName : textOf(focusName))
        for (const direction of ['top-down', 'bottom-up', 'callers', 'callees'] as const) {
          const isAround = direction === 'callers' || direction === 'callees'
          const of = view(first, { against: second, direction, fold, focus: isAround ? focus : null })
          const paths = [one, two].map((stacks) =>
            stacks.flatMap((stack) => {
              // Root first; what is folded joined into one, but for what the view is about.
              const seen: string[] = []
              for (const name of stack.toReversed()) {
                const isFolded = fold && name.includes('!') && !(isAround && name === focusName)
                if (!isFolded) seen.push(name)
                else if (seen.at(-1) !== '…') seen.push('…')
              }
              if (direction === 'top-down') return [seen]
              if (direction === 'bottom-up') return [seen.toReversed()]
              const at = seen.indexOf(focusName)
              if (at === -1) return []
              return [direction === 'callees' ? seen.slice(at) : seen.slice(0, at + 1).toReversed()]
            }),
          )
          const wanted = new Map<string, number[]>()
          paths.forEach((side, i) => {
            for (const path of side)
              for (let depth = 0; depth <= path.length; depth++) {
                const key = path.slice(0, depth).join(' < ')
                const sums = wanted.get(key) ?? [0, 0, 0, 0]
                sums[i]! += 1
                if (depth === path.length) sums[i + 2]! += 1
                wanted.set(key, sums)
              }
          })
          const picture = pictures.of(of)
          const textFor = (name: string): string => (name.includes('!') ? name : textOf(name))
          const nameOf = (id: number): string =>
            names.find((name) => store.frames.text(id) === textFor(name)) ?? store.frames.text(id)
          const found = everyNode(picture)
            .filter(({ width }) => width > 0)
            .map((node): [string, number[]] => [
              picture.ids.path(node.id).toReversed().map(nameOf).join(' < '),
              [node.weight, node.against, node.self, node.selfAgainst],
            ])
          expect(new Map(found)).toEqual(wanted)
          // Weights of a search count each sample once.
          const { search } = flame({ view: of, search: { text: '.B(', isRegex: false } })
          const hits = paths.map((side) => side.filter((path) => path.includes('B')).length)
          const share = (i: number): number => (paths[i]!.length === 0 ? 0 : hits[i]! / paths[i]!.length)
          expect([search!.weight, search!.share, search!.againstShare]).toEqual([hits[0], share(0), share(1)])
        }
      }),
      { numRuns: inGate(10, 100) },
    )
  })

  it('functions are what counting by hand gives', () => {
    fc.assert(
      fc.property(stacks, (some) => {
        const { store, frames } = stage()
        const { rows } = frames(view(all(add(store, some))))
        for (const name of ['A', 'B', 'C', 'D']) {
          const row = rows.find((each) => each.name.full === textOf(name))
          expect(row?.total ?? 0).toBe(some.filter((each) => each.includes(name)).length)
          expect(row?.self ?? 0).toBe(some.filter((each) => each[0] === name).length)
        }
      }),
      { numRuns: inGate(10, 50) },
    )
  })

  it('marks cover what the tree weighs: no two of a depth overlap', () => {
    fc.assert(
      fc.property(stacks, fc.integer({ min: 5, max: 200 }), (some, widthPx) => {
        const { store, flame } = stage()
        const { marks } = flame({ view: view(all(add(store, some))), widthPx: widthPx as CssPx })
        const ends = new Map<number, number>()
        for (let i = 0; i < marks.length; i++) {
          const depth = marks.depth[i]!
          expect(marks.startShare[i]! - (ends.get(depth) ?? 0)).toBeGreaterThan(-1e-9)
          ends.set(depth, marks.endShare[i]!)
        }
        const leaves = marks.self.reduce((a, b) => a + b, 0)
        expect(leaves).toBeLessThanOrEqual(some.length)
      }),
      { numRuns: inGate(10, 50) },
    )
  })

  it('a search that shares frames with others counts each sample once', () => {
    fc.assert(
      fc.property(stacks, (some) => {
        const { store, flame } = stage()
        const { search } = flame({ view: view(all(add(store, some))), search: { text: 'T\\.[AB]\\(', isRegex: true } })
        expect(search!.weight).toBe(some.filter((each) => each.includes('A') || each.includes('B')).length)
      }),
      { numRuns: inGate(10, 50) },
    )
  })

  it('paths keep their nodes when snapshots are added', () => {
    const { store, pictures } = stage()
    const first = add(store, STACKS)
    for (const direction of ['top-down', 'bottom-up'] as const) {
      const before = pictures.of(view(all(first), { direction }))
      const ids = everyNode(before).map(({ id }) => id)
      const paths = ids.map((id) => before.ids.path(id).join())
      add(store, [
        ['New', 'Main'],
        ['Read', 'New'],
      ])
      const after = pictures.of(view(all(...store.snapshots.keys()), { direction }))
      expect(ids.map((id) => after.ids.path(after.at(id)!.id).join())).toEqual(paths)
    }
  })
})
