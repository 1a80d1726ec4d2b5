import WebSocket from 'ws'

/** Count and byte sum by `<environment path> <kind>`, made as plainly as possible from what the server sent. */
export type Totals = Record<string, { count: number; bytes: number }>

/** One event as the server sent it. */
export interface IoEvent {
  readonly path: string
  readonly kind: string
  /** As sent. */
  readonly start: string
  /** Hundreds of nanoseconds since 2020 in UTC. */
  readonly startTicks: number
  readonly durationMs: number
  readonly bytes: number
}

interface Row {
  Type: string
  Start: string
  Size?: number
  OriginalSize?: number
  Duration: number
}
interface Frame {
  Environments: { Path: string; Files: { File: string; Recent: Row[] }[] }[]
}

/** Listens to a live socket of I/O metrics and keeps each event once. Knows nothing of the studio's code. */
export class IndependentIo {
  readonly #events = new Map<string, IoEvent>()
  readonly #socket: WebSocket
  #frames = 0

  constructor(serverUrl: string, database: string) {
    this.#socket = new WebSocket(
      `${serverUrl.replace('http', 'ws')}/databases/${encodeURIComponent(database)}/debug/io-metrics/live`,
    )
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#frames++
      for (const { Path, Files } of (JSON.parse(text) as Frame).Environments)
        for (const { File, Recent } of Files)
          for (const { Type, Start, Size, OriginalSize, Duration } of Recent) {
            const bytes = OriginalSize ?? Size ?? 0
            this.#events.set([Path, File, Type, Start, bytes, Duration].join('|'), {
              path: Path,
              kind: Type,
              start: Start,
              startTicks: ticksOf(Start),
              durationMs: Duration,
              bytes,
            })
          }
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  get events(): readonly IoEvent[] {
    return [...this.#events.values()]
  }

  totals(): Totals {
    const totals: Totals = {}
    for (const { path, kind, bytes } of this.#events.values()) {
      const sums = (totals[`${path} ${kind}`] ??= { count: 0, bytes: 0 })
      sums.count++
      sums.bytes += bytes
    }
    return totals
  }

  /** The slowest event of a kind; throws while there is none. */
  slowest(kind: string): IoEvent {
    const [first] = this.events.filter((event) => event.kind === kind).toSorted((a, b) => b.durationMs - a.durationMs)
    if (first === undefined) throw new Error(`no ${kind} was heard`)
    return first
  }

  close(): void {
    this.#socket.terminate()
  }
}

/** Of the server's form, `2026-11-22T09:02:35.1992345Z`, which is finer than a Date. */
export function ticksOf(text: string): number {
  const [, seconds = '', fraction = ''] = /^(.{19})\.?(\d*)/.exec(text) ?? []
  return (Date.parse(`${seconds}Z`) - Date.UTC(2020, 0)) * 10_000 + Number(fraction.padEnd(7, '0'))
}
