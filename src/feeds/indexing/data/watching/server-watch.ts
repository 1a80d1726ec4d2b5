import { errorText } from '../../../../base/text/error-text.ts'
import { ServerClock } from '../../../../capture/worker/server-clock.ts'
import { requestLowMemoryLimit } from '../../../../ravendb/machine/low-memory-limit-request.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import type { SocketControl } from '../../../../ravendb/sockets/sockets.ts'
import { isConfined, watchKernelMemory, type KernelMemory } from '../../../../ravendb/machine/kernel-memory.ts'
import { assumedLowMemoryLimit, type LowMemoryLimit } from '../../../../ravendb/machine/low-memory-limit.ts'
import { StaleFrames } from '../../../../ravendb/sockets/stale-frames.ts'
import {
  kernelSample,
  readLowMemoryLog,
  readMemoryFrame,
  readStamp,
  readThreads,
  type LowMemoryRow,
  type MemorySample,
} from './server-wire.ts'
import type { ThreadAllocation } from '../batches/threads.ts'

const AUDIENCE = { feed: 'indexing' }
/** Interval of low-memory events, ms. They are few, and the server keeps each for a long time. */
const LOW_MEMORY_EVERY_MS = 30_000
const WATCH_MEMORY = JSON.stringify({ Command: 'watch', Id: 1, Type: 'MemoryUsage', Config: null })

export interface ServerWatchHost {
  readonly onThreads: (atTicks: number, threads: readonly ThreadAllocation[]) => void
  readonly onMemory: (sample: MemorySample) => void
  readonly onLowMemory: (rows: readonly LowMemoryRow[]) => void
  readonly onLowLimit: (limit: LowMemoryLimit) => void
}

/**
 * Watches the server as a whole, once for all its databases: threads (every second), memory (from the kernel every 15
 * s, otherwise from the server every 5 s), low-memory events. No part of it loads a database.
 */
export class ServerWatch {
  readonly #host: ServerWatchHost
  readonly #ends: (() => void)[] = []
  /** Server clock for the samples of the kernel, which have no timestamp. */
  readonly #clock = new ServerClock()
  #limit: LowMemoryLimit | null = null
  #endWidget: (() => void) | null = null
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
    this.#watchKernel(governor)
    void this.#requestLimit(governor)
    this.#ends.push(
      governor.poll(
        'lowMemoryLog',
        {},
        {
          everyMs: LOW_MEMORY_EVERY_MS,
          audience: AUDIENCE,
          onResponse: (response, atMs) =>
            this.#read(() => {
              this.#clock.observe(readStamp(response), atMs)
              this.#host.onLowMemory(readLowMemoryLog(response))
            }),
          onError: (error) => (this.problem = error.message),
        },
      ),
    )
  }

  stop(): void {
    this.#isOn = false
    this.#endWidget?.()
    this.#endWidget = null
    for (const end of this.#ends.splice(0)) end()
  }

  #watchThreads(governor: Governor): void {
    // The first list covers the time since a client last listened, and only threads that existed then.
    let isFirst = true
    const socket = governor.openSocket(
      'threadsInfo',
      {},
      {
        onPhase: ({ phase }) => {
          if (phase === 'connecting') isFirst = true
        },
        onFrame: (text, atMs) => {
          const skip = isFirst
          isFirst = false
          if (!skip)
            this.#read(() => {
              const { atTicks, threads } = readThreads(JSON.parse(text))
              if (Number.isNaN(atTicks)) return
              this.#clock.observe(atTicks, atMs)
              this.#host.onThreads(atTicks, threads)
            })
        },
      },
      { audience: AUDIENCE },
    )
    this.#ends.push(() => socket.close())
  }

  async #requestLimit(governor: Governor): Promise<void> {
    this.#limit = await requestLowMemoryLimit(governor)
    if (this.#limit !== null && this.#isOn) this.#host.onLowLimit(this.#limit)
  }

  #watchKernel(governor: Governor): void {
    const onMemory = (memory: KernelMemory, atMs: number): void => {
      if (isConfined(memory)) return this.#needWidget(governor)
      this.#endWidget?.()
      this.#endWidget = null
      const limit = this.#limit ?? assumedLowMemoryLimit(memory.totalBytes)
      this.#host.onMemory(kernelSample(memory, this.#clock.at(atMs), limit))
    }
    this.#ends.push(watchKernelMemory(governor, { onMemory, onLacking: () => this.#needWidget(governor) }))
  }

  /** Subscribes to the server's own memory figures, for which the server has to read its page tables. */
  #needWidget(governor: Governor): void {
    if (this.#endWidget !== null) return
    let close = (): void => {}
    let isOver = false
    this.#endWidget = () => {
      isOver = true
      close()
    }
    void this.#watchMemory(governor, () => isOver).then((ended) => {
      if (isOver) ended()
      else close = ended
    })
  }

  /** Returns a function that ends the subscription. */
  async #watchMemory(governor: Governor, isOver: () => boolean): Promise<() => void> {
    let node: string
    try {
      const topology = await governor.json<{ readonly NodeTag?: unknown } | null>('clusterTopology')
      // A server that does not belong to a cluster yet has the tag `?`.
      node = typeof topology?.NodeTag === 'string' && topology.NodeTag !== '' ? topology.NodeTag : '?'
    } catch (error) {
      this.problem = errorText(error)
      return () => undefined
    }
    if (isOver()) return () => undefined
    const stale = new StaleFrames()
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
          if (isOpen) stale.opened()
          subscribe()
        },
        onFrame: (text) =>
          this.#read(() => {
            if (stale.isStale(text)) return
            const sample = readMemoryFrame(JSON.parse(text))
            if (sample !== null) this.#host.onMemory(sample)
          }),
      },
      { share: 'memory', audience: AUDIENCE },
    )
    subscribe()
    return socket.close
  }

  #read(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.problem = errorText(error)
    }
  }
}
