import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { BUDGET_STEP_BYTES, CHECK_EVERY_DOCUMENTS, INITIAL_BUDGET_BYTES } from '../../contract/limits.ts'
import type { BatchRef, IndexKey } from '../../contract/batches.ts'
import type { BudgetFinding, FindingKind } from '../../contract/findings.ts'

/** Input of the watch. Bytes; null: not measured. Times are by the server's clock. */
export type WatchEvent =
  | {
      readonly kind: 'batch'
      readonly atTicks: number
      readonly source: SourceId
      readonly index: IndexKey
      readonly name: string
      readonly startTicks: number
      readonly id: number
      readonly isOpen: boolean
      /** `CurrentlyAllocated` of the Map operation. */
      readonly checkedBytes: number | null
      /** `AllocationBudget` of the Map operation; reported only by a batch that requested a budget. */
      readonly budgetBytes: number | null
      /** `InputCount`; null: not reported. */
      readonly documents: number | null
      /**
       * Whether the batch ended for a reason that is only given if its last check passed, including the request of a
       * budget.
       */
      readonly passedLastCheck: boolean
    }
  /** Unmanaged allocations of the threads that could be assigned to an index. */
  | { readonly kind: 'threads'; readonly atTicks: number; readonly bytes: ReadonlyMap<IndexKey, number | null> }
  | { readonly kind: 'memory'; readonly atTicks: number; readonly availableBytes: number }
  /** Memory that an index holds between batches; reported by 5.4 only. */
  | {
      readonly kind: 'held'
      readonly atTicks: number
      readonly source: SourceId
      readonly index: IndexKey
      readonly name: string
      readonly allocatedBytes: number
      readonly budgetBytes: number
    }

/** Minimum excess of a budget that is "far above" its use: one step more than would be granted now. */
export const HELD_SLACK_BYTES = BUDGET_STEP_BYTES
/** Minimum growth of another index that a finding mentions. */
const GROWTH_BYTES = 8 * 1024 * 1024
/** Maximum age at which the report of a running batch is current, ticks: 15 s. */
const FRESH_TICKS = 150_000_000
/** Maximum age at which a sample of memory is current, ticks: 25 s. The kernel's samples come every 15 s. */
const MEMORY_FRESH_TICKS = 250_000_000
/** Maximum time between two occurrences of one finding, ticks: 10 min. */
const EPISODE_TICKS = 6_000_000_000
/**
 * Minimum distance of two reports that proves a check in between, in documents: two check intervals. The use in the
 * earlier report was checked, and the batch continued.
 */
const CHECKED_DOCUMENTS = 2 * CHECK_EVERY_DOCUMENTS
/**
 * Number of documents with many checks within the initial budget. Use far beyond it after so many documents cannot come
 * from one step.
 */
const CALM_DOCUMENTS = 16 * CHECK_EVERY_DOCUMENTS
const FAR_BYTES = 4 * INITIAL_BUDGET_BYTES
const MOST_FINDINGS = 500
const MOST_EVIDENCE = 12

interface Watched {
  readonly source: SourceId
  readonly name: string
  /** The last reported grant of a budget. */
  grant: { readonly atTicks: number; readonly budgetBytes: number; readonly batch: BatchRef } | null
  /** Newest batch; `isOpen`: it was running when last reported. */
  batch: {
    readonly ref: BatchRef
    readonly atTicks: number
    readonly isOpen: boolean
    readonly checkedBytes: number | null
    readonly budgetBytes: number | null
  } | null
  threadBytes: number | null
  /** First report that the batch holds more than the initial budget without a request. */
  ahead: {
    readonly id: number
    readonly startTicks: number
    readonly documents: number
    readonly checkedBytes: number
  } | null
  held: { readonly atTicks: number; readonly allocatedBytes: number; readonly budgetBytes: number } | null
  /**
   * Memory of all other indexes at the end of a large batch of this index. Their growth since then went into the memory
   * that it released.
   */
  released: {
    readonly atTicks: number
    readonly fromBytes: number
    readonly others: ReadonlyMap<IndexKey, number>
  } | null
}

/**
 * Proof that this batch passed a check above the initial budget without a request, in words; null: no proof. A later
 * check is proof by the rules of the scheme. Otherwise a single check would have to find four times the amount that
 * sixteen checks before it did not reach, which is beyond doubt.
 */
function proofOf(
  index: Watched,
  { id, startTicks, documents, passedLastCheck }: Extract<WatchEvent, { kind: 'batch' }>,
  checkedBytes: number,
): string | null {
  if (passedLastCheck) return 'and that check let it go on'
  if (documents === null) return null
  const { ahead } = index
  if (ahead !== null && ahead.id === id && ahead.startTicks === startTicks) {
    const since = documents - ahead.documents
    if (since >= CHECKED_DOCUMENTS)
      return `though it held ${formatBytes(ahead.checkedBytes)} already ${formatCount(since)} documents earlier`
  } else if (ahead === null || ahead.startTicks < startTicks) index.ahead = { id, startTicks, documents, checkedBytes }
  return checkedBytes > FAR_BYTES && documents >= CALM_DOCUMENTS
    ? `though it had been checked after every ${CHECK_EVERY_DOCUMENTS} of ${formatCount(documents)} documents`
    : null
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Watches the invariant of the budget scheme: free memory covers the unused parts of budgets. A violation once took
 * hours to show: memory was released after a batch, the budget was not lowered, another index was granted the space,
 * and the first index grew again without a request. The feed can show this at the first event:
 * - a batch holds more than the initial budget and continued without a request (`grew-unasked`). Holding it is no
 *   proof: a check notes the use first, then looks for other reasons to stop (low memory, …), and requests more last,
 *   so a healthy batch that is stopped, halted or reported in between looks the same (seen on 7.1.5: 46 MB after one
 *   check). See `proofOf`
 * - an index is reported to hold a budget far above its use between batches (`budget-held`; 5.4)
 * - the unused parts of granted budgets exceed the available memory (`over-promised`)
 *
 * Pure and incremental: O(1) per event, except at the end of a batch with a requested budget (O(indexes)).
 * Source of the rule: `Raven.Server/Documents/Indexes/Index.cs` (a batch begins with 32 MB; a check that finds more in
 * use than the budget requests use + 16 MB), as recorded on 5.4, 6.2 and 7.1.
 */
export class BudgetWatch {
  readonly #indexes = new Map<IndexKey, Watched>()
  readonly #findings: Mutable<BudgetFinding>[] = []
  readonly #open = new Map<string, Mutable<BudgetFinding>>()
  #memory: { readonly atTicks: number; readonly availableBytes: number } | null = null
  /** Number of events with a measured figure that were checked. */
  checked = 0

  get findings(): readonly BudgetFinding[] {
    return this.#findings.toSorted((a, b) => a.atTicks - b.atTicks)
  }

  take(event: WatchEvent): void {
    if (event.kind === 'batch') this.#takeBatch(event)
    else if (event.kind === 'held') this.#takeHeld(event)
    else if (event.kind === 'threads')
      for (const [key, bytes] of event.bytes) {
        const index = this.#indexes.get(key)
        if (index !== undefined) index.threadBytes = bytes
      }
    else {
      this.#memory = event
      this.checked++
      this.#checkPromises(event.atTicks)
    }
  }

  #index(key: IndexKey, source: SourceId, name: string): Watched {
    let index = this.#indexes.get(key)
    if (index === undefined) {
      index = { source, name, grant: null, batch: null, threadBytes: null, ahead: null, held: null, released: null }
      this.#indexes.set(key, index)
    }
    return index
  }

  #takeBatch(event: Extract<WatchEvent, { kind: 'batch' }>): void {
    const { atTicks, isOpen, checkedBytes, budgetBytes } = event
    const index = this.#index(event.index, event.source, event.name)
    const ref: BatchRef = { index: event.index, startTicks: event.startTicks as Ticks, id: event.id }
    if (checkedBytes !== null || budgetBytes !== null) this.checked++
    if (checkedBytes !== null && budgetBytes === null && checkedBytes > INITIAL_BUDGET_BYTES) {
      const proof = proofOf(index, event, checkedBytes)
      if (proof !== null) this.#findUnrequested(index, ref, atTicks, checkedBytes, proof)
    }
    // History arrives index by index. An older batch does not change the state of a newer one.
    if (index.batch !== null && index.batch.ref.startTicks > event.startTicks) return
    index.batch = { ref, atTicks, isOpen, checkedBytes, budgetBytes }
    index.held = null
    if (budgetBytes !== null) index.grant = { atTicks, budgetBytes, batch: ref }
    if (!isOpen && budgetBytes !== null)
      index.released = {
        atTicks,
        fromBytes: Math.max(checkedBytes ?? 0, index.threadBytes ?? 0),
        others: this.#usesBeside(event.index),
      }
    if (isOpen) this.#checkPromises(atTicks)
  }

  #takeHeld(event: Extract<WatchEvent, { kind: 'held' }>): void {
    const { atTicks, allocatedBytes, budgetBytes } = event
    const index = this.#index(event.index, event.source, event.name)
    this.checked++
    index.held = { atTicks, allocatedBytes, budgetBytes }
    // While a batch runs, its budget may legitimately exceed its current use.
    if (index.batch?.isOpen === true) return
    const rightful = Math.max(INITIAL_BUDGET_BYTES, allocatedBytes + BUDGET_STEP_BYTES)
    const excess = budgetBytes - rightful
    if (excess > HELD_SLACK_BYTES) {
      const words = `${event.name} holds a budget of ${formatBytes(budgetBytes)} between batches and uses ${formatBytes(allocatedBytes)}: what it gave back was not taken off its budget.`
      this.#found('budget-held', index, event.index, atTicks, excess, words, {
        atTicks: atTicks as Ticks,
        index: event.index,
        batch: null,
        words: `${event.name}: budget ${formatBytes(budgetBytes)}, in use ${formatBytes(allocatedBytes)}.`,
        bytes: budgetBytes as Bytes,
      })
    }
    this.#checkPromises(atTicks)
  }

  #findUnrequested(index: Watched, ref: BatchRef, atTicks: number, checkedBytes: number, proof: string): void {
    const { grant } = index
    const older =
      grant === null || grant.batch.startTicks >= ref.startTicks
        ? ''
        : ` Its batch ${grant.batch.id} was granted ${formatBytes(grant.budgetBytes)} before.`
    const words = `${index.name} holds ${formatBytes(checkedBytes)} and asked for nothing, though every batch begins with ${formatBytes(INITIAL_BUDGET_BYTES)}: it lives on an older budget.${older}`
    this.#found('grew-unasked', index, ref.index, atTicks, checkedBytes - INITIAL_BUDGET_BYTES, words, {
      atTicks: atTicks as Ticks,
      index: ref.index,
      batch: ref,
      words: `${index.name}, batch ${ref.id}: ${formatBytes(checkedBytes)} allocated at the last check, no budget asked for, ${proof}.`,
      bytes: checkedBytes as Bytes,
    })
  }

  /**
   * Compares the available memory with granted budgets that are not used yet, those of running batches and those
   * reported as held.
   */
  #checkPromises(atTicks: number): void {
    const memory = this.#memory
    if (memory === null || Math.abs(atTicks - memory.atTicks) > MEMORY_FRESH_TICKS) return
    let promised = 0
    const holders: {
      readonly key: IndexKey
      readonly index: Watched
      readonly unused: number
      readonly budget: number
    }[] = []
    for (const [key, index] of this.#indexes) {
      const { batch, held } = index
      let unused = 0
      let budget = 0
      if (batch?.isOpen === true && batch.budgetBytes !== null && atTicks - batch.atTicks <= FRESH_TICKS) {
        budget = batch.budgetBytes
        // A grant leaves one step unused. Memory that the batch itself released while it continues may be more, and
        // belongs to it until it ends.
        unused = Math.min(BUDGET_STEP_BYTES, budget - Math.max(batch.checkedBytes ?? budget, index.threadBytes ?? 0))
      } else if (batch?.isOpen !== true && held !== null && atTicks - held.atTicks <= FRESH_TICKS) {
        budget = held.budgetBytes
        // The initial budget of a batch is not granted to a particular index.
        unused = budget <= INITIAL_BUDGET_BYTES ? 0 : budget - held.allocatedBytes
      }
      if (unused <= 0) continue
      promised += unused
      holders.push({ key, index, unused, budget })
    }
    const excess = promised - memory.availableBytes
    // A step that was just granted may not show in the measured memory yet.
    if (excess <= BUDGET_STEP_BYTES) return
    const sorted = holders.toSorted((a, b) => b.unused - a.unused)
    const [first] = sorted
    if (first === undefined) return
    const words = `${sorted.length} budgets leave room for ${formatBytes(promised)} more, and ${formatBytes(memory.availableBytes)} are available; the largest is that of ${first.index.name}.`
    const finding = this.#found('over-promised', first.index, first.key, atTicks, excess, words, {
      atTicks: memory.atTicks as Ticks,
      index: null,
      batch: null,
      words: `Available: ${formatBytes(memory.availableBytes)}.`,
      bytes: memory.availableBytes as Bytes,
    })
    if (finding.times > 1) return
    finding.indexes = sorted.map(({ key }) => key)
    finding.evidence = [
      ...finding.evidence,
      ...sorted.slice(0, MOST_EVIDENCE).map(({ key, index, unused, budget }) => ({
        atTicks: atTicks as Ticks,
        index: key,
        batch: index.batch?.ref ?? null,
        words: `${index.name}: budget ${formatBytes(budget)}, of which ${formatBytes(unused)} are not used yet.`,
        bytes: budget as Bytes,
      })),
    ]
  }

  #found(
    kind: FindingKind,
    index: Watched,
    key: IndexKey,
    atTicks: number,
    excessBytes: number,
    words: string,
    evidence: BudgetFinding['evidence'][number],
  ): Mutable<BudgetFinding> {
    const slot = kind === 'over-promised' ? `${kind} ${index.source}` : `${kind} ${key}`
    const open = this.#open.get(slot)
    if (open !== undefined && Math.abs(atTicks - open.lastTicks) <= EPISODE_TICKS) {
      open.times++
      open.lastTicks = Math.max(open.lastTicks, atTicks) as Ticks
      if (excessBytes > open.excessBytes) {
        open.excessBytes = excessBytes as Bytes
        open.words = words
      }
      if (atTicks < open.atTicks) open.atTicks = atTicks as Ticks
      if (open.evidence.length < MOST_EVIDENCE && kind !== 'over-promised') open.evidence = [...open.evidence, evidence]
      return open
    }
    const grewInto = this.#grewInto(key, index)
    const finding: Mutable<BudgetFinding> = {
      id: `${kind} ${key} ${atTicks}`,
      kind,
      source: index.source,
      atTicks: atTicks as Ticks,
      lastTicks: atTicks as Ticks,
      times: 1,
      indexes: [key],
      grewInto,
      excessBytes: excessBytes as Bytes,
      words,
      evidence: [...this.#history(key, index, atTicks, grewInto), evidence],
    }
    this.#open.set(slot, finding)
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding)
    return finding
  }

  /** Events that led to the finding: the grant, the release, and the indexes that grew into the space. */
  #history(
    key: IndexKey,
    { grant, released, threadBytes, name }: Watched,
    beforeTicks: number,
    grewInto: BudgetFinding['grewInto'],
  ): BudgetFinding['evidence'] {
    const evidence: Mutable<BudgetFinding['evidence'][number]>[] = []
    if (grant !== null && grant.atTicks < beforeTicks)
      evidence.push({
        atTicks: grant.atTicks as Ticks,
        index: key,
        batch: grant.batch,
        words: `${name}, batch ${grant.batch.id}: granted up to ${formatBytes(grant.budgetBytes)}.`,
        bytes: grant.budgetBytes as Bytes,
      })
    if (released !== null && released.atTicks < beforeTicks)
      evidence.push({
        atTicks: released.atTicks as Ticks,
        index: key,
        batch: null,
        words: `${name}: that batch ended with ${formatBytes(released.fromBytes)}${threadBytes === null ? '' : `, its thread was last seen with ${formatBytes(threadBytes)}`}.`,
        bytes: released.fromBytes as Bytes,
      })
    for (const { index, grewBytes } of grewInto.slice(0, 4))
      evidence.push({
        atTicks: beforeTicks as Ticks,
        index,
        batch: this.#indexes.get(index)?.batch?.ref ?? null,
        words: `${this.#indexes.get(index)?.name ?? index} grew by ${formatBytes(grewBytes)} meanwhile.`,
        bytes: grewBytes,
      })
    return evidence
  }

  #grewInto(key: IndexKey, { released }: Watched): BudgetFinding['grewInto'] {
    if (released === null) return []
    const now = this.#usesBeside(key)
    return Array.from(now, ([index, bytes]) => ({
      index,
      grewBytes: (bytes - (released.others.get(index) ?? 0)) as Bytes,
    }))
      .filter(({ grewBytes }) => grewBytes >= GROWTH_BYTES)
      .toSorted((a, b) => b.grewBytes - a.grewBytes)
      .slice(0, 8)
  }

  /**
   * Known memory use of every other index now: that of its thread, otherwise that of its open batch at the last check.
   */
  #usesBeside(key: IndexKey): ReadonlyMap<IndexKey, number> {
    const uses = new Map<IndexKey, number>()
    for (const [other, { threadBytes, batch }] of this.#indexes) {
      const bytes = threadBytes ?? (batch?.isOpen === true ? batch.checkedBytes : null)
      if (other !== key && bytes !== null) uses.set(other, bytes)
    }
    return uses
  }
}
