import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { readManifest } from '../../capture/archive/manifest.ts'
import { readParquet } from '../../capture/archive/read-parquet.ts'
import { laneId } from '../../feeds/io/data/lane-table.ts'
import { settle } from '../fake-raven.ts'
import { FakeServer, type FakeServerOptions } from './fake-server.ts'
import { IoSource, pathOf, wholeDuration, type WrittenEvent } from './io-source.ts'

export const EVENTS_PER_SECOND = 4

interface Written {
  readonly starts: number[]
  readonly checks: Map<number, number>
}

interface RecordedGap {
  readonly source: string
  readonly lane: string | null
  readonly reason: string
  readonly detail: string
  readonly from: number
  readonly to: number
}

export interface RecordedRows {
  /** Start and check value of each event, by source. */
  readonly found: ReadonlyMap<string, readonly (readonly [start: number, check: number])[]>
  readonly gaps: readonly RecordedGap[]
  /** Times of the figure that comes each second. */
  readonly heartbeats: readonly number[]
}

const checkOf = (durationTicks: number, sizeBytes: number): number => durationTicks * 4096 + sizeBytes

/**
 * A server in memory whose databases write all the time, also while it cannot be reached, and that knows all they wrote.
 * Timers and the clock are faked from its start; the caller restores them.
 */
export class RecordedServer {
  readonly written: ReadonlyMap<string, Written>
  readonly fake: FakeServer
  readonly #io: IoSource
  readonly #random = seededRandom(41)
  #second = 0

  constructor(seconds: number, loadAt?: FakeServerOptions['loadAt']) {
    this.fake = new FakeServer({ seconds: seconds + 60, ...(loadAt === undefined ? {} : { loadAt }) })
    const { raven } = this.fake
    vi.useFakeTimers({
      toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      now: raven.clock.nowMs,
    })
    const databases = [...raven.databases].flatMap(([name, state]) => (state === 'loaded' ? [name] : [])).slice(0, 2)
    this.#io = new IoSource(raven, databases)
    this.written = new Map(databases.map((name) => [name, { starts: [], checks: new Map() }]))
  }

  get network() {
    const { env } = this.fake.raven
    return { url: 'http://raven', fetch: env.fetch, WebSocket: env.WebSocket }
  }

  /** `cut`: connections are cut, and frames are lost. `down`: it cannot be reached, either. */
  async second(state: 'up' | 'cut' | 'down' = 'up'): Promise<void> {
    const { raven } = this.fake
    await vi.advanceTimersByTimeAsync(1000)
    if (state !== 'up') for (const socket of raven.sockets) if (socket.readyState < 2) socket.cut()
    raven.up = state !== 'down'
    await this.fake.pass(1)
    const end = this.fake.nowTicks
    for (const [name, { starts, checks }] of this.written)
      for (let at = 0; at < EVENTS_PER_SECOND; at++) {
        const startTicks =
          end - TICKS_PER_SECOND + Math.floor(((at + this.#random()) * TICKS_PER_SECOND) / EVENTS_PER_SECOND / 2)
        const durationTicks = wholeDuration((0.2 + this.#random()) * TICKS_PER_MS)
        const sizeBytes = 4096 * (1 + Math.floor(this.#random() * 9))
        const journal = `${String(Math.floor(this.#second / 3600)).padStart(19, '0')}.journal`
        this.#io.write(name, journal, { startTicks, durationTicks, sizeBytes })
        starts.push(startTicks)
        checks.set(startTicks, checkOf(durationTicks, sizeBytes))
      }
    if (state === 'up') this.#io.serve()
    await settle()
    if (this.#second++ % 60 === 0) this.#forget()
  }

  /** Writes one more event of a database, which the next second reports. */
  write(name: string, event: WrittenEvent): void {
    this.#io.write(name, '0000000000000000000.journal', event)
  }

  async seconds(count: number, state: 'up' | 'cut' | 'down' = 'up'): Promise<void> {
    for (let second = 0; second < count; second++) await this.second(state)
  }

  /**
   * Compares what is recorded with what was written: `wrong` are events that differ or are there twice, `covered` those
   * that are recorded although they are more than a second inside a gap, `unreported` those that are neither recorded
   * nor in a gap.
   */
  compare({ found, gaps }: RecordedRows) {
    return Array.from(this.written, ([name, { starts, checks }]) => {
      const own = found.get(`db:${name}`) ?? []
      const read = new Set(own.map(([start]) => start))
      const missing = starts.filter((start) => !read.has(start))
      const lanes = new Set<string | null>([null, laneId(`db:${name}`, pathOf(name))])
      const covering = gaps.filter(({ source, lane }) => source === `db:${name}` && lanes.has(lane))
      return {
        name,
        wrong: own.length - read.size + own.filter(([start, check]) => checks.get(start) !== check).length,
        missing: missing.length,
        covered: own.filter(([start]) =>
          covering.some(({ from, to }) => start > from + TICKS_PER_SECOND && start < to - TICKS_PER_SECOND),
        ).length,
        unreported: missing.filter((start) => !covering.some(({ from, to }) => start >= from && start <= to)),
      }
    })
  }

  #forget(): void {
    const { calls, sockets } = this.fake.raven
    calls.length = 0
    sockets.splice(0, sockets.length, ...sockets.filter(({ readyState }) => readyState < 2))
  }
}

/** Copies the folder as a killed recorder leaves it: with what is on the disk at this moment. */
export function copyAsKilled(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}

/** Rows of an archive's files, as another program would read them. */
export async function rowsIn(path: string): Promise<RecordedRows> {
  const found = new Map<string, [start: number, check: number][]>()
  const heartbeats: number[] = []
  const gaps: RecordedGap[] = []
  for (const file of readManifest(readFileSync(join(path, 'manifest.json'), 'utf8')).files) {
    if (file.table !== 'io' && file.table !== 'gaps' && file.table !== 'vitals') continue
    const blob = new Blob([Uint8Array.from(readFileSync(join(path, file.path)))])
    for await (const { columns, length } of readParquet(file.table, blob))
      for (let row = 0; row < length; row++) {
        const value = (name: string): unknown => columns[name]?.[row]
        if (file.table === 'vitals') {
          if (value('key') === 'cpu.process') heartbeats.push(Number(value('at_ticks')))
          continue
        }
        const source = String(value('source'))
        const start = Number(value('start_ticks'))
        if (file.table === 'gaps') {
          const lane = value('lane') as string | null
          const [reason, detail] = [String(value('reason')), String(value('detail'))]
          gaps.push({ source, lane, reason, detail, from: start, to: Number(value('end_ticks')) })
        } else {
          const check = checkOf(Number(value('duration_ticks')), Number(value('size_bytes')))
          const own = found.get(source)
          if (own === undefined) found.set(source, [[start, check]])
          else own.push([start, check])
        }
      }
  }
  return { found, gaps, heartbeats }
}
