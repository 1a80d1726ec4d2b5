import duckUrl from 'rookery:duckdb'
import { hostOfServer } from '../../../../base/http/stand-alone.mjs'
import { formatCount } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { journalOf, type TableName } from '../../../../capture/archive/manifest.ts'
import { joinParts, type Part, readPart, unitsOf } from '../../../../capture/archive/parts.ts'
import { FileGone, readAgain, type Recording } from '../../../../capture/archive/recordings.ts'
import { placesOf } from '../../../../capture/archive/saved-capture.ts'
import { createOwnWorker } from '../../../../capture/client/own-worker.ts'
import { beginExport } from '../../../../capture/exporting/read-export.ts'
import type { Asked } from '../asked.ts'
import workerUrl from './ask.worker.ts?worker&url'
import type { AskEngine, AskOrder, OpenData } from './engine.ts'
import type { DuckOrderName, DuckOrders, DuckReply } from './protocol.ts'
import { SQL_TABLES, sqlName } from './sql-tables.ts'
import type {} from '../../contract.ts'

/** Rows of all tables of a statement that are loaded at most: some 250 bytes each in the engine. */
const MOST_ROWS = 2_000_000
const LONGEST_MS = 60_000

/** Sends orders to a worker and awaits their replies. */
class DuckWorker {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  #lastId = 0

  constructor(worker: Worker) {
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<DuckReply>) => {
      const waiting = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if ('error' in data) waiting?.reject(new Error(data.error))
      else waiting?.resolve(data.result as never)
    })
    worker.addEventListener('error', ({ message }) => this.end(new Error(`The engine failed: ${message}`)))
  }

  order<Name extends DuckOrderName>(
    name: Name,
    params: DuckOrders[Name]['params'],
  ): Promise<DuckOrders[Name]['result']> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, name, params })
    })
  }

  /** Stops whatever runs: the engine itself cannot be interrupted. */
  end(error: Error): void {
    this.#worker.terminate()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** DuckDB in a worker of the page, with the tables that a statement names. */
export class WasmEngine implements AskEngine {
  readonly tables = SQL_TABLES
  #module: WebAssembly.Module | null = null
  #worker: Promise<DuckWorker> | null = null
  /** Key of the plan by which each table was loaded. */
  readonly #loaded = new Map<TableName, string>()

  /** Loads the engine. Errors: `Error`. */
  start(): Promise<DuckWorker> {
    this.#worker ??= this.#startNow()
    this.#worker.catch(() => (this.#worker = null))
    return this.#worker
  }

  async #startNow(): Promise<DuckWorker> {
    this.#loaded.clear()
    const worker = new DuckWorker(createOwnWorker(workerUrl, 'ask'))
    const url = new URL(duckUrl, location.href).href
    this.#module = await worker.order('start', { url, module: this.#module })
    return worker
  }

  async ask({ sql, signal, report }: AskOrder, open: OpenData): Promise<Asked> {
    const worker = await this.start()
    signal.throwIfAborted()
    const stop = (): void => this.#stop(worker, signal.reason as Error)
    signal.addEventListener('abort', stop)
    try {
      const tables = await worker.order('tables', { sql })
      const taken = await this.#load(worker, tables, { ...open, signal, report })
      report('Running')
      const timer = setTimeout(
        () => this.#stop(worker, new Error(`It took more than ${String(LONGEST_MS / 1000)} s, and was stopped.`)),
        LONGEST_MS,
      )
      try {
        return { ...(await worker.order('run', { sql })), taken }
      } finally {
        clearTimeout(timer)
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #stop(worker: DuckWorker, error: Error): void {
    worker.end(error)
    this.#worker = null
  }

  /** Loads what the tables lack, and says in words what they have. */
  async #load(worker: DuckWorker, tables: readonly TableName[], load: Load): Promise<string> {
    if (tables.length === 0) return ''
    const all = await planOf(tables, null, load)
    const isAll = all.rows <= MOST_ROWS
    const plan = isAll || load.range === null ? all : await planOf(tables, load.range, load)
    if (plan.rows > MOST_ROWS)
      throw new Error(
        `${tables.map(sqlName).join(', ')}: ${formatCount(plan.rows)} rows, and at most ${formatCount(MOST_ROWS)} are loaded. Choose a shorter range, on Timeline or in the calendar, or use “npx rookery open FOLDER”.`,
      )
    const wanted = tables.filter((table) => this.#loaded.get(table) !== plan.key)
    if (wanted.length > 0) {
      for (const table of wanted) this.#loaded.delete(table)
      await worker.order('clear', { tables: wanted })
      try {
        await plan.read(worker, wanted)
      } catch (error) {
        if (error instanceof FileGone) {
          await Promise.all(load.recordings.map(readAgain))
          throw new Error('The recorder has replaced a file meanwhile. Run it again.', { cause: error })
        }
        throw error
      }
      await worker.order('show', { tables: wanted, range: plan.range })
      for (const table of wanted) this.#loaded.set(table, plan.key)
    }
    const count = `${formatCount(plan.rows)} rows of ${tables.map(sqlName).join(', ')}`
    return isAll ? count : `${count} in the range of the page`
  }
}

interface Load extends OpenData {
  readonly signal: AbortSignal
  readonly report: (text: string) => void
}

/** Rows to be read for some tables. */
interface Plan {
  readonly range: TimeRange | null
  /** Differs when the rows may. */
  readonly key: string
  readonly rows: number
  readonly read: (worker: DuckWorker, wanted: readonly TableName[]) => Promise<void>
}

async function planOf(tables: readonly TableName[], range: TimeRange | null, load: Load): Promise<Plan> {
  const plans = [
    ...load.recordings.map((recording) => recordingPlan(recording, tables, range, load)),
    ...(await capturePlan(tables, range, load)),
  ]
  return {
    range,
    key: plans.map(({ key }) => key).join(' '),
    rows: plans.reduce((sum, { rows }) => sum + rows, 0),
    read: async (worker, wanted) => {
      for (const { read } of plans) await read(worker, wanted)
    },
  }
}

/** Files of a recording, and its journals that are not in files yet. */
function recordingPlan(
  { name, manifest, journals, read }: Recording,
  tables: readonly TableName[],
  range: TimeRange | null,
  { signal, report }: Load,
): Plan {
  const isIn = ({ minTicks, maxTicks }: Pick<Part, 'minTicks' | 'maxTicks'>): boolean =>
    range === null || (minTicks < range.endTicks && maxTicks >= range.startTicks)
  const partsOf = (wanted: readonly TableName[]): Part[] =>
    manifest.files
      .filter((file) => wanted.includes(file.table) && isIn(file))
      .flatMap((file) => joinParts(unitsOf(file).filter(isIn)))
  const oldest = new Map(manifest.nodes.map((node) => [node.name, node.journal]))
  const kept = journals.flatMap((path) => {
    const place = journalOf(path)
    return place !== null && place.number >= (oldest.get(place.node) ?? 0) ? [{ path, node: place.node }] : []
  })
  return {
    range,
    key: JSON.stringify([name, range, manifest.files.map(({ path }) => path), kept]),
    rows: partsOf(tables).reduce((sum, { rows }) => sum + rows, 0),
    read: async (worker, wanted) => {
      const parts = partsOf(wanted)
      for (const [at, part] of parts.entries()) {
        report(`Reading file ${String(at + 1)} of ${String(parts.length)}`)
        const blob = await readPart(part, read)
        signal.throwIfAborted()
        const { table, node } = part.file
        await worker.order('parquet', { table, node, blob, groups: part.groups })
      }
      for (const { path, node } of kept)
        await worker.order('journals', { node, blob: await read(path), tables: wanted })
    },
  }
}

/** Rows that the page holds of sources that are not of a recording. */
async function capturePlan(
  tables: readonly TableName[],
  within: TimeRange | null,
  { capture, recordings, signal, report }: Load,
): Promise<Plan[]> {
  const { sources, gaps, version, extent, nowTicks, server } = capture.getState()
  const ids = sources.flatMap(({ id }) => (recordings.some(({ name }) => id.startsWith(`file:${name}/`)) ? [] : [id]))
  if (ids.length === 0) return []
  const places = placesOf(ids, hostOfServer(server?.url ?? location.origin))
  const endTicks = nowTicks ?? extent?.endTicks
  const range = {
    startTicks: extent?.startTicks ?? endTicks ?? 0,
    endTicks: Math.max(endTicks ?? 0, extent?.endTicks ?? 0),
  } as TimeRange
  const params = { places, gaps: gaps.filter(({ source }) => ids.includes(source)), range, within }
  const { rows } = await capture.request('archive.counted', { places, range, within, tables }, signal)
  return [
    {
      range: within,
      key: JSON.stringify([ids, within, version, gaps.length]),
      rows,
      read: async (worker, wanted) => {
        report('Reading what the page holds')
        const { pieces } = await beginExport(capture, 'archive.rows', { ...params, tables: wanted }, signal)
        const blobs: Blob[] = []
        for await (const { bytes } of pieces) blobs.push(new Blob([bytes]))
        await worker.order('journals', { node: null, blob: new Blob(blobs), tables: wanted })
      },
    },
  ]
}

/** Engine of this page, which stays until the page goes. */
export const wasmEngine = new WasmEngine()
