import duckUrl from 'rookery:duckdb'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { journalOf, type TableName } from '../../../../capture/archive/manifest.ts'
import { joinParts, type Part, readPart, unitsOf } from '../../../../capture/archive/parts.ts'
import { FileGone, readAgain, type Recording, recordings } from '../../../../capture/archive/recordings.ts'
import { createOwnWorker } from '../../../../capture/client/own-worker.ts'
import { beginExport } from '../../../../capture/exporting/read-export.ts'
import type { Asked } from '../asked.ts'
import { placesBeside } from '../row-place.ts'
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
  readonly #onEnd: () => void
  #lastId = 0
  /** Why no order is carried out; null: orders are. */
  #ended: Error | null = null

  constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker
    this.#onEnd = onEnd
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
      if (this.#ended !== null) {
        reject(this.#ended)
        return
      }
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, name, params })
    })
  }

  /** Stops whatever runs: the engine itself cannot be interrupted. */
  end(error: Error): void {
    this.#ended ??= error
    this.#worker.terminate()
    this.#onEnd()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** DuckDB in a worker of the page, with the tables that a statement names. */
export class WasmEngine implements AskEngine {
  readonly tables = SQL_TABLES
  #module: WebAssembly.Module | null = null
  #worker: Promise<DuckWorker> | null = null
  /** Tables in memory, those that were used last at the end. */
  readonly #loaded = new Map<TableName, Loaded>()

  /** Loads the engine. Errors: `Error`. */
  start(): Promise<DuckWorker> {
    if (this.#worker !== null) return this.#worker
    const started = this.#startNow(() => {
      if (this.#worker === started) this.#worker = null
    })
    this.#worker = started
    // A worker that the browser refuses never ends.
    started.catch(() => {
      if (this.#worker === started) this.#worker = null
    })
    return started
  }

  async #startNow(onEnd: () => void): Promise<DuckWorker> {
    this.#loaded.clear()
    const worker = new DuckWorker(createOwnWorker(workerUrl, 'ask'), onEnd)
    const url = new URL(duckUrl, location.href).href
    try {
      this.#module = await worker.order('start', { url, module: this.#module })
    } catch (error) {
      worker.end(error as Error)
      throw error
    }
    return worker
  }

  async ask({ sql, signal, report }: AskOrder, open: OpenData): Promise<Asked> {
    const worker = await this.start()
    signal.throwIfAborted()
    const stop = (): void => worker.end(signal.reason as Error)
    signal.addEventListener('abort', stop)
    try {
      const tables = await worker.order('tables', { sql })
      const loaded = await this.#load(worker, tables, { ...open, signal, report })
      report('Running')
      const timer = setTimeout(
        () => worker.end(new Error(`It took more than ${String(LONGEST_MS / 1000)} s, and was stopped.`)),
        LONGEST_MS,
      )
      try {
        return { ...(await worker.order('run', { sql })), ...loaded }
      } finally {
        clearTimeout(timer)
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Loads what the tables lack, and says in words what they have. */
  async #load(worker: DuckWorker, tables: readonly TableName[], load: Load): Promise<Taken> {
    if (tables.length === 0) return { taken: '', lack: '' }
    for (let isLast = false; ; isLast = true)
      try {
        return await this.#loadListed(worker, tables, await listedAgain(load, isLast))
      } catch (error) {
        // The recorder has replaced a file since the list was read.
        if (isLast || !(error instanceof FileGone)) throw error
      }
  }

  async #loadListed(worker: DuckWorker, tables: readonly TableName[], load: ListedLoad): Promise<Taken> {
    let known = 0
    for (const range of load.range === null ? [null] : [null, load.range]) {
      const plan = await planOf(tables, range, load)
      known = plan.rows
      if (known > MOST_ROWS || !(await this.#take(worker, tables, plan))) continue
      const loaded = tables.flatMap((table) => this.#loaded.get(table) ?? [])
      const rows = loaded.reduce((sum, each) => sum + each.rows, 0)
      const count = `${formatCount(rows)} rows of ${tables.map(sqlName).join(', ')}`
      return {
        taken: range === null ? count : `${count} in the range of the page`,
        lack: wordsOf([...load.lacks, ...loaded.flatMap(({ lacks }) => lacks)]),
      }
    }
    throw new Error(
      `${tables.map(sqlName).join(', ')}: ${known > MOST_ROWS ? '' : 'more than '}${formatCount(Math.max(known, MOST_ROWS))} rows, and at most ${formatCount(MOST_ROWS)} are loaded. Choose a shorter range, on Timeline or in the calendar, or use “npx rookery open FOLDER”.`,
    )
  }

  /** Loads the tables as planned. Returns false, and leaves none of them, if their rows turn out to be too many. */
  async #take(worker: DuckWorker, tables: readonly TableName[], plan: Plan): Promise<boolean> {
    const wanted = tables.filter((table) => {
      const loaded = this.#loaded.get(table)
      // A file that was missing may be there now.
      return loaded?.key !== plan.key || loaded.lacks.some(({ broken }) => broken === null)
    })
    const same = tables.flatMap((table) => (wanted.includes(table) ? [] : [[table, this.#loaded.get(table)] as const]))
    if (wanted.length > 0) {
      for (const table of wanted) this.#loaded.delete(table)
      await worker.order('clear', { tables: wanted })
      await this.#makeRoom(worker, tables, plan.rows)
      const loading: Loading = {
        worker,
        wanted,
        rows: same.reduce((sum, [, loaded]) => sum + (loaded?.held ?? 0), 0),
        lacks: [],
      }
      try {
        await plan.read(loading)
      } catch (error) {
        await worker.order('clear', { tables: wanted })
        throw error
      }
      if (loading.rows > MOST_ROWS) {
        await worker.order('clear', { tables: wanted })
        return false
      }
      for (const { table, rows, held } of await worker.order('show', { tables: wanted, range: plan.range }))
        this.#loaded.set(table, {
          key: plan.key,
          rows,
          held,
          lacks: loading.lacks.filter((lack) => lack.table === null || lack.table === table),
        })
    }
    // Tables that were used last are evicted last.
    for (const [table, loaded] of same)
      if (loaded !== undefined) {
        this.#loaded.delete(table)
        this.#loaded.set(table, loaded)
      }
    await this.#makeRoom(worker, tables, 0)
    return true
  }

  /** Evicts other tables, those first that were not used for longest, until all rows and some more are within the limit. */
  async #makeRoom(worker: DuckWorker, tables: readonly TableName[], more: number): Promise<void> {
    let sum = [...this.#loaded.values()].reduce((held, loaded) => held + loaded.held, more)
    const evicted: TableName[] = []
    for (const [table, { held }] of this.#loaded) {
      if (sum <= MOST_ROWS) break
      if (tables.includes(table)) continue
      this.#loaded.delete(table)
      evicted.push(table)
      sum -= held
    }
    if (evicted.length > 0) await worker.order('clear', { tables: evicted })
  }
}

interface Loaded {
  /** Key of the plan by which it was loaded. */
  readonly key: string
  /** Rows that SQL sees. */
  readonly rows: number
  readonly held: number
  readonly lacks: readonly Lack[]
}

/** File of a recording that is missing, or cannot be read to its end. */
interface Lack {
  /** Table of its rows; null: any. */
  readonly table: TableName | null
  readonly path: string
  /** Sentences on what of it is not read; null: it is missing. */
  readonly broken: string | null
}

type Taken = Required<Pick<Asked, 'taken' | 'lack'>>

interface Load extends OpenData {
  readonly signal: AbortSignal
  readonly report: (text: string) => void
}

interface ListedLoad extends Omit<Load, 'recordings'> {
  readonly recordings: readonly ListedRecording[]
  readonly lacks: readonly Lack[]
  /** Whether a file that is gone counts as missing. */
  readonly isLast: boolean
}

/** Recording with its newest list, and journals that are not in files yet. */
interface ListedRecording extends Recording {
  readonly kept: readonly { readonly path: string; readonly node: string; readonly blob: Blob }[]
}

/** Progress of the loading of some tables. */
interface Loading {
  readonly worker: DuckWorker
  readonly wanted: readonly TableName[]
  /** Rows so far, with those of other tables of the statement. Above the limit nothing more is read. */
  rows: number
  readonly lacks: Lack[]
}

/** Rows to be read for some tables. */
interface Plan {
  readonly range: TimeRange | null
  /** Differs when the rows may. */
  readonly key: string
  /** Rows, without those of journals and of tables that are small. */
  readonly rows: number
  readonly read: (loading: Loading) => Promise<void>
}

/** Reads the lists of recordings again, since a recorder may write them, and the journals. Errors: `FileGone`. */
async function listedAgain(load: Load, isLast: boolean): Promise<ListedLoad> {
  const lacks: Lack[] = []
  const listed = load.recordings.map(async (recording): Promise<ListedRecording> => {
    await readAgain(recording)
    const newest = recordings.get().find(({ name }) => name === recording.name) ?? recording
    const oldest = new Map(newest.manifest.nodes.map((node) => [node.name, node.journal]))
    const kept: { path: string; node: string; blob: Blob }[] = []
    for (const path of newest.journals) {
      const place = journalOf(path)
      if (place === null || place.number < (oldest.get(place.node) ?? 0)) continue
      const blob = await newest.read(path).catch(missing(isLast))
      if (blob === null) lacks.push({ table: null, path, broken: null })
      else kept.push({ path, node: place.node, blob })
    }
    return { ...newest, kept }
  })
  return { ...load, recordings: await Promise.all(listed), lacks, isLast }
}

/** Handles the failure to read a file: null if it is missing, else the error is thrown. */
const missing =
  (isLast: boolean) =>
  (error: unknown): null => {
    const isMissing = error instanceof Error && error.name === 'FileMissing'
    if (isMissing || (isLast && error instanceof FileGone)) return null
    throw error
  }

function wordsOf(lacks: readonly Lack[]): string {
  const absent = [...new Set(lacks.flatMap(({ path, broken }) => (broken === null ? [path] : [])))]
  const [first] = absent
  const others = absent.length > 1 ? `, and ${formatPlural(absent.length - 1, 'more file')} of its list` : ''
  const broken = new Set(lacks.flatMap((lack) => (lack.broken === null ? [] : [`${lack.path}: ${lack.broken}`])))
  return [...(first === undefined ? [] : [`The folder lacks ${first}${others}.`]), ...broken].join(' ')
}

async function planOf(tables: readonly TableName[], range: TimeRange | null, load: ListedLoad): Promise<Plan> {
  const plans = [
    ...load.recordings.map((recording) => recordingPlan(recording, tables, range, load)),
    ...(await capturePlan(tables, range, load)),
  ]
  return {
    range,
    key: plans.map(({ key }) => key).join(' '),
    rows: plans.reduce((sum, { rows }) => sum + rows, 0),
    read: async (loading) => {
      for (const { read } of plans) await read(loading)
    },
  }
}

/** Files of a recording, and its journals that are not in files yet. */
function recordingPlan(
  { name, manifest, kept, read }: ListedRecording,
  tables: readonly TableName[],
  range: TimeRange | null,
  { signal, report, isLast }: ListedLoad,
): Plan {
  const isIn = ({ minTicks, maxTicks }: Pick<Part, 'minTicks' | 'maxTicks'>): boolean =>
    range === null || (minTicks < range.endTicks && maxTicks >= range.startTicks)
  const partsOf = (wanted: readonly TableName[]): Part[] =>
    manifest.files
      .filter((file) => wanted.includes(file.table) && isIn(file))
      .flatMap((file) => joinParts(unitsOf(file).filter(isIn)))
  return {
    range,
    key: JSON.stringify([
      name,
      range,
      manifest.files.map(({ path }) => path),
      kept.map(({ path, blob }) => [path, blob.size]),
    ]),
    rows: partsOf(tables).reduce((sum, { rows }) => sum + rows, 0),
    read: async (loading) => {
      const { worker, wanted, lacks } = loading
      const parts = partsOf(wanted)
      for (const [at, part] of parts.entries()) {
        if (loading.rows > MOST_ROWS) return
        report(`Reading file ${String(at + 1)} of ${String(parts.length)}`)
        const { table, node, path } = part.file
        const blob = await readPart(part, read).catch(missing(isLast))
        signal.throwIfAborted()
        if (blob === null) lacks.push({ table, path, broken: null })
        else loading.rows += await worker.order('parquet', { table, node, blob, groups: part.groups })
      }
      for (const { path, node, blob } of kept) {
        if (loading.rows > MOST_ROWS) return
        const most = MOST_ROWS - loading.rows
        const { rows, broken } = await worker.order('journals', { node, blob, tables: wanted, most })
        loading.rows += rows
        if (broken !== null) lacks.push({ table: null, path, broken })
      }
    },
  }
}

/** Rows that the page holds of sources that are not of a recording. */
async function capturePlan(
  tables: readonly TableName[],
  within: TimeRange | null,
  { capture, recordings, signal, report }: ListedLoad,
): Promise<Plan[]> {
  const state = capture.getState()
  const { gaps, version, extent, nowTicks } = state
  const places = placesBeside(recordings, state)
  const ids = places.map(({ source }) => source)
  if (ids.length === 0) return []
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
      read: async (loading) => {
        const { worker, wanted } = loading
        report('Reading what the page holds')
        const { pieces } = await beginExport(capture, 'archive.rows', { ...params, tables: wanted }, signal)
        const blobs: Blob[] = []
        for await (const { bytes } of pieces) blobs.push(new Blob([bytes]))
        const most = MOST_ROWS - loading.rows
        const order = { node: null, blob: new Blob(blobs), tables: wanted, most }
        loading.rows += (await worker.order('journals', order)).rows
      },
    },
  ]
}

/** Engine of this page, which stays until the page goes. */
export const wasmEngine = new WasmEngine()
