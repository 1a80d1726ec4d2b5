import type { CDPSession } from '@playwright/test'

interface Answer {
  readonly id: number
  readonly result?: { readonly usedSize?: number }
}

const ANSWER_MS = 5000

/** Memory of the worker of a page, which Playwright itself does not report. */
export class WorkerHeap {
  readonly #cdp: CDPSession
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #session: string | null = null
  #nextId = 1

  static async of(cdp: CDPSession): Promise<WorkerHeap> {
    const heap = new WorkerHeap(cdp)
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
    return heap
  }

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.#session = sessionId
    })
    cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as Answer
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  /** Bytes in use after a collection; null: there is no worker, or it does not answer. */
  async usedBytes(): Promise<number | null> {
    await this.#request('HeapProfiler.collectGarbage')
    return (await this.#request('Runtime.getHeapUsage'))?.result?.usedSize ?? null
  }

  async #request(method: string): Promise<Answer | null> {
    if (this.#session === null) return null
    const id = this.#nextId++
    const answer = new Promise<Answer | null>((done) => {
      this.#waiting.set(id, done)
      setTimeout(() => done(null), ANSWER_MS)
    })
    await this.#cdp.send('Target.sendMessageToTarget', {
      sessionId: this.#session,
      message: JSON.stringify({ id, method }),
    })
    return answer
  }
}
