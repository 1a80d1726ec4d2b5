import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { ticksFromMs } from '../../base/ticks.ts'
import { IoEvents } from './io-events.ts'

/** A journal write as the server reports it. */
export interface HeardWrite {
  /** Id of the source, as in an archive. */
  readonly source: string
  readonly path: string
  readonly startTicks: number
  readonly sizeBytes: number
}

/** Identity of a journal write: its storage, start and size. */
export const keyOf = ({ source, path, startTicks, sizeBytes }: HeardWrite): string =>
  `${source} ${path} ${String(startTicks)} ${String(sizeBytes)}`

const RETRY_MS = 500

/** Receives the journal writes of a real server by its live feeds of I/O, and reads them with no code of the studio. */
export class IoListener {
  readonly writes = new Map<string, HeardWrite>()
  /** Times, by this machine, in which a feed was open, by source. The last one has no end while it lasts. */
  readonly open = new Map<string, { readonly fromTicks: number; toTicks: number }[]>()
  lastMs = Date.now()
  readonly #sockets = new Set<WebSocket>()
  #isOver = false

  constructor(url: string, databases: readonly string[]) {
    const at = url.replace(/^http/, 'ws')
    void this.#listen('server', `${at}/admin/debug/io-metrics/live`)
    for (const name of databases) void this.#listen(`db:${name}`, `${at}/databases/${name}/debug/io-metrics/live`)
  }

  close(): void {
    this.#isOver = true
    for (const socket of this.#sockets) socket.terminate()
  }

  async #listen(source: string, url: string): Promise<void> {
    const events = new IoEvents()
    while (!this.#isOver) {
      await new Promise<void>((done) => {
        const socket = new WebSocket(url, { maxPayload: 256 << 20 })
        this.#sockets.add(socket)
        socket.on('open', () => {
          const spans = this.open.get(source) ?? []
          this.open.set(source, spans)
          const span = { fromTicks: ticksFromMs(Date.now()), toTicks: Number.POSITIVE_INFINITY }
          spans.push(span)
          socket.once('close', () => (span.toTicks = ticksFromMs(Date.now())))
        })
        socket.on('message', (data: Buffer) => this.#take(source, events, data.toString('utf8')))
        // A close follows.
        socket.on('error', () => undefined)
        socket.on('close', () => {
          this.#sockets.delete(socket)
          done()
        })
      })
      await sleep(RETRY_MS)
    }
  }

  #take(source: string, events: IoEvents, text: string): void {
    if (!text.startsWith('{')) return
    for (const { path, kind, startTicks, bytes } of events.take(text)) {
      if (kind !== 'JournalWrite') continue
      const write = { source, path, startTicks, sizeBytes: bytes }
      this.writes.set(keyOf(write), write)
      this.lastMs = Date.now()
    }
  }
}
