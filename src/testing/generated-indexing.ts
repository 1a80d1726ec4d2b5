import type { Bytes, Ticks, TickSpan } from '../base/brand.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { SourceId } from '../capture/client/state.ts'
import type { BatchRow, BatchState, StopReason } from '../features/indexing/contract/batches.ts'
import type { BudgetStep } from '../features/indexing/contract/budgets.ts'
import type { BudgetFinding } from '../features/indexing/contract/findings.ts'
import type { LowMemoryEvent } from '../features/indexing/contract/memory.ts'
import type { OperationFamily } from '../features/indexing/contract/operations.ts'
import { FAKE_START, INDEX_NAMES } from './generated-io.ts'
import { seededRandom } from '../base/random.ts'

export interface FakeNode {
  readonly name: string
  readonly family: OperationFamily
  readonly depth: number
  readonly parent: number
  readonly ticks: number
  readonly details: readonly {
    readonly name: string
    readonly value: number | null
    readonly unit: 'bytes' | 'count'
  }[]
}

export interface FakeBatch extends BatchRow {
  /** Pre-order; the first is the root. */
  readonly tree: readonly FakeNode[]
  readonly waitTicks: TickSpan
  readonly commitPages: number
  readonly steps: readonly BudgetStep[]
}

export interface FakeIndex {
  readonly key: string
  readonly source: SourceId
  readonly name: string
  readonly trouble: 'faulty' | null
  readonly replaces: string | null
}

export interface FakeMemory {
  readonly atTicks: Ticks
  readonly managedBytes: number
  readonly unmanagedBytes: number
  readonly dirtyBytes: number
  readonly cleanBytes: number
  readonly availableBytes: number
}

export interface GeneratedIndexing {
  readonly indexes: readonly FakeIndex[]
  /** Sorted by start. */
  readonly batches: readonly FakeBatch[]
  /** Every 5 s. */
  readonly memory: readonly FakeMemory[]
  readonly lowMemory: readonly LowMemoryEvent[]
  readonly findings: readonly BudgetFinding[]
  readonly physicalBytes: number
  readonly startTicks: Ticks
  readonly endTicks: Ticks
}

export interface GenerateIndexingOptions {
  readonly seed: number
  readonly databases: readonly string[]
  readonly indexes: number
  readonly seconds: number
  /** Two indexes keep their budgets after a batch, and a third grows into the space. */
  readonly budgetsHeld: boolean
}

const MIB = 1024 * 1024
const PHYSICAL = 16 * 1024 * MIB

/** What the server would say, and in plain words; drawn by weight. */
const REASONS: Record<'calm' | 'size' | 'memory' | 'refused' | 'errors' | 'none', StopReason> = {
  calm: {
    code: 'no-more-documents',
    weight: 'calm',
    words: 'Everything there was to index is indexed.',
    text: 'No more documents to index',
    numbers: [],
  },
  size: {
    code: 'batch-size',
    weight: 'limit',
    words: 'It reached the most documents that a batch may map: 4,096.',
    text: 'Reached maximum configured map batch size (4,096).',
    numbers: [4096],
  },
  memory: {
    code: 'low-memory',
    weight: 'pressure',
    words: 'The server ran low on memory after 128 documents.',
    text: 'The batch was stopped after processing 128 documents because of low memory',
    numbers: [128],
  },
  refused: {
    code: 'no-budget',
    weight: 'pressure',
    words: 'It asked for more memory, and the server granted none.',
    text: 'Cannot budget additional memory for batch',
    numbers: [],
  },
  errors: {
    code: 'too-many-errors',
    weight: 'broken',
    words: 'Too many documents failed: 516, and 500 end a batch.',
    text: 'Number of errors (516) reached maximum number of allowed errors per batch (500)',
    numbers: [516, 500],
  },
  none: { code: 'not-reported', weight: 'calm', words: 'No reason reported.', text: null, numbers: [] },
}

type Shape = readonly [name: string, family: OperationFamily, share: number, children?: readonly Shape[]]

const mapShape = (collection: string, reduce: boolean, unknown: boolean): readonly Shape[] => [
  ['DocumentsCleanup', 'cleanup', 0.004, [[`Collection_${collection}`, 'collection', 0.9]]],
  ['References', 'references', 0.03, [[`Collection_${collection}`, 'collection', 0.8]]],
  [
    'Map',
    'map',
    reduce ? 0.42 : 0.52,
    [
      [
        `Collection_${collection}`,
        'collection',
        0.98,
        [
          ['Storage/DocumentRead', 'read', 0.16],
          ['Linq', 'linq', 0.38, [['LoadDocument', 'linq', 0.3]]],
          ...(reduce
            ? ([['Storage/PutMapResult', 'store', 0.3]] as const)
            : ([
                ['Corax/Convert', 'corax', 0.12],
                ['Corax/AddDocument', 'corax', 0.22],
              ] as const)),
          ...(unknown ? ([['Vector/Embed', 'unknown', 0.1]] as const) : []),
        ],
      ],
    ],
  ],
  ...(reduce
    ? ([
        [
          'Reduce',
          'reduce',
          0.2,
          [['Tree', 'reduce', 0.9, [['Aggregation/Leafs', 'reduce', 0.6, [['Linq', 'linq', 0.8]]]]]],
        ],
      ] as const)
    : []),
  [
    'Corax/Commit',
    'commit',
    0.2,
    [
      ['Field_Name', 'field', 0.5, [['TextualValues', 'field', 0.95]]],
      ['Field_Total', 'field', 0.3, [['IntegerValues', 'field', 0.5]]],
      ['StoredValues', 'field', 0.1],
    ],
  ],
  ['Storage/Commit', 'commit', 0.1],
]

/** Batches like those of a server under load: most short and calm, some cut short, a few failed, two fifths empty. */
export function generateIndexing(options: GenerateIndexingOptions): GeneratedIndexing {
  const next = seededRandom(options.seed)
  const endTicks = (FAKE_START + options.seconds * TICKS_PER_SECOND) as Ticks
  const around = (median: number, spread: number): number =>
    median * Math.exp(spread * (next() + next() + next() - 1.5) * 1.6)
  const indexes: FakeIndex[] = []
  for (const database of options.databases) {
    for (let i = 0; i < options.indexes; i++) {
      const name = i < INDEX_NAMES.length ? (INDEX_NAMES[i] ?? '') : `Generated/Index${i}`
      const source = `db:${database}`
      indexes.push({ key: `${source}|${name}`, source, name, trouble: null, replaces: null })
      if (i === 5)
        indexes.push({
          key: `${source}|Orders/Broken`,
          source,
          name: 'Orders/Broken',
          trouble: 'faulty',
          replaces: null,
        })
    }
  }
  const batches: FakeBatch[] = []
  let id = 0
  indexes.forEach((index, place) => {
    if (index.trouble !== null) return
    const weight = 1 / (1 + (place % 9))
    const reduce = place % 3 === 1
    const collection = index.name.split('/')[0] ?? 'Orders'
    let at: number = FAKE_START + next() * 4 * TICKS_PER_SECOND
    while (at < endTicks) {
      const phase = ((at - FAKE_START) / TICKS_PER_SECOND) % 40
      if (phase > 30) {
        at += (40 - phase) * TICKS_PER_SECOND + next() * TICKS_PER_SECOND
        continue
      }
      const empty = next() < 0.4
      const ticks = Math.round(
        empty ? around(1.2 * TICKS_PER_MS, 0.6) : around((60 + 1900 * weight) * TICKS_PER_MS, 0.9),
      )
      id++
      const startTicks = Math.round(at) as Ticks
      batches.push(
        empty
          ? emptyBatch(index, id, startTicks, ticks)
          : workedBatch(index, id, startTicks, ticks, { reduce, collection, place }),
      )
      at += ticks + around((empty ? 700 : 320) * TICKS_PER_MS, 0.8)
    }
  })

  function base(index: FakeIndex, batchId: number, startTicks: Ticks, ticks: number): BatchRow {
    return {
      index: index.key,
      id: batchId,
      startTicks,
      source: index.source,
      indexName: index.name,
      state: 'empty',
      durationTicks: ticks as TickSpan,
      documentsIn: 0,
      documentsOut: 0,
      documentsFailed: 0,
      bytes: 0 as Bytes,
      documentsPerSecond: 0,
      reason: REASONS.calm,
      allocatedBytes: null,
      budgetBytes: null,
    }
  }
  function emptyBatch(index: FakeIndex, batchId: number, startTicks: Ticks, ticks: number): FakeBatch {
    return {
      ...base(index, batchId, startTicks, ticks),
      tree: [{ name: 'Indexing', family: 'indexing', depth: 0, parent: -1, ticks, details: [] }],
      waitTicks: 0 as TickSpan,
      commitPages: 0,
      steps: [],
    }
  }
  function workedBatch(
    index: FakeIndex,
    batchId: number,
    startTicks: Ticks,
    ticks: number,
    of: { readonly reduce: boolean; readonly collection: string; readonly place: number },
  ): FakeBatch {
    const documents = Math.max(1, Math.round((ticks / TICKS_PER_SECOND) * around(3_100, 0.5)))
    const draw = next()
    const failed = draw < 0.025
    const reason = failed
      ? REASONS.errors
      : documents >= 4096
        ? REASONS.size
        : draw < 0.06
          ? REASONS.memory
          : draw < 0.11
            ? REASONS.refused
            : draw < 0.13
              ? REASONS.none
              : REASONS.calm
    const waitTicks = (next() < 0.08 ? Math.round(ticks * 0.35) : 0) as TickSpan
    const measured = documents > 900
    const checked = Math.round((measured ? 30 + documents / 90 : 3 + documents / 60) * MIB * (0.7 + next() * 0.6))
    const budget = measured ? checked + 16 * MIB : null
    const row: BatchRow = {
      ...base(index, batchId, startTicks, ticks),
      state: failed ? 'failed' : 'worked',
      documentsIn: documents,
      documentsOut: of.reduce ? Math.ceil(documents / 12) : documents,
      documentsFailed: failed ? 516 : 0,
      bytes: (documents * Math.round(around(1_400, 0.4))) as Bytes,
      documentsPerSecond: documents / (ticks / TICKS_PER_SECOND),
      reason,
      allocatedBytes: checked as Bytes,
      budgetBytes: budget as Bytes | null,
    }
    return {
      ...row,
      tree: growTree(ticks, waitTicks, of, { checked, budget }),
      waitTicks,
      commitPages: Math.round(around(400, 0.9)),
      steps: budget === null ? [] : stepsOf(row, ticks, checked, budget),
    }
  }
  function growTree(
    ticks: number,
    waitTicks: number,
    of: { readonly reduce: boolean; readonly collection: string; readonly place: number },
    memory: { readonly checked: number; readonly budget: number | null },
  ): FakeNode[] {
    const nodes: FakeNode[] = [{ name: 'Indexing', family: 'indexing', depth: 0, parent: -1, ticks, details: [] }]
    if (waitTicks > 0)
      nodes.push({
        name: 'Wait/ConcurrentlyRunningIndexesLimit',
        family: 'wait',
        depth: 1,
        parent: 0,
        ticks: waitTicks,
        details: [],
      })
    const add = (shape: Shape, parent: number, depth: number, room: number): void => {
      const [name, family, share, children = []] = shape
      const own = Math.round(room * share * (0.75 + next() * 0.25))
      const at = nodes.length
      nodes.push({
        name,
        family,
        depth,
        parent,
        ticks: own,
        details:
          name === 'Map'
            ? [
                { name: 'CurrentlyAllocated', value: memory.checked, unit: 'bytes' },
                { name: 'AllocationBudget', value: memory.budget, unit: 'bytes' },
              ]
            : [],
      })
      for (const child of children) add(child, at, depth + 1, own)
    }
    for (const shape of mapShape(of.collection, of.reduce, of.place === 2)) add(shape, 0, 1, ticks - waitTicks)
    return nodes
  }
  function stepsOf(row: BatchRow, ticks: number, checked: number, budget: number): BudgetStep[] {
    const steps: BudgetStep[] = []
    let held = 32 * MIB
    const count = Math.max(1, Math.ceil((budget - held) / (16 * MIB)))
    const step = (share: number, kind: BudgetStep['kind'], to: number): void => {
      steps.push({
        index: row.index,
        batch: { index: row.index, startTicks: row.startTicks, id: row.id },
        atTicks: Math.round(row.startTicks + ticks * share) as Ticks,
        kind,
        allocatedBytes: Math.round(checked * share) as Bytes,
        fromBytes: held as Bytes,
        toBytes: to as Bytes,
        processPrivateBytes: (5 * 1024 * MIB) as Bytes,
        processWorkingSetBytes: (7 * 1024 * MIB) as Bytes,
      })
      held = to
    }
    for (let i = 1; i <= count; i++) step((0.9 * i) / (count + 1), 'grant', Math.min(budget, 32 * MIB + i * 16 * MIB))
    step(1, row.reason.code === 'no-budget' ? 'refusal' : row.reason.code === 'low-memory' ? 'low-memory' : 'end', 0)
    return steps
  }

  batches.sort((a, b) => a.startTicks - b.startTicks)
  const lastOf = new Map<string, FakeBatch>()
  for (const batch of batches) lastOf.set(batch.index, batch)
  // What is under way at the end has not completed: of the first index it works, of the third it waits.
  const underWay = (batch: FakeBatch): FakeBatch => {
    const place = indexes.findIndex((index) => index.key === batch.index)
    if (lastOf.get(batch.index) !== batch || place > 2 || place === 1 || batch.state === 'empty') return batch
    const state: BatchState = place === 0 ? 'running' : 'waiting'
    const durationTicks = Math.max(TICKS_PER_MS, endTicks - batch.startTicks) as TickSpan
    return { ...batch, state, reason: REASONS.none, durationTicks }
  }
  const whole = batches.map(underWay)

  const memory: FakeMemory[] = []
  for (let at: number = FAKE_START; at <= endTicks; at += 5 * TICKS_PER_SECOND) {
    const running = whole.filter((batch) => batch.startTicks <= at && batch.startTicks + batch.durationTicks > at)
    const inBatches = running.reduce((sum, batch) => sum + (batch.allocatedBytes ?? 0), 0)
    const drift = (at - FAKE_START) / (endTicks - FAKE_START)
    const managedBytes = (1.6 + 0.3 * Math.sin(at / 2e8)) * 1024 * MIB
    const unmanagedBytes = (1.9 + drift * (options.budgetsHeld ? 4.5 : 0.4)) * 1024 * MIB + inBatches
    const dirtyBytes = (0.2 + 0.5 * next()) * 1024 * MIB
    const cleanBytes = Math.max(0.5 * 1024 * MIB, PHYSICAL * 0.42 - (unmanagedBytes - 1.9 * 1024 * MIB))
    memory.push({
      atTicks: at as Ticks,
      managedBytes,
      unmanagedBytes,
      dirtyBytes,
      cleanBytes,
      availableBytes: PHYSICAL - managedBytes - unmanagedBytes - dirtyBytes - 1.1 * 1024 * MIB,
    })
  }
  const low = (share: number, isLow: boolean): LowMemoryEvent => ({
    atTicks: Math.round(FAKE_START + options.seconds * share * TICKS_PER_SECOND) as Ticks,
    event: isLow ? 'LowMemOnTimeoutChk' : 'BackToNormal',
    isLow,
    freeBytes: (isLow ? 900 * MIB : 3_000 * MIB) as Bytes,
    commitChargeBytes: null,
    unmanagedBytes: (2_100 * MIB) as Bytes,
    scratchDirtyBytes: (64 * MIB) as Bytes,
    physicalBytes: PHYSICAL as Bytes,
    thresholdText: '1 GBytes',
  })
  return {
    indexes,
    batches: whole,
    memory,
    lowMemory: [low(0.62, true), low(0.7, false)],
    findings: options.budgetsHeld ? heldFindings(indexes, whole) : [],
    physicalBytes: PHYSICAL,
    startTicks: FAKE_START,
    endTicks,
  }
}

function heldFindings(indexes: readonly FakeIndex[], batches: readonly FakeBatch[]): BudgetFinding[] {
  const [holder, , grower] = indexes
  const released = batches.filter((batch) => batch.index === holder?.key && batch.budgetBytes !== null)
  const [first] = released
  const last = released.at(-1)
  if (holder === undefined || grower === undefined || first === undefined || last === undefined) return []
  const endOf = (batch: FakeBatch): Ticks => (batch.startTicks + batch.durationTicks) as Ticks
  return [
    {
      id: 'budget-held~1',
      kind: 'budget-held',
      source: holder.source,
      atTicks: endOf(first),
      lastTicks: endOf(last),
      times: released.length,
      indexes: [holder.key],
      grewInto: [{ index: grower.key, grewBytes: (96 * MIB) as Bytes }],
      excessBytes: (212 * MIB) as Bytes,
      words: `${holder.name} gave back 212 MiB after its batch and kept the budget for it; ${grower.name} has since grown by 96.0 MiB into that space.`,
      evidence: [
        {
          atTicks: first.startTicks,
          index: holder.key,
          batch: { index: holder.key, startTicks: first.startTicks, id: first.id },
          words: `Batch ${first.id} of ${holder.name} was granted a budget`,
          bytes: first.budgetBytes,
        },
        {
          atTicks: endOf(first),
          index: holder.key,
          batch: null,
          words: 'After it the thread held little, the budget stayed',
          bytes: (244 * MIB) as Bytes,
        },
      ],
    },
  ]
}
