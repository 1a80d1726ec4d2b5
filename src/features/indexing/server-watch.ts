import type { Governor, SocketControl } from '../../ravendb/governor.ts'
import { readLowMemoryLog, readMemoryFrame, readThreads, type LowMemoryRow, type MemorySample } from './server-wire.ts'
import type { ThreadAllocation } from './threads.ts'

/** Events are few, and each is kept by the server for long, ms. */
const LOW_MEMORY_EVERY_MS = 30_000
const WATCH_MEMORY = JSON.stringify({ Command: 'watch', Id: 1, Type: 'MemoryUsage', Config: null })

export interface ServerWatchHost {
  readonly onThreads: (atTicks: number, threads: readonly ThreadAllocation[]) => void
  readonly onMemory: (sample: MemorySample) => void
  readonly onLowMemory: (rows: readonly LowMemoryRow[]) => void
}

/**
 * What concerns the server as a whole, once for all its databases: threads (every second), memory (every 5 s), low-memory
 * events. None of it loads a database.
 */
export class ServerWatch {
  readonly #host: ServerWatchHost
  readonly #ends: (() => void)[] = []
  #isOn = false
  problem: string | null = null

  constructor(host: ServerWatchHost) {
    this.#host = host
  }

  start(governor: Governor): void {
    if (this.#isOn) return
    this.#isOn = true
    this.problem = null
    this.#watchThreads(governor)
    void this.#watchMemory(governor)
    this.#ends.push(
      governor.poll(
        'lowMemoryLog',
        {},
        {
          everyMs: LOW_MEMORY_EVERY_MS,
          onAnswer: (answer) => this.#read(() => this.#host.onLowMemory(readLowMemoryLog(answer))),
          onError: (error) => (this.problem = error.message),
        },
      ),
    )
  }

  stop(): void {
    this.#isOn = false
    for (const end of this.#ends.splice(0)) end()
  }

  #watchThreads(governor: Governor): void {
    // The first list covers the time since anyone last listened, and only threads that were there then.
    let isFirst = true
    const socket = governor.openSocket(
      'threadsInfo',
      {},
      {
        onPhase: ({ phase }) => {
          if (phase === 'connecting') isFirst = true
        },
        onFrame: (text) => {
          const skip = isFirst
          isFirst = false
          if (!skip)
            this.#read(() => {
              const { atTicks, threads } = readThreads(JSON.parse(text))
              if (!Number.isNaN(atTicks)) this.#host.onThreads(atTicks, threads)
            })
        },
      },
    )
    this.#ends.push(() => socket.close())
  }

  async #watchMemory(governor: Governor): Promise<void> {
    let node: string
    try {
      const topology = await governor.json<{ readonly NodeTag?: unknown } | null>('clusterTopology')
      // A server that belongs to no cluster yet has the tag `?`.
      node = typeof topology?.NodeTag === 'string' && topology.NodeTag !== '' ? topology.NodeTag : '?'
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
      return
    }
    if (!this.#isOn) return
    let socket: SocketControl | null = null
    let isOpen = false
    const subscribe = (): void => {
      if (isOpen) socket?.send(WATCH_MEMORY)
    }
    socket = governor.openSocket(
      'clusterDashboard',
      { node },
      {
        onPhase: ({ phase }) => {
          isOpen = phase === 'open'
          subscribe()
        },
        onFrame: (text) =>
          this.#read(() => {
            const sample = readMemoryFrame(JSON.parse(text))
            if (sample !== null) this.#host.onMemory(sample)
          }),
      },
      { share: 'memory' },
    )
    subscribe()
    const { close } = socket
    this.#ends.push(close)
  }

  #read(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
    }
  }
}
