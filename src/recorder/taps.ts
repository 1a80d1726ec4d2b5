import { putNewest } from '../base/put-newest.ts'
import { DURATION, START } from '../base/columns/event-chunk.ts'
import { type Ticks, TICKS_PER_MS } from '../base/ticks.ts'
import type {
  ArchiveRecord,
  FindingRecord,
  IoRecord,
  NoteRecord,
  QueryRecord,
  RollUpRecord,
} from '../capture/archive/records.ts'
import type { Gap } from '../capture/client/state.ts'
import type { IndexingFeed } from '../feeds/indexing/data/feed.ts'
import { ID, REASON, TREE, type IndexTable } from '../feeds/indexing/data/index-table.ts'
import { batchJson } from '../feeds/indexing/data/responses/batch-json.ts'
import { newTreeView } from '../feeds/indexing/data/trees.ts'
import { ioRecord, rollUpRecord } from '../feeds/io/data/archive-records.ts'
import type { IoFeed } from '../feeds/io/data/feed.ts'
import { serverRecords } from '../feeds/server/data/archive-records.ts'
import type { ServerFeed } from '../feeds/server/data/feed.ts'

type Take = (record: ArchiveRecord) => void

export function tapIo({ store }: IoFeed, take: (record: IoRecord | RollUpRecord) => void): void {
  store.tap = {
    onEvents: (...event) => take(ioRecord(...event)),
    onRollUp: (...rollUp) => take(rollUpRecord(...rollUp)),
  }
}

/** Takes each completed batch once: the server repeats the last ones of an index, `REMEMBERED` are known. */
export class BatchTap {
  static readonly REMEMBERED = 64
  readonly #known = new Map<string, string[]>()

  /** Remembers a batch. True: it was not known. */
  meet(source: string, index: string, id: number, startTicks: number): boolean {
    const key = `${source}\u0000${index}`
    const batch = `${String(id)} ${String(startTicks)}`
    const known = this.#known.get(key) ?? []
    if (known.includes(batch)) return false
    this.#known.set(key, [...known.slice(1 - BatchTap.REMEMBERED), batch])
    return true
  }

  attach({ store }: IndexingFeed, take: Take): void {
    const own = store.onBatch
    const view = newTreeView()
    store.onBatch = (index: IndexTable, row, isOpen, reportedTicks, batch) => {
      own(index, row, isOpen, reportedTicks, batch)
      if (isOpen) return
      const read = (column: number): number => row[column] as number
      if (!this.meet(index.source, index.name, read(ID), read(START))) return
      store.trees.read(read(TREE), view)
      take({
        t: 'batch',
        source: index.source,
        index: index.name,
        id: read(ID),
        startTicks: read(START),
        durationTicks: read(DURATION),
        json: JSON.stringify(batchJson(store, read, view, false, store.reasons.get(read(REASON)).text)),
      })
    }
  }

  /** Returns records that start the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    for (const [key, known] of this.#known) {
      const [source = '', index = ''] = key.split('\u0000')
      for (const batch of known) {
        const [id, startTicks] = batch.split(' ').map(Number) as [number, number]
        yield { t: 'batch', seed: 1, source, index, id, startTicks, durationTicks: 0, json: '' }
      }
    }
  }
}

/** Takes each gap once, when it has ended. */
export class GapTap {
  /** Gaps that were taken after their end. `GapLog` may join them under the id of one, whose end is later then. */
  readonly #taken = new Set<number>()
  /** Ends, so far, of the gaps that were taken while they were open. */
  readonly #openUntil = new Map<number, number>()
  readonly #isFirst: boolean

  /** `isFirst`: the tables are the first ones of this recorder. */
  constructor(isFirst = true) {
    this.#isFirst = isFirst
  }

  /** `isWanted`: whether to take an open gap, up to now. The rest is taken at its end. */
  take(gaps: readonly Gap[], take: Take, isWanted: (open: Gap) => boolean = () => false): void {
    for (const gap of gaps) {
      if (this.#taken.has(gap.id)) continue
      const from = this.#openUntil.get(gap.id)
      if (gap.isOpen === true) {
        if (from !== undefined || !isWanted(gap)) continue
        this.#openUntil.set(gap.id, gap.endTicks)
      } else {
        this.#taken.add(gap.id)
        this.#openUntil.delete(gap.id)
      }
      if (from !== undefined && from >= gap.endTicks) continue
      take({ t: 'gap', gap: this.#inWords(from === undefined ? gap : { ...gap, startTicks: from as Ticks }) })
    }
  }

  /** Reason of a gap whose recording was lost with its recorder or its tables, and not with the worker of a page. */
  #inWords(gap: Gap): Gap {
    return gap.reason === 'worker-restarted'
      ? { ...gap, reason: 'not-watched', detail: wordsOfLoss(this.#isFirst) }
      : gap
  }
}

/** Detail of a gap before the tables of a recorder. `isFirst`: they are its first ones. */
export const wordsOfLoss = (isFirst: boolean): string =>
  isFirst ? 'The recorder was not running.' : 'The recorder began again with empty tables.'

/** Maximum number of written records that are remembered: more than a server has at once. */
const MOST_SEEN = 4000

/** Resolution of times, a tenth of a second: figures come each second, and bytes halve (4.98 to 2.68). */
const VITAL_TICKS = 100 * TICKS_PER_MS

/** Takes new figures, notifications, findings and slow queries of the server. */
export class ServerTap {
  readonly #samples = new Map<string, { ticks: number[]; values: number[] }>()
  readonly #seen = new Map<string, string>()

  /** Takes a record of an earlier recording. */
  meet(record: ArchiveRecord): void {
    if (record.t === 'note' || record.t === 'finding' || record.t === 'query')
      putNewest(this.#seen, MOST_SEEN, `${record.t} ${record.id}`, record.json)
  }

  /** `isEnd`: the recording ends, and open findings end with it. */
  collect({ model }: ServerFeed, nowTicks: number, take: Take, isEnd = false): void {
    // Set again if another server answers at this address, since that has a new model.
    model.series.tap ??= (key, exactTicks, value) => {
      const atTicks = Math.round(exactTicks / VITAL_TICKS) * VITAL_TICKS
      const known = this.#samples.get(key)
      if (known === undefined) this.#samples.set(key, { ticks: [atTicks], values: [value] })
      else {
        known.ticks.push(atTicks)
        known.values.push(value)
      }
    }
    for (const [key, { ticks, values }] of this.#samples) take({ t: 'vital', key, ticks, values })
    this.#samples.clear()
    const takeNew = (record: NoteRecord | FindingRecord | QueryRecord): void => {
      const key = `${record.t} ${record.id}`
      if (this.#seen.get(key) === record.json) return
      putNewest(this.#seen, MOST_SEEN, key, record.json)
      take(record)
    }
    for (const record of serverRecords(model, nowTicks, isEnd)) takeNew(record)
  }

  *seeds(): Generator<ArchiveRecord> {
    for (const [key, json] of this.#seen) {
      const at = key.indexOf(' ')
      const id = key.slice(at + 1)
      if (key.startsWith('note ')) yield { t: 'note', seed: 1, id, atTicks: 0, json }
      else if (key.startsWith('query ')) yield { t: 'query', seed: 1, id, startTicks: 0, endTicks: 0, json }
      else yield { t: 'finding', seed: 1, id, level: '', title: '', startTicks: 0, endTicks: 0, json }
    }
  }
}
