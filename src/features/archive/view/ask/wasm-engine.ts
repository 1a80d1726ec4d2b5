import duckUrl from 'rookery:duckdb'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { JOURNAL_MAGIC } from '../../../../capture/archive/journal.ts'
import { journalOf, type TableName } from '../../../../capture/archive/manifest.ts'
import { joinParts, type Part, readPart, unitsOf } from '../../../../capture/archive/parts.ts'
import { FileGone, readListAgain, type Recording, recordings } from '../../../../capture/archive/recordings.ts'
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
  /** Least number of known rows with which a plan was found to have too many, by its key. */
  readonly #tooLarge = new Map<string, number>()

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
      if (known > MOST_ROWS) continue
      // Until files go, it is too large again: without this each statement would load it in vain before the range.
      if (range === null && load.range !== null && known >= (this.#tooLarge.get(plan.key) ?? Number.POSITIVE_INFINITY))
        continue
      if (!(await this.#take(worker, tables, plan, load.report))) {
        this.#tooLarge.set(plan.key, known)
        continue
      }
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

  /**
   * Loads what the tables lack of a plan: all of it, or what came since. Returns false, and leaves none of them, if their
   * rows turn out to be too many.
   */
  async #take(
    worker: DuckWorker,
    tables: readonly TableName[],
    plan: Plan,
    report: (text: string) => void,
  ): Promise<boolean> {
    const steps = tables.map((table) => this.#stepOf(table, plan))
    const unread = steps.filter(({ loaded }) => loaded === null)
    const changed = steps.filter(({ pieces }) => pieces.length > 0)
    const cleared = unread.map(({ table }) => table)
    if (cleared.length > 0) {
      for (const table of cleared) this.#loaded.delete(table)
      await worker.order('clear', { tables: cleared })
      await this.#makeRoom(worker, tables, plan.rows)
    }
    const loading: Loading = {
      worker,
      rows: steps.reduce((sum, { loaded }) => sum + (loaded?.held ?? 0), 0),
      lacks: steps.flatMap(({ table, loaded, pieces }) => {
        const again = new Set(pieces.map(({ piece }) => piece.path))
        return (loaded?.lacks ?? []).flatMap((lack) => (again.has(lack.path) ? [] : [{ ...lack, table }]))
      }),
    }
    const read = new Map(steps.map(({ table, loaded }) => [table, new Map(loaded?.read)]))
    try {
      const orders = ordersOf(changed)
      const files = orders.filter(({ piece }) => piece.table !== null).length
      let file = 0
      for (const { piece, from, tables: wanted } of orders) {
        if (loading.rows > MOST_ROWS) break
        if (piece.table !== null) report(`Reading file ${String(++file)} of ${String(files)}`)
        const to = await piece.read(loading, wanted, from)
        for (const table of wanted) read.get(table)?.set(piece.id, to)
      }
    } catch (error) {
      await this.#drop(worker, changed)
      throw error
    }
    if (loading.rows > MOST_ROWS) {
      await this.#drop(worker, changed)
      return false
    }
    const shown = [...cleared, ...changed.flatMap(({ table, loaded }) => (loaded === null ? [] : [table]))]
    const counts = shown.length === 0 ? [] : await worker.order('show', { tables: shown, range: plan.range })
    for (const { table, rows, held } of counts)
      this.#loaded.set(table, {
        range: rangeKey(plan.range),
        read: read.get(table) ?? new Map(),
        rows,
        held,
        lacks: loading.lacks.filter((lack) => lack.table === null || lack.table === table),
      })
    // Tables that were used last are evicted last.
    for (const table of tables) {
      const loaded = this.#loaded.get(table)
      if (loaded === undefined) continue
      this.#loaded.delete(table)
      this.#loaded.set(table, loaded)
    }
    await this.#makeRoom(worker, tables, 0)
    return true
  }

  /** Finds what a table lacks of a plan. */
  #stepOf(table: TableName, plan: Plan): Step {
    const wanted = plan.pieces.filter((piece) => piece.table === null || piece.table === table)
    const loaded = this.#loaded.get(table)
    const sizes = new Map(wanted.map(({ id, bytes }) => [id, bytes]))
    const isBase =
      loaded?.range === rangeKey(plan.range) &&
      // A file that was missing may be there now.
      loaded.lacks.every(({ broken }) => broken !== null) &&
      Array.from(loaded.read).every(([id, to]) => (sizes.get(id) ?? -1) >= to)
    if (!isBase) return { table, loaded: null, pieces: wanted.map((piece) => ({ piece, from: 0 })) }
    const pieces = wanted.flatMap((piece) => {
      const from = loaded.read.get(piece.id) ?? 0
      return from < piece.bytes || !loaded.read.has(piece.id) ? [{ piece, from }] : []
    })
    return { table, loaded, pieces }
  }

  async #drop(worker: DuckWorker, steps: readonly Step[]): Promise<void> {
    const tables = steps.map(({ table }) => table)
    for (const table of tables) this.#loaded.delete(table)
    await worker.order('clear', { tables })
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
  readonly range: string
  /** Bytes that were read of each piece. */
  readonly read: ReadonlyMap<string, number>
  /** Rows that SQL sees. */
  readonly rows: number
  readonly held: number
  readonly lacks: readonly Lack[]
}

/** Pieces that a table lacks. */
interface Step {
  readonly table: TableName
  /** Rows that are in memory and stay; null: none. */
  readonly loaded: Loaded | null
  readonly pieces: readonly { readonly piece: Piece; readonly from: number }[]
}

const rangeKey = (range: TimeRange | null): string => JSON.stringify(range)

/** Pieces to read, in the order of the plan, those of several tables once for all of them. */
function ordersOf(steps: readonly Step[]) {
  const orders = new Map<string, { piece: Piece; from: number; tables: TableName[] }>()
  for (const { table, pieces } of steps)
    for (const { piece, from } of pieces) {
      const key = `${piece.id} ${String(from)}`
      const order = orders.get(key) ?? { piece, from, tables: [] }
      orders.set(key, order)
      order.tables.push(table)
    }
  return [...orders.values()]
}

/** File of a recording that is missing, or cannot be read to its end. */
interface Lack {
  /** Table that lacks its rows; null: any. */
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
  /** Rows so far, with those of other tables of the statement. Above the limit nothing more is read. */
  rows: number
  readonly lacks: Lack[]
}

/** Rows to be read for some tables. */
interface Plan {
  readonly range: TimeRange | null
  /** The same for recordings that grow. */
  readonly key: string
  /** Rows, without those of journals and of tables that are small. */
  readonly rows: number
  readonly pieces: readonly Piece[]
}

/** Part of a plan, which is read once, or from where it ended. */
interface Piece {
  /** Another one when its rows may be other ones. */
  readonly id: string
  readonly path: string
  /** Table of its rows; null: any. */
  readonly table: TableName | null
  /** Size of a journal, which grows; 0: it is read as a whole. */
  readonly bytes: number
  /** Reads the rows of some tables, from an offset, and returns that of the end. */
  readonly read: (loading: Loading, tables: readonly TableName[], from: number) => Promise<number>
}

/** Reads the lists of recordings again, since a recorder may write them, and the journals. Errors: `FileGone`. */
async function listedAgain(load: Load, isLast: boolean): Promise<ListedLoad> {
  const lacks: Lack[] = []
  const listed = load.recordings.map(async (recording): Promise<ListedRecording> => {
    await readListAgain(recording)
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
    key: [...tables.toSorted(), ...plans.map(({ key }) => key)].join(' '),
    rows: plans.reduce((sum, { rows }) => sum + rows, 0),
    pieces: plans.flatMap(({ pieces }) => pieces),
  }
}

/** Files of a recording, and its journals that are not in files yet. */
function recordingPlan(
  { name, manifest, kept, read }: ListedRecording,
  tables: readonly TableName[],
  range: TimeRange | null,
  { signal, isLast }: ListedLoad,
): Plan {
  const isIn = ({ minTicks, maxTicks }: Pick<Part, 'minTicks' | 'maxTicks'>): boolean =>
    range === null || (minTicks < range.endTicks && maxTicks >= range.startTicks)
  const parts = manifest.files
    .filter((file) => tables.includes(file.table) && isIn(file))
    .flatMap((file) => joinParts(unitsOf(file).filter(isIn)))
  return {
    range,
    key: name,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    pieces: [
      ...parts.map((part): Piece => {
        const { table, node, path } = part.file
        return {
          id: JSON.stringify([name, path, part.groups]),
          path,
          table,
          bytes: 0,
          read: async (loading) => {
            const blob = await readPart(part, read).catch(missing(isLast))
            signal.throwIfAborted()
            if (blob === null) loading.lacks.push({ table, path, broken: null })
            else loading.rows += await loading.worker.order('parquet', { table, node, blob, groups: part.groups })
            return 0
          },
        }
      }),
      ...kept.map(({ path, node, blob }): Piece => ({
        id: JSON.stringify([name, path]),
        path,
        table: null,
        bytes: blob.size,
        read: async (loading, wanted, from) => {
          const rest = from === 0 ? blob : new Blob([JOURNAL_MAGIC, blob.slice(from)])
          const order = { node, blob: rest, tables: wanted, most: MOST_ROWS - loading.rows }
          const { rows, goodBytes, broken } = await loading.worker.order('journals', order)
          loading.rows += rows
          if (broken !== null) loading.lacks.push(...wanted.map((table) => ({ table, path, broken })))
          return from === 0 ? goodBytes : from + Math.max(0, goodBytes - JOURNAL_MAGIC.length)
        },
      })),
    ],
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
  const id = JSON.stringify([ids, version, gaps.length])
  const read: Piece['read'] = async (loading, wanted) => {
    report('Reading what the page holds')
    const { pieces } = await beginExport(capture, 'archive.rows', { ...params, tables: wanted }, signal)
    const blobs: Blob[] = []
    for await (const { bytes } of pieces) blobs.push(new Blob([bytes]))
    const order = { node: null, blob: new Blob(blobs), tables: wanted, most: MOST_ROWS - loading.rows }
    loading.rows += (await loading.worker.order('journals', order)).rows
    return 0
  }
  return [{ range: within, key: JSON.stringify(ids), rows, pieces: [{ id, path: '', table: null, bytes: 0, read }] }]
}

/** Engine of this page, which stays until the page goes. */
export const wasmEngine = new WasmEngine()
