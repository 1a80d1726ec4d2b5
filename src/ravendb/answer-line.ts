import { tabName, type ChannelLike, type TabsEnv } from './tabs.ts'

/**
 * Pages of one browser that poll the same: whoever is due first asks, and its answer is the answer of all the others,
 * who then wait their interval anew. Nobody leads: a page that goes leaves nothing to take over.
 */
export class AnswerLine {
  readonly #env: TabsEnv
  readonly #name: string
  readonly #channel: ChannelLike

  constructor(env: TabsEnv, path: string, heard: (bytes: Uint8Array<ArrayBuffer> | null) => void) {
    this.#env = env
    this.#name = `answer ${path}`
    this.#channel = env.openChannel(tabName(this.#name))
    this.#channel.onmessage = ({ data }) => heard(data as Uint8Array<ArrayBuffer> | null)
  }

  /** Asks, unless another page is asking just now: then undefined, and its answer is heard in a moment. Errors: those of `ask`. */
  async ask(ask: () => Promise<Uint8Array<ArrayBuffer> | null>): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
    let answer: Uint8Array<ArrayBuffer> | null | undefined
    await this.#env.locks.request(tabName(this.#name), { ifAvailable: true }, async (lock) => {
      if (lock === null) return
      answer = await ask()
      this.#channel.postMessage(answer)
    })
    return answer
  }

  close(): void {
    this.#channel.onmessage = null
    this.#channel.close()
  }
}
