import { formatTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'
import type { FakeRaven, FakeSocket } from '../fake-raven.ts'

/** The server keeps the last events of each kind and file, and files that were closed. */
const RING_ROWS = 256
const CLOSED_FILES = 16
/** Durations are reported to 10 µs. */
const DURATION_TICKS = 0.01 * TICKS_PER_MS

export interface WrittenEvent {
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
}

interface JournalFile {
  readonly name: string
  readonly ring: WrittenEvent[]
}

/** Journal writes of the databases of a server in memory, and the live sockets and documents that report them. */
export class IoSource {
  readonly #raven: FakeRaven
  readonly #files = new Map<string, JournalFile[]>()
  readonly #fresh = new Map<string, { readonly name: string; readonly event: WrittenEvent }[]>()
  /** Sockets that got the whole document. */
  readonly #served = new WeakSet<FakeSocket>()

  constructor(raven: FakeRaven, databases: readonly string[]) {
    this.#raven = raven
    for (const database of databases) {
      this.#files.set(database, [])
      this.#fresh.set(database, [])
    }
    raven.on(/\/admin\/debug\/io-metrics/, () => ({ Environments: [] }))
    raven.on(/^\/databases\/[^/]+\/debug\/io-metrics/, (path) => this.#document(databaseOf(path)))
  }

  /** Writes an event into a journal of a database, which is closed once a later one is written. */
  write(database: string, journal: string, event: WrittenEvent): void {
    const files = this.#files.get(database) ?? []
    if (files.at(-1)?.name !== journal) files.push({ name: journal, ring: [] })
    if (files.length > CLOSED_FILES + 1) files.shift()
    const ring = files.at(-1)?.ring ?? []
    ring.push(event)
    if (ring.length > RING_ROWS) ring.shift()
    this.#fresh.get(database)?.push({ name: journal, event })
  }

  /** Sends what was written since the last call; a new socket gets all that is kept. */
  serve(): void {
    for (const socket of this.#raven.sockets) {
      if (socket.readyState !== 1 || !socket.url.includes('/io-metrics/live')) continue
      const database = databaseOf(socket.url)
      const fresh = this.#fresh.get(database) ?? []
      if (!this.#served.has(socket)) socket.frame(JSON.stringify(this.#document(database)))
      else if (fresh.length > 0) {
        const own = [...new Set(fresh.map(({ name }) => name))].map((name) => ({
          name,
          ring: fresh.flatMap((row) => (row.name === name ? row.event : [])),
        }))
        socket.frame(JSON.stringify(documentOf(database, own)))
      }
      this.#served.add(socket)
    }
    for (const fresh of this.#fresh.values()) fresh.length = 0
  }

  #document(database: string): object {
    return documentOf(database, this.#files.get(database) ?? [])
  }
}

/** A duration that the server would report: its length is not that of a tick. */
export const wholeDuration = (ticks: number): number => Math.max(1, Math.round(ticks / DURATION_TICKS)) * DURATION_TICKS

/** Directory of a database on the server. */
export const pathOf = (database: string): string => `/data/Databases/${database}`

const databaseOf = (path: string): string => decodeURIComponent(/\/databases\/([^/]+)\//.exec(path)?.[1] ?? '')

const documentOf = (database: string, files: readonly JournalFile[]): object =>
  database === ''
    ? { Environments: [] }
    : {
        Environments: [
          {
            Path: pathOf(database),
            Type: 'Documents',
            Files: files.map(({ name, ring }, at) => ({
              File: name,
              Status: at === files.length - 1 ? 'InUse' : 'Closed',
              Recent: ring.map(({ startTicks, durationTicks, sizeBytes }) => ({
                Start: formatTicks(startTicks as Ticks),
                Size: sizeBytes,
                FileSize: 67_108_864,
                Duration: durationTicks / TICKS_PER_MS,
                Type: 'JournalWrite',
              })),
              History: [],
            })),
          },
        ],
      }
