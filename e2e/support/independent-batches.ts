import WebSocket from 'ws'

interface Batch {
  Id: number
  InputCount: number
  Completed: string | null
}
interface Frame {
  Results?: { Name: string; Performance: Batch[] }[]
}

/** Listens to the live socket of index performance and keeps each batch as it was told last. Knows nothing of the studio's code. */
export class IndependentBatches {
  readonly #batches = new Map<string, { index: string; batch: Batch }>()
  readonly #socket: WebSocket
  #frames = 0

  constructor(serverUrl: string, database: string) {
    const url = serverUrl.replace('http', 'ws')
    this.#socket = new WebSocket(`${url}/databases/${encodeURIComponent(database)}/indexes/performance/live`)
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#frames++
      for (const { Name, Performance } of (JSON.parse(text) as Frame).Results ?? [])
        for (const batch of Performance) this.#batches.set(`${Name}|${batch.Id}`, { index: Name, batch })
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  /** By index: batches that are over, and the documents that went into them. */
  sums(): Record<string, { count: number; documents: number }> {
    const sums: Record<string, { count: number; documents: number }> = {}
    for (const { index, batch } of this.#batches.values()) {
      if (batch.Completed === null) continue
      const sum = (sums[index] ??= { count: 0, documents: 0 })
      sum.count++
      sum.documents += batch.InputCount
    }
    return sums
  }

  close(): void {
    this.#socket.terminate()
  }
}
