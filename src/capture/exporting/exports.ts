import { turn } from '../worker/turns.ts'
import type {
  ExportBeginParams,
  ExportBegun,
  Exporters,
  ExportId,
  ExportPiece,
  ExportSteps,
  RequestingSteps,
} from './exporter.ts'
import type { Handlers } from '../worker/handlers.ts'
import { Pieces } from './pieces.ts'

/** Time, ms, after which the worker handles other messages. */
const TURN_MS = 12

interface Open {
  readonly steps: ExportSteps | RequestingSteps
  readonly out: Pieces
  rows: number
  done: boolean
  note: string | null
}

/**
 * Running exports in the worker. A piece is made only on request, so that a slow consumer slows down the export, and
 * only one piece is in memory.
 */
export class Exports {
  readonly #exporters: () => Partial<Exporters> | Promise<Partial<Exporters>>
  readonly #now: () => number
  readonly #open = new Map<number, Open>()
  readonly #given = new Set<number>()

  constructor(
    exporters: () => Partial<Exporters> | Promise<Partial<Exporters>>,
    now: () => number = () => performance.now(),
  ) {
    this.#exporters = exporters
    this.#now = now
  }

  readonly responses = {
    'host.export.begin': (params) => this.begin(params),
    'host.export.next': ({ id }) => this.next(id),
    'host.export.cancel': ({ id }) => this.cancel(id),
  } satisfies Partial<Handlers>

  async begin<Id extends ExportId>({ id, exporter, params }: ExportBeginParams<Id>): Promise<ExportBegun> {
    const exporters: Partial<Exporters<Id>> = await this.#exporters()
    const makePlan = exporters[exporter]
    if (makePlan === undefined) throw new Error(`Nothing exports ${exporter}.`)
    const plan = await makePlan(params)
    const out = new Pieces()
    if (!this.#given.delete(id)) this.#open.set(id, { steps: plan.steps(out), out, rows: 0, done: false, note: null })
    return { rows: plan.rows, contents: plan.contents ?? null }
  }

  /** The next piece, full unless it is the last one; then the export is removed. */
  async next(id: number): Promise<ExportPiece> {
    let since = this.#now()
    for (;;) {
      // Checked after each turn: it may have been cancelled.
      const open = this.#open.get(id)
      if (open === undefined) throw new Error('This export is over.')
      if (open.out.hasPiece || open.done) return this.#take(id, open)
      try {
        const waits = this.#step(open)
        // Tables are read without a wait between two rows.
        if (waits !== null) await waits
      } catch (error) {
        this.#open.delete(id)
        throw error
      }
      if (this.#now() - since < TURN_MS) continue
      await turn()
      since = this.#now()
    }
  }

  /** Removes an export, whether it has begun or not. */
  cancel(id: number): null {
    const open = this.#open.get(id)
    // Ends pending requests of the export.
    if (open !== undefined && Symbol.asyncIterator in open.steps) open.steps.return(null).catch(() => undefined)
    if (!this.#open.delete(id)) this.#given.add(id)
    return null
  }

  #step(open: Open): Promise<void> | null {
    const take = (step: IteratorResult<number, unknown>): void => {
      if (step.done !== true) open.rows = step.value
      else {
        open.done = true
        open.note = typeof step.value === 'string' ? step.value : null
      }
    }
    const next = open.steps.next()
    if (next instanceof Promise) return next.then(take)
    take(next)
    return null
  }

  #take(id: number, open: Open): ExportPiece {
    const bytes = (open.done ? open.out.finish() : open.out.take()) ?? new Uint8Array()
    const last = open.done && !open.out.hasPiece
    if (last) this.#open.delete(id)
    return { bytes, rows: open.rows, last, note: last ? open.note : null }
  }
}
