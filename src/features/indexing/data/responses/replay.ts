import type { Bytes } from '../../../../base/brand.ts'
import { formatBytes } from '../../../../base/text/format.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { BudgetLog } from '../budget-log.ts'
import { BUDGET_STEP_BYTES } from '../limits.ts'
import type { MemoryLog } from '../memory-log.ts'
import type { IndexKey } from '../../contract/batches.ts'
import type { BudgetStep } from '../../contract/budgets.ts'
import type { BudgetModel, IndexingReplayResponse, IndexingReplayParams, ReplayStep } from '../../contract/replay.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import { REPLAY_WINDOW } from '../../contract/replay.ts'
import type { BatchStore } from '../table.ts'
import { partsOf, reachingInto } from './parts.ts'
import { stepsOfBatch } from './steps.ts'

/** Fifteen times what six indexes negotiate in nine hours; some 40 MB while they are replayed. */
const MOST_STEPS = 250_000
const MOST_SUMS = 300
const SLICE_ROWS = 2048

const LABEL =
  'A model: the recorded requests for memory, answered by the rule with these figures. What batches would have asked for after a different answer was never recorded, so it is not in it.'

/**
 * Replays the recorded negotiation step by step, with the grants of the rule under other constants. Mirrors the rule of
 * `Raven.Server/Documents/Indexes/Index.cs`: use + step is granted while enough stays available, else the batch ends.
 */
export async function replayResponse(
  store: BatchStore,
  budgets: BudgetLog,
  memory: MemoryLog,
  params: IndexingReplayParams,
  signal: AbortSignal,
): Promise<IndexingReplayResponse> {
  const pace = new Pace(signal)
  const { recorded, left } = await stepsIn(store, budgets, params, pace)
  const replay = new Replay(params.model)
  const from = Math.max(0, Math.min(params.from, recorded.length - 1))
  const perSum = Math.max(1, Math.ceil(recorded.length / MOST_SUMS))
  const recordedSums = new Float64Array(Math.ceil(recorded.length / perSum))
  const modelSums = new Float64Array(recordedSums.length)
  const steps: ReplayStep[] = []
  let recordedRefusals = 0
  let modelRefusals = 0
  for (const [at, step] of recorded.entries()) {
    const sample = memory.nearest(step.atTicks)
    const available = sample === -1 ? Number.NaN : (memory.columns.availableForProcessingBytes[sample] as number)
    const reported = replay.step(step, Number.isNaN(available) ? null : available)
    if (step.kind === 'refusal') recordedRefusals++
    if (reported.model === 'refuse') modelRefusals++
    const part = Math.floor(at / perSum)
    recordedSums[part] = Math.max(recordedSums[part] as number, reported.budgetSumBytes)
    modelSums[part] = Math.max(modelSums[part] as number, reported.modelSumBytes)
    if (at >= from && steps.length < REPLAY_WINDOW) steps.push(reported)
    if (at % SLICE_ROWS === SLICE_ROWS - 1) await pace.step()
  }
  return {
    total: recorded.length,
    stepsLeft: left,
    from,
    steps,
    recordedSums,
    modelSums,
    recordedPeakBytes: replay.recordedPeak as Bytes,
    modelPeakBytes: replay.modelPeak as Bytes,
    recordedRefusals,
    modelRefusals,
    label: LABEL,
  }
}

async function stepsIn(
  store: BatchStore,
  budgets: BudgetLog,
  params: IndexingReplayParams,
  pace: Pace,
): Promise<{ readonly recorded: readonly BudgetStep[]; readonly left: number }> {
  let steps: BudgetStep[] = []
  let left = 0
  const keepEarliest = (): void => {
    left += Math.max(0, steps.length - MOST_STEPS)
    steps = steps.toSorted(inOrder).slice(0, MOST_STEPS)
  }
  for (const { index, kind, events, from, to } of partsOf(store, { ...params, filter: NO_FILTER })) {
    const take = (row: number): void => {
      for (const step of stepsOfBatch(store, budgets.of(index.key), index, { kind, events, row }))
        if (step.atTicks >= params.startTicks && step.atTicks < params.endTicks) steps.push(step)
    }
    for (const row of reachingInto(events, params.startTicks)) take(row)
    for (let row = from; row < to; row++) {
      take(row)
      if (steps.length > 2 * MOST_STEPS) keepEarliest()
      if ((row - from) % SLICE_ROWS === SLICE_ROWS - 1) await pace.step()
    }
  }
  keepEarliest()
  return { recorded: steps, left }
}

/** Order of steps: at one moment, budgets are given back before others are granted. */
const inOrder = (a: BudgetStep, b: BudgetStep): number =>
  a.atTicks - b.atTicks || Number(a.kind === 'grant') - Number(b.kind === 'grant')

class Replay {
  readonly #model: BudgetModel
  readonly #recorded = new Map<IndexKey, number>()
  readonly #modelled = new Map<IndexKey, number>()
  recordedPeak = 0
  modelPeak = 0

  constructor(model: BudgetModel) {
    this.#model = model
  }

  step(recorded: BudgetStep, availableBytes: number | null): ReplayStep {
    const { index, kind, toBytes } = recorded
    const before = this.#modelled.get(index) ?? this.#model.initialBytes
    if (kind === 'grant' && toBytes !== null) this.#recorded.set(index, toBytes)
    else this.#recorded.delete(index)
    const response = kind === 'grant' || kind === 'refusal' ? this.#response(recorded, before, availableBytes) : ENDED
    if (response.model === 'grant') this.#modelled.set(index, response.budget)
    else if (response.model !== 'unknown') this.#modelled.delete(index)
    const recordedSum = sum(this.#recorded)
    const modelSum = sum(this.#modelled)
    this.recordedPeak = Math.max(this.recordedPeak, recordedSum)
    this.modelPeak = Math.max(this.modelPeak, modelSum)
    return {
      recorded,
      availableBytes: availableBytes as Bytes | null,
      budgetSumBytes: recordedSum as Bytes,
      model: response.model,
      modelBudgetBytes: (this.#modelled.get(index) ?? null) as Bytes | null,
      modelSumBytes: modelSum as Bytes,
      words: response.words,
    }
  }

  /** Applies the rule. Use at the time of the request is the granted budget less the server's own step, where that is known. */
  #response(
    { allocatedBytes, toBytes }: BudgetStep,
    before: number,
    available: number | null,
  ): { readonly model: ReplayStep['model']; readonly budget: number; readonly words: string } {
    const { stepBytes, ceilingBytes, reserveBytes } = this.#model
    const inUse = toBytes === null ? allocatedBytes : toBytes - BUDGET_STEP_BYTES
    if (inUse === null) return { model: 'unknown', budget: before, words: 'What was in use is not recorded.' }
    if (inUse <= before)
      return {
        model: 'grant',
        budget: before,
        words: `${formatBytes(inUse)} in use fit into ${formatBytes(before)}: nothing to ask for.`,
      }
    const wanted = inUse + stepBytes
    const asked = `${formatBytes(inUse)} in use, + ${formatBytes(stepBytes)} = ${formatBytes(wanted)}`
    if (ceilingBytes !== null && wanted > ceilingBytes)
      return { model: 'refuse', budget: before, words: `${asked}: above the ceiling of ${formatBytes(ceilingBytes)}.` }
    if (available === null)
      return reserveBytes > 0
        ? { model: 'unknown', budget: before, words: `${asked}; what was available then is unknown.` }
        : { model: 'grant', budget: wanted, words: `${asked}; no reserve is asked for.` }
    const rest = available - stepBytes
    return rest >= reserveBytes
      ? { model: 'grant', budget: wanted, words: `${asked}; ${formatBytes(rest)} stay available.` }
      : {
          model: 'refuse',
          budget: before,
          words: `${asked}; only ${formatBytes(Math.max(0, rest))} would stay available of the ${formatBytes(reserveBytes)} in reserve.`,
        }
  }
}

const ENDED = { model: 'end', budget: 0, words: 'The batch ended; its budget is given back.' } as const

const sum = (budgets: ReadonlyMap<IndexKey, number>): number =>
  [...budgets.values()].reduce((all, each) => all + each, 0)
