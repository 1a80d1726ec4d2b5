import { radixOrder } from '../../base/columns/radix-order.ts'
import { Pace } from './turns.ts'

/**
 * Minimum age, ms, at which an order is rebuilt for data that merely grew; also at least twenty times as long as
 * building it took.
 */
const KEEP_MS = 1000

/** Rows of a table in a half-open range. */
interface Slice {
  readonly from: number
  readonly to: number
}

/** Rows in order: the part of each, and its row in that part. A list of indexes, not copies of rows. */
export interface RowOrder<Part> {
  readonly parts: readonly Part[]
  readonly part: Uint32Array
  readonly row: Uint32Array
}

interface Job<Part> {
  readonly request: string
  readonly version: number
  readonly abort: AbortController
  readonly order: Promise<RowOrder<Part>>
  readonly madeMs: number
  ready: RowOrder<Part> | null
  tookMs: number
}

/** Keeps the newest order for requests of its windows, one after the other; another order replaces it. */
export class RowOrders<Part> {
  #job: Job<Part> | null = null

  /** `request` identifies what is ordered and how; `ready` is null while the order is being built. */
  of(
    request: string,
    version: number,
    make: (signal: AbortSignal) => Promise<RowOrder<Part>>,
  ): Pick<Job<Part>, 'order' | 'ready'> {
    const last = this.#job
    if (last !== null && last.request === request && (last.version === version || isFresh(last))) return last
    last?.abort.abort()
    const abort = new AbortController()
    const madeMs = performance.now()
    const job: Job<Part> = {
      request,
      version,
      abort,
      order: make(abort.signal),
      madeMs,
      ready: null,
      tookMs: Number.NaN,
    }
    this.#job = job
    job.order.then(
      (order) => {
        job.ready = order
        job.tookMs = performance.now() - madeMs
      },
      // Dropped for a newer request: the promise itself rejects for its callers.
      () => undefined,
    )
    return job
  }
}

/** Whether it is being built, or was built recently in relation to its cost. */
const isFresh = ({ tookMs, madeMs }: Job<unknown>): boolean =>
  Number.isNaN(tookMs) || performance.now() - madeMs < Math.max(KEEP_MS, 20 * tookMs)

/**
 * Orders the rows that `visit` takes by their keys; NaN is last in either direction. Works in slices of `sliceRows`,
 * between which other responses are sent.
 */
export async function makeRowOrder<Part extends Slice>(
  parts: readonly Part[],
  descending: boolean,
  sliceRows: number,
  signal: AbortSignal,
  visit: (slice: Part, at: number, take: (row: number, key: number) => void) => void,
): Promise<RowOrder<Part>> {
  const most = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const part = new Uint32Array(most)
  const row = new Uint32Array(most)
  const keys = new Float64Array(most)
  const sign = descending ? -1 : 1
  const pace = new Pace(signal)
  let length = 0
  for (const [i, each] of parts.entries()) {
    const take = (taken: number, key: number): void => {
      part[length] = i
      row[length] = taken
      keys[length] = sign * key
      length++
    }
    for (let at = each.from; at < each.to; at += sliceRows) {
      visit({ ...each, from: at, to: Math.min(each.to, at + sliceRows) }, i, take)
      await pace.step()
    }
  }
  const steps = radixOrder(keys, length)
  for (;;) {
    const step = steps.next()
    await pace.step()
    if (step.done === true) return { parts, part: pick(part, step.value), row: pick(row, step.value) }
  }
}

function pick(values: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) picked[i] = values[order[i] as number] as number
  return picked
}
