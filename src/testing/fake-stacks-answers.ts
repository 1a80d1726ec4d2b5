import type { Bytes, Ticks, TickSpan } from '../base/brand.ts'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import type { StacksRequests } from '../features/stacks/contract.ts'
import type { StacksState } from '../features/stacks/contract/snapshots.ts'
import type { FrameCategory, FrameName } from '../features/stacks/contract/frames.ts'
import type { CaptureId } from '../features/stacks/contract/ids.ts'
import { WAIT_KINDS, type JobRow } from '../features/stacks/contract/jobs.ts'
import type { LiveState } from '../features/stacks/contract/live.ts'
import type { SampleFilter, TreeView } from '../features/stacks/contract/samples.ts'
import type { ThreadRow } from '../features/stacks/contract/threads.ts'
import type { FakeSample, FakeStackCapture } from './generated-stacks.ts'

/** What a test may change between two questions. */
export interface FakeStacks {
  readonly captures: FakeStackCapture[]
  state: Partial<StacksState>
  live: Partial<LiveState>
}

type Params<Name extends keyof StacksRequests> = NonNullable<StacksRequests[Name]['params']>

const CATEGORIES: readonly (readonly [prefix: string, category: FrameCategory])[] = [
  ['Voron', 'storage'],
  ['Corax', 'search'],
  ['Lucene', 'search'],
  ['Index_', 'index'],
  ['Raven', 'server'],
  ['Sparrow', 'server'],
  ['Microsoft.AspNet', 'web'],
  ['System', 'runtime'],
]
const categoryOf = (full: string): FrameCategory =>
  CATEGORIES.find(([prefix]) => full.startsWith(prefix))?.[1] ?? (full.includes('!') ? 'other' : 'pseudo')

/** Ids in the order in which texts were met, for as long as the page is open. */
const frameIds = new Map<string, number>()
const nodeIds = new Map<string, number>([['', 0]])
const idOf = (ids: Map<string, number>, key: string): number => {
  const id = ids.get(key) ?? ids.size
  ids.set(key, id)
  return id
}

export const fakeFrame = (full: string): FrameName => {
  const [module = '', rest = ''] = full.includes('!') ? full.split('!') : ['', full]
  const name = rest.replace(/\(.*$/, '')
  return {
    id: idOf(frameIds, full),
    short: name.split('.').slice(-2).join('.'),
    full,
    module,
    category: categoryOf(full),
  }
}

interface Node {
  readonly id: number
  readonly full: string
  readonly depth: number
  readonly path: readonly string[]
  weight: number
  against: number
  self: number
  readonly children: Map<string, Node>
}

const newNode = (path: readonly string[], space: string): Node => ({
  id: path.length === 0 ? 0 : idOf(nodeIds, `${space}\n${path.join('\n')}`),
  full: path.at(-1) ?? '',
  depth: path.length,
  path,
  weight: 0,
  against: 0,
  self: 0,
  children: new Map(),
})

const samplesOf = (fake: FakeStacks, filter: SampleFilter): FakeSample[] =>
  fake.captures
    .filter(({ info }) => filter.captures.includes(info.id))
    .flatMap(({ samples }) => samples)
    .filter(
      ({ job, threadId, line, frames }) =>
        frames.length > 0 &&
        (filter.jobs === null || filter.jobs.includes(job.key)) &&
        (filter.threadIds === null || filter.threadIds.includes(threadId)) &&
        (filter.waits === null || filter.waits.includes(line.wait)),
    )

function pathsOf(view: TreeView, frames: readonly string[]): readonly string[] | null {
  const focus = [...frameIds].find(([, id]) => id === view.focus)?.[0]
  switch (view.direction) {
    case 'top-down':
      return frames
    case 'bottom-up':
      return frames.toReversed()
    case 'callers': {
      const at = frames.findIndex((frame) => frame === focus)
      return at < 0 ? null : frames.slice(0, at + 1).toReversed()
    }
    case 'callees': {
      const at = frames.findIndex((frame) => frame === focus)
      return at < 0 ? null : frames.slice(at)
    }
  }
}

function treeOf(fake: FakeStacks, view: TreeView): { root: Node; samples: number } {
  const space = `${view.direction} ${view.focus}`
  const root = newNode([], space)
  let samples = 0
  const add = (filter: SampleFilter | null, side: 'weight' | 'against'): void => {
    if (filter === null) return
    for (const sample of samplesOf(fake, filter)) {
      const path = pathsOf(view, sample.frames)
      if (path === null) continue
      if (side === 'weight') samples++
      const per = Math.max(1, filter.captures.length)
      const weight = view.weight === 'samples' ? 1 : view.weight === 'threads' ? 1 / per : sample.cpuPercent / per
      let node = root
      node[side] += weight
      path.forEach((full, depth) => {
        const child = node.children.get(full) ?? newNode(path.slice(0, depth + 1), space)
        node.children.set(full, child)
        child[side] += weight
        node = child
      })
      if (side === 'weight') node.self += weight
    }
  }
  add(view.samples, 'weight')
  add(view.against, 'against')
  return { root, samples }
}

const widthOf = (node: Node): number => node.weight + node.against
const childrenOf = (node: Node): Node[] => [...node.children.values()].toSorted((a, b) => widthOf(b) - widthOf(a))

function findNode(root: Node, id: number): Node | null {
  if (root.id === id) return root
  for (const child of root.children.values()) {
    const found = findNode(child, id)
    if (found !== null) return found
  }
  return null
}

const matcher = (match: {
  text: string
  isRegex: boolean
}): { test: (text: string) => boolean; error: string | null } => {
  if (match.text === '') return { test: () => true, error: null }
  if (!match.isRegex) return { test: (text) => text.toLowerCase().includes(match.text.toLowerCase()), error: null }
  try {
    const expression = new RegExp(match.text)
    return { test: (text) => expression.test(text), error: null }
  } catch {
    return { test: () => true, error: 'This bracket is never closed. (character 1)' }
  }
}

function flame(fake: FakeStacks, ask: Params<'stacks.flame'>): StacksRequests['stacks.flame']['response'] {
  const { root, samples } = treeOf(fake, ask.view)
  const zoomed = findNode(root, ask.zoom) ?? root
  const rows: number[][] = []
  const names = new Map<number, FrameName>()
  const match = ask.search === null ? null : matcher(ask.search)
  const whole = widthOf(zoomed)
  let deepest = 0
  const visit = (node: Node, start: number): void => {
    const depth = node.depth - zoomed.depth
    deepest = Math.max(deepest, depth)
    const end = start + widthOf(node) / whole
    const name = node.full === '' ? null : fakeFrame(node.full)
    if (name !== null) names.set(name.id, name)
    if (depth >= ask.firstDepth && depth < ask.endDepth && end > ask.startShare && start < ask.endShare)
      rows.push([
        depth,
        start,
        end,
        node.id,
        name?.id ?? -1,
        1,
        node.weight,
        node.against,
        node.self,
        name !== null && match !== null && match.test(name.full) ? 1 : 0,
      ])
    let at = start
    for (const child of childrenOf(node)) {
      visit(child, at)
      at += widthOf(child) / whole
    }
  }
  if (whole > 0) visit(zoomed, 0)
  rows.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
  const column = (at: number): number[] => rows.map((row) => row[at]!)
  const found = (node: Node): { weight: number; against: number } => {
    if (node.full !== '' && match!.test(node.full)) return node
    return [...node.children.values()]
      .map(found)
      .reduce((sum, each) => ({ weight: sum.weight + each.weight, against: sum.against + each.against }), {
        weight: 0,
        against: 0,
      })
  }
  const sums = match === null ? { weight: 0, against: 0 } : found(root)
  return {
    version: 1,
    marks: {
      length: rows.length,
      depth: Uint16Array.from(column(0)),
      startShare: Float64Array.from(column(1)),
      endShare: Float64Array.from(column(2)),
      node: Int32Array.from(column(3)),
      frame: Int32Array.from(column(4)),
      joined: Uint32Array.from(column(5)),
      weight: Float64Array.from(column(6)),
      against: Float64Array.from(column(7)),
      self: Float64Array.from(column(8)),
      matched: Uint8Array.from(column(9)),
    },
    names: [...names.values()],
    total: { weight: root.weight, against: root.against, samples },
    zoomed: { weight: zoomed.weight, against: zoomed.against, depth: zoomed.depth },
    depth: deepest,
    unknownCpu: 0,
    search:
      match === null
        ? null
        : {
            error: match.error,
            frames: [...names.values()].filter(({ full }) => match.test(full)).length,
            weight: sums.weight,
            share: sums.weight / Math.max(1e-9, root.weight),
            againstShare: sums.against / Math.max(1e-9, root.against),
          },
  }
}

function tree(fake: FakeStacks, ask: Params<'stacks.tree'>): StacksRequests['stacks.tree']['response'] {
  const { root } = treeOf(fake, ask.view)
  const zoomed = findNode(root, ask.zoom) ?? root
  const match = ask.search === null ? null : matcher(ask.search)
  const rows: StacksRequests['stacks.tree']['response']['rows'][number][] = []
  const visit = (node: Node): void => {
    const isOpen = node === zoomed || ask.open.includes(node.id)
    rows.push({
      node: node.id,
      depth: node.depth - zoomed.depth,
      name: fakeFrame(node.full),
      weight: node.weight,
      self: node.self,
      against: node.against,
      share: node.weight / Math.max(1e-9, root.weight),
      children: node.children.size,
      isOpen,
      matched: match !== null && node.full !== '' && match.test(node.full),
    })
    if (isOpen) for (const child of childrenOf(node)) visit(child)
  }
  visit(zoomed)
  return {
    version: 1,
    total: rows.length,
    rows: rows.slice(ask.offset, ask.offset + ask.limit),
    weight: root.weight,
    against: root.against,
  }
}

function frames(fake: FakeStacks, ask: Params<'stacks.frames'>): StacksRequests['stacks.frames']['response'] {
  const match = matcher(ask.match)
  const sums = new Map<string, [self: number, total: number, selfAgainst: number, totalAgainst: number]>()
  const add = (filter: SampleFilter | null, at: 0 | 2): number => {
    let all = 0
    if (filter === null) return 0
    for (const sample of samplesOf(fake, filter)) {
      const weight = 1 / Math.max(1, filter.captures.length)
      all += weight
      for (const full of new Set(sample.frames)) {
        const sum = sums.get(full) ?? [0, 0, 0, 0]
        sum[at + 1]! += weight
        if (full === sample.frames.at(-1)) sum[at] += weight
        sums.set(full, sum)
      }
    }
    return all
  }
  const weight = add(ask.view.samples, 0)
  const against = add(ask.view.against, 2)
  const rows = [...sums]
    .filter(([full]) => match.test(full))
    .map(([full, [self, total, selfAgainst, totalAgainst]]) => ({
      name: fakeFrame(full),
      self,
      total,
      selfAgainst,
      totalAgainst,
      change:
        against === 0 || total === totalAgainst
          ? ('same' as const)
          : totalAgainst === 0
            ? ('new' as const)
            : total === 0
              ? ('vanished' as const)
              : total > totalAgainst
                ? ('grew' as const)
                : ('shrank' as const),
    }))
    .toSorted((a, b) => (ask.sort === 'total' ? b.total - a.total : b.self - a.self))
  return {
    version: 1,
    total: rows.length,
    matchError: match.error,
    rows: rows.slice(ask.offset, ask.offset + ask.limit),
    weight,
    against,
  }
}

const captureOf = (fake: FakeStacks, id: CaptureId | null): FakeStackCapture | null =>
  fake.captures.find(({ info }) => info.id === id) ?? null

const threadRow = (capture: FakeStackCapture, sample: FakeSample, isLive: boolean, isCaptured: boolean): ThreadRow => ({
  id: sample.threadId,
  managedId: null,
  name: sample.name,
  job: sample.job,
  seen: isLive && isCaptured ? 'both' : isLive ? 'live' : 'captured',
  cpuPercent: sample.cpuPercent,
  cpuSinceCaptureMs: isLive && isCaptured ? 12 : Number.NaN,
  totalCpuMs: 1234,
  userCpuMs: 1000,
  kernelCpuMs: 234,
  allocatedBytes: 65_536 as Bytes,
  io: null,
  state: sample.line.wait === 'running' ? 'Running' : 'Wait',
  priority: 'Normal',
  waitReason: null,
  startedTicks: (capture.info.atTicks - 3600 * TICKS_PER_SECOND) as Ticks,
  ageTicks: (3600 * TICKS_PER_SECOND) as TickSpan,
  stack:
    isCaptured && sample.frames.length > 0
      ? {
          capture: capture.info.id,
          node: 0,
          depth: sample.frames.length,
          leaf: fakeFrame(sample.frames.at(-1)!),
          own: null,
          isNative: sample.line.wait !== 'running',
          threadType: null,
        }
      : null,
  line: isCaptured && sample.frames.length > 0 ? sample.line : null,
})

function threads(fake: FakeStacks, ask: Params<'stacks.threads'>): StacksRequests['stacks.threads']['response'] {
  const captured = captureOf(fake, ask.capture)
  const source = captured ?? (ask.live ? (fake.captures.at(-1) ?? null) : null)
  const all = source === null ? [] : source.samples.map((sample) => [source, sample] as const)
  const match = matcher(ask.match)
  const passing = all.filter(
    ([, { job, threadId, line, name, frames }]) =>
      (ask.jobs === null || ask.jobs.includes(job.key)) &&
      (ask.threadIds === null || ask.threadIds.includes(threadId)) &&
      (ask.waits === null || (captured !== null && frames.length > 0 && ask.waits.includes(line.wait))) &&
      [name, String(threadId), job.label, ...frames].some((text) => match.test(text)),
  )
  const way = ask.descending ? -1 : 1
  const sorted = passing.toSorted(([, a], [, b]) =>
    ask.sort === 'name' ? way * a.name.localeCompare(b.name) : way * (a.cpuPercent - b.cpuPercent),
  )
  return {
    version: 1,
    total: all.length,
    matched: passing.length,
    matchError: match.error,
    rows: sorted
      .slice(ask.offset, ask.offset + ask.limit)
      .map(([capture, sample]) => threadRow(capture, sample, ask.live, captured !== null)),
  }
}

function jobs(fake: FakeStacks, ask: Params<'stacks.jobs'>): StacksRequests['stacks.jobs']['response'] {
  const captured = captureOf(fake, ask.capture)
  const { samples } = captured ?? (ask.live ? fake.captures.at(-1) : undefined) ?? { samples: [] }
  const rows = new Map<string, JobRow>()
  for (const sample of samples) {
    const before = rows.get(sample.job.key) ?? {
      job: sample.job,
      threads: 0,
      cpuPercent: 0,
      waits: WAIT_KINDS.map(() => 0),
    }
    rows.set(sample.job.key, {
      ...before,
      threads: before.threads + 1,
      cpuPercent: before.cpuPercent + sample.cpuPercent,
      waits: before.waits.map((count, at) =>
        captured !== null && sample.frames.length > 0 && WAIT_KINDS[at] === sample.line.wait ? count + 1 : count,
      ),
    })
  }
  const all = [...rows.values()].toSorted((a, b) => b.cpuPercent - a.cpuPercent)
  return {
    version: 1,
    jobs: all,
    unrecognised: all.reduce((sum, row) => sum + (row.job.kind === 'unrecognised' ? row.threads : 0), 0),
  }
}

function lanes(fake: FakeStacks, ask: Params<'stacks.lanes'>): StacksRequests['stacks.lanes']['response'] {
  const captures = fake.captures.filter(({ info }) => ask.captures.includes(info.id))
  const all = new Map(captures.flatMap(({ samples }) => samples.map(({ job }) => [job.key, job] as const)))
  return {
    version: 1,
    captures: captures.map(({ info }) => info.id),
    atTicks: Float64Array.from(captures, ({ info }) => info.atTicks),
    lanes: [...all.values()].map((job) => {
      const cells = captures.map(({ samples }) => {
        const own = samples.filter((sample) => sample.job.key === job.key && sample.frames.length > 0)
        const counts = WAIT_KINDS.map((kind) => own.filter(({ line }) => line.wait === kind).length)
        const most = Math.max(...counts)
        return {
          wait: own.length === 0 ? 255 : counts.indexOf(most),
          threads: own.length,
          dominant: most,
          cpu: own.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0),
        }
      })
      return {
        job,
        wait: Uint8Array.from(cells, ({ wait }) => wait),
        threads: Uint16Array.from(cells, ({ threads }) => threads),
        dominant: Uint16Array.from(cells, ({ dominant }) => dominant),
        cpuPercent: Float32Array.from(cells, ({ cpu }) => cpu),
      }
    }),
  }
}

function text(fake: FakeStacks, ask: Params<'stacks.text'>): StacksRequests['stacks.text']['response'] {
  if ('view' in ask) {
    const path = findNode(treeOf(fake, ask.view).root, ask.node)?.path
    if (path === undefined) return null
    const standing = fake.captures
      .filter(({ info }) => ask.view.samples.captures.includes(info.id))
      .flatMap(({ info, samples }) => samples.map((sample) => ({ capture: info.id, sample })))
      .filter(({ sample }) => path.every((full, at) => pathsOf(ask.view, sample.frames)?.[at] === full))
    return {
      text: path.toReversed().join('\n'),
      frames: path.toReversed().map(fakeFrame),
      line: null,
      threads: standing.map(({ capture, sample }) => ({ capture, id: sample.threadId, name: sample.name })),
      threadCount: standing.length,
      objects: [],
    }
  }
  const sample = captureOf(fake, ask.capture)?.samples.find(({ threadId }) => threadId === ask.threadId)
  if (sample === undefined || sample.frames.length === 0) return null
  const leafFirst = sample.frames.toReversed()
  return {
    text: `Thread ${sample.threadId} ${sample.name}\n${leafFirst.join('\n')}`,
    frames: leafFirst.map(fakeFrame),
    line: sample.line,
    threads: [{ capture: ask.capture, id: sample.threadId, name: sample.name }],
    threadCount: 1,
    objects: [],
  }
}

function history(fake: FakeStacks, ask: Params<'threads.history'>): StacksRequests['threads.history']['response'] {
  const last = fake.captures.at(-1)
  const at = Array.from({ length: Math.min(ask.widthPx, 120) }, (_, i) => i)
  const step = (ask.endTicks - ask.startTicks) / Math.max(1, at.length)
  const rows = last === undefined ? [] : jobs(fake, { capture: last.info.id, live: false }).jobs.slice(0, ask.limit)
  const wave = (i: number): number => 0.7 + 0.3 * Math.sin(i / 5)
  const used = (i: number): number => rows.reduce((sum, { cpuPercent }) => sum + cpuPercent * wave(i), 0)
  return {
    version: 1,
    bucketTicks: step as TickSpan,
    startTicks: Float64Array.from(at, (i) => ask.startTicks + i * step),
    jobs: rows.map(({ job, cpuPercent }) => ({ job, percent: Float32Array.from(at, (i) => cpuPercent * wave(i)) })),
    others: Float32Array.from(at, () => 1),
    restOfProcess: Float32Array.from(at, () => 3),
    restOfMachine: Float32Array.from(at, () => 5),
    idle: Float32Array.from(at, (i) => Math.max(0, 91 - used(i))),
    keptFromTicks: ask.startTicks,
  }
}

const STATE: StacksState = {
  version: 1,
  progress: null,
  failure: null,
  failedMs: null,
  lastCost: null,
  nextMs: 0,
  minIntervalMs: 2000,
  series: null,
  captures: [],
  maxCaptures: 200,
  dropped: 0,
}

const LIVE: LiveState = {
  phase: 'live',
  message: '',
  retryAtMs: null,
  error: null,
  atTicks: 0 as Ticks,
  machinePercent: 71,
  processPercent: 64,
  cores: 8,
  threads: 60,
  dedicatedThreads: 12,
  wantedUntilMs: 0,
}

/** Every question of `stacks/queries.ts`, answered the slow and obvious way. */
export function stacksResponse(fake: FakeStacks, name: keyof StacksRequests, query: unknown): unknown {
  const state = (): StacksState => ({
    ...STATE,
    lastCost: fake.captures.at(-1)?.info.cost ?? null,
    captures: fake.captures.map(({ info }) => info),
    ...fake.state,
  })
  switch (name) {
    case 'stacks.state':
      return state()
    case 'stacks.series':
    case 'stacks.stop':
    case 'stacks.forget':
      return state()
    case 'stacks.capture':
      return { kind: 'taken', capture: fake.captures.at(-1)?.info.id ?? 1 }
    case 'stacks.threads':
      return threads(fake, query as Params<'stacks.threads'>)
    case 'stacks.jobs':
      return jobs(fake, query as Params<'stacks.jobs'>)
    case 'stacks.flame':
      return flame(fake, query as Params<'stacks.flame'>)
    case 'stacks.tree':
      return tree(fake, query as Params<'stacks.tree'>)
    case 'stacks.frames':
      return frames(fake, query as Params<'stacks.frames'>)
    case 'stacks.lanes':
      return lanes(fake, query as Params<'stacks.lanes'>)
    case 'stacks.text':
      return text(fake, query as Params<'stacks.text'>)
    case 'stacks.findFrame': {
      const wanted = (query as Params<'stacks.findFrame'>).text
      return fake.captures.some(({ samples }) => samples.some((sample) => sample.frames.includes(wanted)))
        ? fakeFrame(wanted)
        : null
    }
    case 'stacks.findNode': {
      const ask = query as Params<'stacks.findNode'>
      let { root: node } = treeOf(fake, ask.view)
      for (const full of ask.path) {
        const child = node.children.get(full)
        if (child === undefined) break
        node = child
      }
      return node.id
    }
    case 'stacks.path': {
      const ask = query as Params<'stacks.path'>
      const space = `${ask.view.direction} ${ask.view.focus}`
      const found = findNode(treeOf(fake, ask.view).root, ask.node)
      return (found?.path ?? []).map((full, at) =>
        Object.assign(fakeFrame(full), {
          node: idOf(nodeIds, `${space}\n${found!.path.slice(0, at + 1).join('\n')}`),
        }),
      )
    }
    case 'stacks.exportCount':
      return { captures: fake.captures.length, samples: 60, frames: 100 }
    case 'threads.want':
      return { ...LIVE, ...fake.live }
    case 'threads.history':
      return history(fake, query as Params<'threads.history'>)
  }
}
