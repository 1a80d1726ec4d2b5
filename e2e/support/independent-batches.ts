import WebSocket from 'ws'

export interface Operation {
  Name: string
  DurationInMs: number
  Operations?: Operation[]
  MapDetails?: { BatchCompleteReason: string | null; AllocationBudget: number } | null
}
/** As the server sent it. */
export interface Batch {
  Id: number
  Started: string
  InputCount: number
  FailedCount: number
  OutputCount: number
  /** Not told by 5.4. */
  TombstoneDeleteSuccesses?: number
  DocumentsSize: { SizeInBytes: number }
  DurationInMs: number
  Completed: string | null
  Details: Operation
}
interface Frame {
  Results?: { Name: string; Performance: Batch[] }[]
}

/** Of the batches of one index that are over. */
export interface BatchSums {
  /** Those that only trained a dictionary included. */
  count: number
  /** Without those that a new Corax index only read to train its dictionary. */
  documents: number
  /** Those. */
  trained: number
  /** Hundredths of a millisecond, which is as fine as the server tells. */
  busyHundredths: number
  /** Largest budget that any of them was granted; 0: none asked. */
  mostGrantedBytes: number
  /** How many were stopped because of low memory. */
  lowMemory: number
}

/** Listens to the live socket of index performance and keeps each batch as it was told last. Knows nothing of the studio's code. */
export class IndependentBatches {
  readonly #batches = new Map<string, { index: string; batch: Batch }>()
  readonly #socket: WebSocket
  #frames = 0
  #changedMs = Date.now()

  constructor(serverUrl: string, database: string) {
    const url = serverUrl.replace('http', 'ws')
    this.#socket = new WebSocket(`${url}/databases/${encodeURIComponent(database)}/indexes/performance/live`)
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#frames++
      for (const { Name, Performance } of (JSON.parse(text) as Frame).Results ?? [])
        for (const batch of Performance) {
          this.#batches.set(`${Name}|${batch.Id}`, { index: Name, batch })
          this.#changedMs = Date.now()
        }
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  /** Resolves when the server has told of no batch for so long: it tells of what is over every few seconds. */
  async settled(quietMs = 7000): Promise<void> {
    while (Date.now() - this.#changedMs < quietMs) await new Promise((done) => setTimeout(done, 200))
  }

  /** By index. */
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

  /** Those that are over. */
  get completed(): readonly { readonly index: string; readonly batch: Batch }[] {
    return [...this.#batches.values()].filter(({ batch }) => batch.Completed !== null)
  }

  close(): void {
    this.#socket.terminate()
  }
}
