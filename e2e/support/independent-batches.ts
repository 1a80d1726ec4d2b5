import WebSocket from 'ws'

export interface Operation {
  Name: string
  DurationInMs: number
  Operations?: Operation[]
  MapDetails?: { BatchCompleteReason: string | null; AllocationBudget: number } | null
}
/** A batch in the form that the server sent. */
export interface Batch {
  Id: number
  Started: string
  InputCount: number
  FailedCount: number
  OutputCount: number
  /** Successful deletions; missing on 5.4. */
  TombstoneDeleteSuccesses?: number
  DocumentsSize: { SizeInBytes: number }
  DurationInMs: number
  Completed: string | null
  Details: Operation
}
interface Frame {
  Results?: { Name: string; Performance: Batch[] }[]
}

/** Sums of the completed batches of one index. */
export interface BatchSums {
  /** Batches, including those that only trained a dictionary. */
  count: number
  /** Indexed documents, without those that a new Corax index only read to train its dictionary. */
  documents: number
  /** Documents read to train a dictionary. */
  trained: number
  /** Hundredths of a millisecond, the resolution of the server. */
  busyHundredths: number
  /** Largest budget that any of them was granted; 0 where none requested a budget. */
  mostGrantedBytes: number
  /** Batches that were stopped because of low memory. */
  lowMemory: number
}

/** Keeps each batch as it was reported last. Knows nothing of the studio's code. */
export class BatchRecord {
  readonly #batches = new Map<string, { index: string; batch: Batch }>()

  /** A frame of the live socket, or a whole answer. How many batches it reports. */
  take(text: string): number {
    let count = 0
    for (const { Name, Performance } of (JSON.parse(text) as Frame).Results ?? [])
      for (const batch of Performance) {
        count++
        // Ids restart when the database is loaded again, or an index reset.
        this.#batches.set(`${Name}|${batch.Id}|${batch.Started}`, { index: Name, batch })
      }
    return count
  }

  /** Sums by index. */
  sums(): Record<string, BatchSums> {
    const sums: Record<string, BatchSums> = {}
    for (const { index, batch } of this.#batches.values()) {
      if (batch.Completed === null) continue
      const sum = (sums[index] ??= {
        count: 0,
        documents: 0,
        trained: 0,
        busyHundredths: 0,
        mostGrantedBytes: 0,
        lowMemory: 0,
      })
      const map = batch.Details.Operations?.find(({ Name }) => Name === 'Map')?.MapDetails
      sum.count++
      const onlyTrains = batch.Details.Operations?.map(({ Name }) => Name).join() === 'Corax/DictionaryTraining'
      if (onlyTrains) sum.trained += batch.InputCount
      else sum.documents += batch.InputCount
      sum.busyHundredths += Math.round(batch.DurationInMs * 100)
      sum.mostGrantedBytes = Math.max(sum.mostGrantedBytes, map?.AllocationBudget ?? 0)
      if (map?.BatchCompleteReason?.includes('because of low memory') === true) sum.lowMemory++
    }
    return sums
  }

  /** Completed batches. */
  get completed(): readonly { readonly index: string; readonly batch: Batch }[] {
    return [...this.#batches.values()].filter(({ batch }) => batch.Completed !== null)
  }
}

export const batchSocketUrl = (serverUrl: string, database: string): string =>
  `${serverUrl.replace('http', 'ws')}/databases/${encodeURIComponent(database)}/indexes/performance/live`

/** Listens to the live socket of index performance. */
export class IndependentBatches extends BatchRecord {
  readonly #socket: WebSocket
  #frames = 0
  #changedMs = Date.now()

  constructor(serverUrl: string, database: string) {
    super()
    this.#socket = new WebSocket(batchSocketUrl(serverUrl, database))
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#frames++
      if (this.take(text) > 0) this.#changedMs = Date.now()
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  /** Resolves when the server has reported no batch for so long: it reports finished ones every few seconds. */
  async settled(quietMs = 7000): Promise<void> {
    while (Date.now() - this.#changedMs < quietMs) await new Promise((done) => setTimeout(done, 200))
  }

  close(): void {
    this.#socket.terminate()
  }
}
