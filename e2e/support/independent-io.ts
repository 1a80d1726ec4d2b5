import WebSocket from 'ws'

/** Count and byte sum by `<environment path> <kind>`, made as plainly as possible from what the server sent. */
export type Totals = Record<string, { count: number; bytes: number }>

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
  readonly #events = new Map<string, { key: string; bytes: number }>()
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
            this.#events.set([Path, File, Type, Start, bytes, Duration].join('|'), { key: `${Path} ${Type}`, bytes })
          }
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  totals(): Totals {
    const totals: Totals = {}
    for (const { key, bytes } of this.#events.values()) {
      const sums = (totals[key] ??= { count: 0, bytes: 0 })
      sums.count++
      sums.bytes += bytes
    }
    return totals
  }

  close(): void {
    this.#socket.terminate()
  }
}
