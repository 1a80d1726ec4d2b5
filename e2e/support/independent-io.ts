import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { IoEvents } from '../../src/testing/server/io-events.ts'

/** Polls the rings, so that it has events that the live socket had not sent yet when a server died. */
export class PolledIo extends IoEvents {
  readonly #url: string
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(serverUrl: string, database: string) {
    super()
    this.#url = `${serverUrl}/databases/${encodeURIComponent(database)}/debug/io-metrics`
  }

  /** Polls until `stop`, or until the server does not respond. Rings hold 256 events of a file and kind. */
  start(): void {
    this.#isStopped = false
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Reads the rings once. Errors: the server does not respond. */
  async request(): Promise<void> {
    const response = await fetch(this.#url)
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}`)
    this.take(await response.text())
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped) {
        await this.request()
        await sleep(50)
      }
    } catch {
      // The server is gone: what it reported is kept.
    }
  }
}

export const ioSocketUrl = (serverUrl: string, database: string): string =>
  `${serverUrl.replace('http', 'ws')}/databases/${encodeURIComponent(database)}/debug/io-metrics/live`

/** Listens to a live socket of I/O metrics. */
export class IndependentIo extends IoEvents {
  readonly #socket: WebSocket
  #frames = 0

  constructor(serverUrl: string, database: string) {
    super()
    this.#socket = new WebSocket(ioSocketUrl(serverUrl, database))
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8').trim()
      if (text === '') return
      this.#frames++
      this.take(text)
    })
  }

  /** Resolves with the first frame. */
  async opened(): Promise<void> {
    while (this.#frames === 0) await new Promise((done) => setTimeout(done, 50))
  }

  close(): void {
    this.#socket.terminate()
  }
}
