import type { Bytes, TickSpan, Ticks } from '../base/brand.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../base/ticks.ts'
import type { IndexingRequests } from '../features/indexing/contract.ts'
import {
  batchStateCode,
  REASON_CODES,
  type BatchFilter,
  type BatchRow,
  type BatchSort,
} from '../features/indexing/contract/batches.ts'
import type { IndexInfo } from '../features/indexing/contract/indexes.ts'
import type { IndexMarks } from '../features/indexing/contract/lanes.ts'
import type { OperationName, OperationTotal } from '../features/indexing/contract/operations.ts'
import type { IndexSummary } from '../features/indexing/contract/summary.ts'
import type { FakeBatch, FakeNode, GeneratedIndexing } from './generated-indexing.ts'

type Params<Name extends keyof IndexingRequests> = IndexingRequests[Name]['params']
type Response<Name extends keyof IndexingRequests> = IndexingRequests[Name]['response']
type Pieces = Params<'indexing.marks'>['pieces']

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0)
const endOf = (batch: FakeBatch): number => batch.startTicks + batch.durationTicks
const startsIn = (batch: BatchRow, range: TimeRange): boolean =>
  batch.startTicks >= range.startTicks && batch.startTicks < range.endTicks
const passes = (batch: FakeBatch, filter: BatchFilter): boolean =>
  (filter.minTicks === null || batch.durationTicks >= filter.minTicks) &&
  (filter.maxTicks === null || batch.durationTicks <= filter.maxTicks) &&
  (filter.minDocuments === null || batch.documentsIn >= filter.minDocuments) &&
  (filter.reason === null || batch.reason.code === filter.reason) &&
  !(filter.hideEmpty && batch.state === 'empty')

/** Nearest rank; NaN of none. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Every question of `queries.ts`, answered the slow and obvious way, over what had happened by `nowTicks`. */
export function indexingResponse(
  data: GeneratedIndexing,
  nowTicks: number,
  version: number,
  name: keyof IndexingRequests,
  query: unknown,
): unknown {
  const batches = data.batches.filter((batch) => batch.startTicks <= nowTicks)
  const names = namesOf(data)
  const of = (indexes: readonly string[]): FakeBatch[] => batches.filter((batch) => indexes.includes(batch.index))
  switch (name) {
    case 'indexing.want':
      return {
        untilMs: Date.now() + 10_000,
        ways: (query as Params<'indexing.want'>).sources.map((source) => ({
          source,
          way: 'poll',
          why: 'Compressed polls carry less than the socket.',
          bytesPerMinute: 2_100_000,
          otherBytesPerMinute: 27_000_000,
          everyTicks: (3 * TICKS_PER_SECOND) as TickSpan,
          problem: null,
        })),
      } satisfies Response<'indexing.want'>
    case 'indexing.indexes': {
      const { sources } = query as Params<'indexing.indexes'>
      return {
        version,
        indexes: data.indexes
          .filter((index) => sources.includes(index.source))
          .map((index) => infoOf(index, batches, nowTicks)),
        loads: [],
        operations: names,
        further: 0,
        tellsMemory: data.memory.length > 0,
      } satisfies Response<'indexing.indexes'>
    }
    case 'indexing.marks': {
      const { indexes, pieces, filter } = query as Params<'indexing.marks'>
      return {
        version,
        rows: indexes.map((index) =>
          marksOf(
            of([index]).filter((batch) => passes(batch, filter)),
            pieces,
          ),
        ),
      } satisfies Response<'indexing.marks'>
    }
    case 'indexing.icicle':
      return icicle(batches, names, version, query as Params<'indexing.icicle'>)
    case 'indexing.overview':
      return overview(batches, version, query as Params<'indexing.overview'>)
    case 'indexing.card': {
      const { ref } = query as Params<'indexing.card'>
      const found = batches.find((batch) => batch.index === ref.index && batch.id === ref.id)
      return found === undefined ? null : cardOf(found, batches, names)
    }
    case 'indexing.summary':
      return summary(batches, version, query as Params<'indexing.summary'>)
    case 'indexing.compare': {
      const ask = query as Params<'indexing.compare'>
      const [a, b] = [ask.a, ask.b].map((side) => {
        const rows = of([side.index]).filter((batch) => startsIn(batch, side) && passes(batch, ask.filter))
        return { summary: summaryOf(side.index, rows, side), operations: operationsOf(rows) }
      }) as [
        { summary: IndexSummary; operations: OperationTotal[] },
        { summary: IndexSummary; operations: OperationTotal[] },
      ]
      const paths = new Map([...a.operations, ...b.operations].map((each) => [each.path, each]))
      const per = (side: typeof a, path: string): number =>
        side.operations.find((each) => each.path === path)?.totalTicks ?? Number.NaN
      return {
        version,
        a: a.summary,
        b: b.summary,
        operations: [...paths].map(([path, { depth, family }]) => ({
          path,
          depth,
          family,
          aTicks: per(a, path),
          bTicks: per(b, path),
          aPerDocument: per(a, path) / a.summary.documentsIn,
          bPerDocument: per(b, path) / b.summary.documentsIn,
        })),
        unlisted: 0,
      } satisfies Response<'indexing.compare'>
    }
    case 'indexing.rows': {
      const ask = query as Params<'indexing.rows'>
      const rows = of(ask.indexes)
        .filter((batch) => startsIn(batch, ask) && passes(batch, ask.filter))
        .toSorted((a, b) => (ask.descending ? -1 : 1) * compare(sortValue(a, ask.sort), sortValue(b, ask.sort)))
      return {
        version,
        total: rows.length,
        rows: rows.slice(ask.offset, ask.offset + ask.limit),
      } satisfies Response<'indexing.rows'>
    }
    case 'indexing.budgets':
      return budgets(data, batches, nowTicks, version, query as Params<'indexing.budgets'>)
    case 'indexing.memory':
      return memory(data, nowTicks, version, query as Params<'indexing.memory'>)
    case 'indexing.bar':
      return bar(data, batches, version, query as Params<'indexing.bar'>)
    case 'indexing.findings':
      return {
        version,
        findings: data.findings.filter((finding) => finding.atTicks <= nowTicks),
        checked: sum(batches, (batch) => batch.steps.length),
        finished: {
          batches: batches.length,
          budgets: sum(batches, (batch) => (batch.budgetBytes === null ? 0 : 1)),
          indexes: data.indexes.length,
          judgedIndexes: data.indexes.length,
          unclear: [],
          peakBytes: 0,
          physicalBytes: data.physicalBytes,
        },
      } satisfies Response<'indexing.findings'>
    case 'indexing.replay':
      return replay(data, batches, version, query as Params<'indexing.replay'>)
    case 'indexing.exportCount':
      return { batches: batches.length } satisfies Response<'indexing.exportCount'>
    case 'indexing.idle':
      return { version, spans: idleSpans(batches, (query as Params<'indexing.idle'>).minTicks) }
    default:
      return name satisfies never
  }
}

function namesOf(data: GeneratedIndexing): OperationName[] {
  const all = new Map<string, FakeNode>()
  for (const batch of data.batches) for (const node of batch.tree) all.set(node.name, node)
  return [...all.values()].map(({ name, family }, nameId) => ({ nameId, name, family }))
}

function infoOf(index: GeneratedIndexing['indexes'][number], all: readonly FakeBatch[], nowTicks: number): IndexInfo {
  const own = all.filter((batch) => batch.index === index.key)
  const running = own.find((batch) => batch.state === 'running' || batch.state === 'waiting')
  const count = (state: FakeBatch['state']): number => own.filter((batch) => batch.state === state).length
  return {
    key: index.key,
    source: index.source,
    name: index.name,
    replaces: index.replaces,
    trouble: index.trouble,
    note: '',
    counts: {
      batches: own.length,
      worked: count('worked'),
      empty: count('empty'),
      failed: count('failed'),
      training: count('training'),
      lost: count('lost'),
    },
    running: running === undefined ? null : { index: running.index, startTicks: running.startTicks, id: running.id },
    runningState: running === undefined ? null : (running.state as 'running' | 'waiting'),
    firstTicks: (own[0]?.startTicks ?? Number.NaN) as Ticks,
    endTicks: (own.length === 0 ? Number.NaN : Math.max(...own.map(endOf))) as Ticks,
    busyTicks: sum(own, (batch) => batch.durationTicks) as TickSpan,
    facts: {
      atTicks: nowTicks as Ticks,
      type: index.trouble === null ? 'Map' : 'Faulty',
      sourceType: 'Documents',
      searchEngine: 'Corax',
      state: index.trouble === null ? 'Normal' : 'Error',
      status: 'Running',
      isStale: running !== undefined,
      isInvalid: false,
      entriesCount: 100_000,
      errorsCount: sum(own, (batch) => batch.documentsFailed),
      mappedPerSecond: 1200,
      reducedPerSecond: null,
      mostOutputsPerDocument: 1,
      createdTicks: null,
      lastIndexingTicks: null,
      lastQueryingTicks: null,
      threadAllocationBytes: null,
      budgetBytes: null,
    },
    behind: running === undefined ? 0 : 12_400,
    progress:
      running === undefined
        ? null
        : {
            atTicks: nowTicks as Ticks,
            itemsLeft: 12_400,
            itemsTotal: 100_000,
            tombstonesLeft: 0,
            processedPerSecond: 1210,
          },
  }
}

function marksOf(rows: readonly FakeBatch[], pieces: Pieces): IndexMarks {
  const pixels = new Map<number, FakeBatch[]>()
  for (const piece of pieces) {
    const perPx = (piece.endTicks - piece.startTicks) / (piece.endPx - piece.startPx)
    for (const batch of rows) {
      if (batch.startTicks >= piece.endTicks || endOf(batch) <= piece.startTicks) continue
      const px = Math.floor(piece.startPx + (batch.startTicks - piece.startTicks) / perPx)
      pixels.set(px, [...(pixels.get(px) ?? []), batch])
    }
  }
  const marks = [...pixels.values()]
    .map((all) => ({ all, longest: all.toSorted((a, b) => b.durationTicks - a.durationTicks)[0] as FakeBatch }))
    .toSorted((a, b) => a.longest.startTicks - b.longest.startTicks)
  const column = (value: (mark: (typeof marks)[number]) => number): number[] => marks.map(value)
  return {
    length: marks.length,
    startTicks: Float64Array.from(column(({ longest }) => longest.startTicks)),
    durationTicks: Float64Array.from(column(({ longest }) => longest.durationTicks)),
    id: Float64Array.from(column(({ longest }) => longest.id)),
    state: Uint8Array.from(column(({ longest }) => batchStateCode(longest.state))),
    states: Uint8Array.from(
      column(({ all }) => all.reduce((bits, each) => bits | (1 << batchStateCode(each.state)), 0)),
    ),
    count: Uint32Array.from(column(({ all }) => all.length)),
    documents: Float64Array.from(column(({ longest }) => longest.documentsIn)),
    largestBytes: Float64Array.from(column(({ all }) => Math.max(...all.map((each) => each.bytes)))),
    reason: Uint8Array.from(column(({ longest }) => REASON_CODES.indexOf(longest.reason.code))),
    waitTicks: Float64Array.from(column(({ longest }) => longest.waitTicks)),
  }
}

function icicle(
  batches: readonly FakeBatch[],
  names: readonly OperationName[],
  version: number,
  ask: Params<'indexing.icicle'>,
): Response<'indexing.icicle'> {
  const [first] = ask.pieces
  const perPx = first === undefined ? 1 : (first.endTicks - first.startTicks) / (first.endPx - first.startPx)
  const seen = batches.filter(
    (batch) =>
      batch.index === ask.index &&
      passes(batch, ask.filter) &&
      ask.pieces.some((piece) => batch.startTicks < piece.endTicks && endOf(batch) > piece.startTicks),
  )
  const wide = seen.filter((batch) => batch.durationTicks / perPx >= ask.minPx)
  const rects: { start: number; ticks: number; told: number; depth: number; nameId: number; batch: FakeBatch }[] = []
  for (const batch of wide) {
    const place = (at: number, start: number, ticks: number): void => {
      const node = batch.tree[at] as FakeNode
      const nameId = names.find((each) => each.name === node.name)?.nameId ?? -1
      rects.push({ start, ticks, told: node.ticks, depth: node.depth, nameId, batch })
      const children = batch.tree.flatMap((each, i) => (each.parent === at ? [i] : []))
      const inside = sum(children, (i) => batch.tree[i]?.ticks ?? 0)
      const shrink = inside > ticks ? ticks / inside : 1
      let from = start
      for (const i of children) {
        const width = (batch.tree[i]?.ticks ?? 0) * shrink
        place(i, from, width)
        from += width
      }
      const rest = start + ticks - from
      if (children.length > 0 && rest > 0)
        rects.push({ start: from, ticks: rest, told: rest, depth: node.depth + 1, nameId: -1, batch })
    }
    place(0, batch.startTicks, batch.durationTicks)
  }
  return {
    version,
    length: rects.length,
    startTicks: Float64Array.from(rects, (rect) => rect.start),
    durationTicks: Float64Array.from(rects, (rect) => rect.ticks),
    reportedTicks: Float64Array.from(rects, (rect) => rect.told),
    depth: Uint8Array.from(rects, (rect) => rect.depth),
    nameId: Int32Array.from(rects, (rect) => rect.nameId),
    id: Float64Array.from(rects, (rect) => rect.batch.id),
    batchTicks: Float64Array.from(rects, (rect) => rect.batch.startTicks),
    names,
    narrow: seen.length - wide.length,
    left: 0,
  }
}

function overview(
  batches: readonly FakeBatch[],
  version: number,
  ask: Params<'indexing.overview'>,
): Response<'indexing.overview'> {
  const perPx = (ask.endTicks - ask.startTicks) / ask.widthPx
  const busyShare = new Float32Array(ask.widthPx)
  const slowestTicks = new Float32Array(ask.widthPx)
  const failed = new Uint16Array(ask.widthPx)
  for (const batch of batches) {
    if (!ask.indexes.includes(batch.index)) continue
    const px = Math.floor((batch.startTicks - ask.startTicks) / perPx)
    if (px < 0 || px >= ask.widthPx) continue
    slowestTicks[px] = Math.max(slowestTicks[px] ?? 0, batch.durationTicks)
    if (batch.state === 'failed') failed[px] = (failed[px] ?? 0) + 1
    for (let at = px; at < ask.widthPx && ask.startTicks + at * perPx < endOf(batch); at++) {
      const from = Math.max(batch.startTicks, ask.startTicks + at * perPx)
      const to = Math.min(endOf(batch), ask.startTicks + (at + 1) * perPx)
      busyShare[at] = (busyShare[at] ?? 0) + Math.max(0, to - from) / perPx
    }
  }
  return { version, busyShare, slowestTicks, failed }
}

function cardOf(
  batch: FakeBatch,
  all: readonly FakeBatch[],
  names: readonly OperationName[],
): NonNullable<Response<'indexing.card'>> {
  const { tree, steps, commitPages, ...row } = batch
  const worked = all.filter((each) => each.index === batch.index && each.state !== 'empty')
  const running = batch.state === 'running' || batch.state === 'waiting'
  return {
    ...row,
    endTicks: running ? null : (endOf(batch) as Ticks),
    epoch: 0,
    documentsSucceeded: batch.documentsIn - batch.documentsFailed,
    tombstones: 0,
    averageDocumentBytes: batch.documentsIn === 0 ? null : batch.bytes / batch.documentsIn,
    bytesPerSecond: batch.bytes / (batch.durationTicks / TICKS_PER_SECOND),
    managedBytes: batch.allocatedBytes === null ? null : ((batch.allocatedBytes * 3) as Bytes),
    unmanagedBytes: batch.allocatedBytes,
    totalAllocatedBytes: null,
    memory: {
      allocatedBytes: batch.allocatedBytes,
      budgetBytes: batch.budgetBytes,
      processPrivateBytes: null,
      processWorkingSetBytes: null,
    },
    referencesMemory: null,
    commitPages: batch.state === 'empty' ? null : commitPages,
    commitBytes: batch.state === 'empty' ? null : ((commitPages * 4096) as Bytes),
    merges: null,
    budgetSteps: steps,
    operations: tree.map((node, at) => ({
      name: node.name,
      nameId: names.find((each) => each.name === node.name)?.nameId ?? -1,
      family: node.family,
      depth: node.depth,
      parent: node.parent,
      durationTicks: node.ticks as TickSpan,
      otherTicks: (node.ticks -
        sum(
          tree.filter((each) => each.parent === at),
          (each) => each.ticks,
        )) as TickSpan,
      details: node.details,
    })),
    rank: worked.filter((each) => each.durationTicks > batch.durationTicks).length + 1,
    rankOf: worked.length,
    unlisted: { count: 0, selfTicks: 0 },
    operationsLeftOut: 0,
    json: JSON.stringify({ Id: batch.id, InputCount: batch.documentsIn }, null, 2),
  }
}

function summary(
  batches: readonly FakeBatch[],
  version: number,
  ask: Params<'indexing.summary'>,
): Response<'indexing.summary'> {
  const rows = batches.filter(
    (batch) => ask.indexes.includes(batch.index) && startsIn(batch, ask) && passes(batch, ask.filter),
  )
  const total = summaryOf(null, rows, ask)
  const operations = ask.operations ? operationsOf(rows) : []
  return {
    version,
    total,
    indexes: ask.indexes.map((index) =>
      summaryOf(
        index,
        rows.filter((batch) => batch.index === index),
        ask,
      ),
    ),
    operations,
    unlisted: { count: 0, selfTicks: 0 },
    operationsLeftOut: 0,
    otherTicks: (total.busyTicks - sum(operations, (each) => (each.depth === 0 ? each.totalTicks : 0))) as TickSpan,
    operationsOfTicks: total.busyTicks,
    largest: rows.toSorted((a, b) => b.durationTicks - a.durationTicks).slice(0, ask.largestLimit),
  }
}

function summaryOf(index: string | null, all: readonly FakeBatch[], range: TimeRange): IndexSummary {
  const rows = all.filter((batch) => batch.state !== 'running' && batch.state !== 'waiting')
  const busyTicks = sum(rows, (batch) => batch.durationTicks)
  const lengths = rows
    .filter((batch) => batch.state !== 'empty')
    .map((batch): number => batch.durationTicks)
    .toSorted((a, b) => a - b)
  const documentsIn = sum(rows, (batch) => batch.documentsIn)
  const reasons = new Map<string, FakeBatch[]>()
  for (const batch of rows) reasons.set(batch.reason.code, [...(reasons.get(batch.reason.code) ?? []), batch])
  const count = (state: FakeBatch['state']): number => rows.filter((batch) => batch.state === state).length
  return {
    index,
    counts: {
      batches: rows.length,
      worked: count('worked'),
      empty: count('empty'),
      failed: count('failed'),
      training: count('training'),
      lost: count('lost'),
    },
    running: all.length - rows.length,
    busyTicks: busyTicks as TickSpan,
    busyShare: busyTicks / (range.endTicks - range.startTicks),
    documentsIn,
    documentsOut: sum(rows, (batch) => batch.documentsOut),
    documentsFailed: sum(rows, (batch) => batch.documentsFailed),
    bytes: sum(rows, (batch) => batch.bytes) as Bytes,
    training: { batches: 0, documents: 0, busyTicks: 0 as TickSpan },
    documentsPerBusySecond: documentsIn / (busyTicks / TICKS_PER_SECOND),
    documentsPerSecond: documentsIn / ((range.endTicks - range.startTicks) / TICKS_PER_SECOND),
    p50Ticks: percentile(lengths, 0.5),
    p99Ticks: percentile(lengths, 0.99),
    maxTicks: lengths.at(-1) ?? Number.NaN,
    waitTicks: sum(rows, (batch) => batch.waitTicks) as TickSpan,
    reasons: [...reasons.values()]
      .map((group) => ({ group, reason: (group[0] as FakeBatch).reason }))
      .map(({ group, reason }) => ({
        code: reason.code,
        weight: reason.weight,
        count: group.length,
        words: reason.words,
      }))
      .toSorted((a, b) => b.count - a.count),
  }
}

function operationsOf(rows: readonly FakeBatch[]): OperationTotal[] {
  interface Sum {
    path: string
    name: string
    node: FakeNode
    parent: string
    batches: number
    ticks: number
    inside: number
    longest: number
  }
  const totals = new Map<string, Sum>()
  for (const { tree, state } of rows) {
    if (state === 'running' || state === 'waiting') continue
    const paths = ['']
    tree.forEach((node, at) => {
      if (at === 0) return
      const parent = paths[node.parent] ?? ''
      const path = parent === '' ? node.name : `${parent} › ${node.name}`
      paths[at] = path
      const known = totals.get(path) ?? {
        path,
        name: node.name,
        node,
        parent,
        batches: 0,
        ticks: 0,
        inside: 0,
        longest: 0,
      }
      known.batches++
      known.ticks += node.ticks
      known.longest = Math.max(known.longest, node.ticks)
      totals.set(path, known)
      const above = totals.get(parent)
      if (above !== undefined) above.inside += node.ticks
    })
  }
  const ordered: OperationTotal[] = []
  const add = (parent: string, parentAt: number): void => {
    const children = [...totals.values()].filter((each) => each.parent === parent).toSorted((a, b) => b.ticks - a.ticks)
    for (const child of children) {
      ordered.push({
        path: child.path,
        name: child.name,
        family: child.node.family,
        depth: child.node.depth - 1,
        parent: parentAt,
        batches: child.batches,
        totalTicks: child.ticks as TickSpan,
        selfTicks: (child.ticks - child.inside) as TickSpan,
        longestTicks: child.longest as TickSpan,
      })
      add(child.path, ordered.length - 1)
    }
  }
  add('', -1)
  return ordered
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

function sortValue(batch: FakeBatch, sort: BatchSort): number | string {
  switch (sort) {
    case 'start':
      return batch.startTicks
    case 'duration':
      return batch.durationTicks
    case 'documents':
      return batch.documentsIn
    case 'bytes':
      return batch.bytes
    case 'rate':
      return batch.documentsPerSecond
    case 'failed':
      return batch.documentsFailed
    case 'allocated':
      return batch.allocatedBytes ?? -1
    case 'budget':
      return batch.budgetBytes ?? -1
    case 'index':
      return batch.indexName
    case 'reason':
      return batch.reason.words
    default:
      return batch.id
  }
}

function budgets(
  data: GeneratedIndexing,
  batches: readonly FakeBatch[],
  nowTicks: number,
  version: number,
  ask: Params<'indexing.budgets'>,
): Response<'indexing.budgets'> {
  const at: number[] = []
  const xPx: number[] = []
  for (const piece of ask.pieces) {
    const perPx = (piece.endTicks - piece.startTicks) / (piece.endPx - piece.startPx)
    for (let px = piece.startPx as number; px < piece.endPx; px++) {
      xPx.push(px)
      at.push(piece.startTicks + (px - piece.startPx + 0.5) * perPx)
    }
  }
  const rows = ask.indexes.map((index) => {
    const own = batches.filter((batch) => batch.index === index)
    const held = data.findings.some((finding) => finding.indexes.includes(index))
    let next = 0
    let last: FakeBatch | undefined
    const column = { now: [] as number[], checked: [] as number[], granted: [] as number[], ran: [] as number[] }
    for (const ticks of at) {
      while (next < own.length && (own[next]?.startTicks ?? Infinity) <= ticks) last = own[next++]
      const running = last !== undefined && endOf(last) > ticks ? last : undefined
      const share = running === undefined ? 0 : (ticks - running.startTicks) / Math.max(1, running.durationTicks)
      const step = running?.steps.findLast((each) => each.atTicks <= ticks)
      const outside = ticks < data.startTicks || ticks > nowTicks
      column.ran.push(running === undefined ? 0 : 1)
      column.checked.push(running?.allocatedBytes == null ? Number.NaN : running.allocatedBytes * share)
      column.granted.push(
        step?.toBytes ?? (held && !outside && last?.budgetBytes != null ? last.budgetBytes : Number.NaN),
      )
      column.now.push(outside ? Number.NaN : 2_500_000 + (running?.allocatedBytes ?? 0) * share * 1.1)
    }
    return {
      index,
      nowBytes: Float64Array.from(column.now),
      checkedBytes: Float64Array.from(column.checked),
      grantedBytes: Float64Array.from(column.granted),
      ran: Uint8Array.from(column.ran),
      thread: 'known' as const,
    }
  })
  const steps = batches
    .filter((batch) => ask.indexes.includes(batch.index))
    .flatMap((batch) => batch.steps)
    .filter((step) => ask.pieces.some((piece) => step.atTicks >= piece.startTicks && step.atTicks < piece.endTicks))
    .toSorted((a, b) => a.atTicks - b.atTicks)
  return {
    version,
    xPx: Float64Array.from(xPx),
    rows,
    steps: steps.slice(0, 2000),
    stepsLeft: Math.max(0, steps.length - 2000),
    unmatched: { threads: 0, bytes: 0 as Bytes, names: [] },
  }
}

function memory(
  data: GeneratedIndexing,
  nowTicks: number,
  version: number,
  ask: Params<'indexing.memory'>,
): Response<'indexing.memory'> {
  const inside = (at: number): boolean => ask.pieces.some((piece) => at >= piece.startTicks && at < piece.endTicks)
  const rows = data.memory.filter((sample) => sample.atTicks <= nowTicks && inside(sample.atTicks))
  const column = (value: (sample: GeneratedIndexing['memory'][number]) => number): Float64Array =>
    Float64Array.from(rows, value)
  return {
    version,
    length: rows.length,
    atTicks: column((sample) => sample.atTicks),
    physicalBytes: column(() => data.physicalBytes),
    workingSetBytes: column((s) => s.managedBytes + s.unmanagedBytes + s.dirtyBytes + s.cleanBytes),
    privateBytes: column((s) => s.managedBytes + s.unmanagedBytes),
    managedBytes: column((s) => s.managedBytes),
    unmanagedBytes: column((s) => s.unmanagedBytes),
    mappedBytes: column((s) => s.cleanBytes * 3),
    dirtyBytes: column((s) => s.dirtyBytes),
    availableBytes: column((s) => s.availableBytes - s.cleanBytes),
    availableForProcessingBytes: column((s) => s.availableBytes),
    swapBytes: column(() => Number.NaN),
    lowLimitBytes: Math.min(2 * 1024 ** 3, data.physicalBytes / 10),
    severity: Uint8Array.from(rows, (s) => (s.availableBytes < data.physicalBytes / 10 ? 1 : 0)),
    lowMemory: data.lowMemory.filter((event) => event.atTicks <= nowTicks && inside(event.atTicks)),
  }
}

function bar(
  data: GeneratedIndexing,
  batches: readonly FakeBatch[],
  version: number,
  ask: Params<'indexing.bar'>,
): Response<'indexing.bar'> {
  const sample = data.memory.toSorted(
    (a, b) => Math.abs(a.atTicks - ask.atTicks) - Math.abs(b.atTicks - ask.atTicks),
  )[0]
  const ageTicks = sample === undefined ? Infinity : Math.abs(sample.atTicks - ask.atTicks)
  const held = data.indexes
    .filter((index) => ask.sources.includes(index.source) && index.trouble === null)
    .map((index) => {
      const last = batches.findLast((batch) => batch.index === index.key && batch.startTicks <= ask.atTicks)
      const running = last !== undefined && endOf(last) > ask.atTicks
      return {
        index: index.key,
        name: index.name,
        nowBytes: running ? last.allocatedBytes : null,
        checkedBytes: running ? last.allocatedBytes : null,
        grantedBytes: running ? last.budgetBytes : null,
        isRunning: running,
      }
    })
  const known = held.filter((index) => index.nowBytes !== null)
  const parts = (of: NonNullable<typeof sample>): [name: 'private', bytes: number, counts: boolean][] => {
    const used = of.managedBytes + of.unmanagedBytes + of.dirtyBytes + of.cleanBytes
    const other = Math.min(1.1 * 1024 ** 3, data.physicalBytes - used)
    return [
      ['private', of.managedBytes + of.unmanagedBytes, true],
      ['other', other + of.dirtyBytes, false],
      ['clean', of.cleanBytes, false],
      ['free', data.physicalBytes - used - other, false],
    ] as never
  }
  return {
    version,
    bar:
      sample === undefined || ageTicks > 15 * TICKS_PER_SECOND
        ? null
        : {
            atTicks: sample.atTicks,
            ageTicks: ageTicks as TickSpan,
            physicalBytes: data.physicalBytes as Bytes,
            parts: parts(sample).map(([part, bytes, counts]) => ({ part, bytes: bytes as Bytes, counts })),
            lowLimitBytes: Math.min(2 * 1024 ** 3, data.physicalBytes / 10) as Bytes,
            workingSetBytes: null,
            severity: 'None',
          },
    indexes: known.toSorted((a, b) => (b.grantedBytes ?? b.nowBytes ?? 0) - (a.grantedBytes ?? a.nowBytes ?? 0)),
    notMeasured: held.length - known.length,
  }
}

function replay(
  data: GeneratedIndexing,
  batches: readonly FakeBatch[],
  version: number,
  ask: Params<'indexing.replay'>,
): Response<'indexing.replay'> {
  const recorded = batches
    .filter((batch) => ask.indexes.includes(batch.index))
    .flatMap((batch) => batch.steps)
    .filter((step) => step.atTicks >= ask.startTicks && step.atTicks < ask.endTicks)
    .toSorted((a, b) => a.atTicks - b.atTicks)
  const [budget, modelled] = [new Map<string, number>(), new Map<string, number>()]
  const total = (of: ReadonlyMap<string, number>): Bytes => sum([...of.values()], (bytes) => bytes) as Bytes
  const steps = recorded.map((step) => {
    const sample = data.memory.findLast((each) => each.atTicks <= step.atTicks)
    const available = sample?.availableBytes ?? null
    budget.set(step.index, step.toBytes ?? 0)
    const wanted = Math.max(ask.model.initialBytes, (step.allocatedBytes ?? 0) + ask.model.stepBytes)
    const fits =
      (ask.model.ceilingBytes === null || wanted <= ask.model.ceilingBytes) &&
      (available ?? 0) - ask.model.stepBytes >= ask.model.reserveBytes
    const model: 'grant' | 'refuse' | 'end' | 'unknown' =
      step.kind === 'end' ? 'end' : available === null ? 'unknown' : fits ? 'grant' : 'refuse'
    if (model === 'end') modelled.delete(step.index)
    else if (model === 'grant') modelled.set(step.index, wanted)
    return {
      recorded: step,
      availableBytes: available as Bytes | null,
      budgetSumBytes: total(budget),
      model,
      modelBudgetBytes: (modelled.get(step.index) ?? null) as Bytes | null,
      modelSumBytes: total(modelled),
      words: 'Granted while what is available stays above the reserve.',
    }
  })
  return {
    version,
    total: steps.length,
    stepsLeft: 0,
    from: ask.from,
    steps: steps.slice(ask.from, ask.from + 400),
    recordedSums: Float64Array.from(steps, (step) => step.budgetSumBytes),
    modelSums: Float64Array.from(steps, (step) => step.modelSumBytes),
    recordedPeakBytes: Math.max(0, ...steps.map((step) => step.budgetSumBytes)) as Bytes,
    modelPeakBytes: Math.max(0, ...steps.map((step) => step.modelSumBytes)) as Bytes,
    recordedRefusals: steps.filter((step) => step.recorded.kind === 'refusal').length,
    modelRefusals: steps.filter((step) => step.model === 'refuse').length,
    label:
      'A model of the rule that the server follows, fed with what was recorded; it does not foresee what an index would have done with more or less.',
  }
}

function idleSpans(batches: readonly FakeBatch[], minTicks: number): Float64Array {
  const spans: number[] = []
  let end = batches[0]?.startTicks ?? (0 as Ticks)
  for (const batch of batches) {
    if (batch.startTicks - end >= minTicks) spans.push(end, batch.startTicks)
    end = Math.max(end, endOf(batch)) as Ticks
  }
  return Float64Array.from(spans)
}
