import { tabName, type ChannelLike, type TabsEnv } from '../tabs/tabs.ts'

/**
 * Pages of one browser that poll the same: whoever is due first asks, and its answer is the answer of all the others,
 * who then wait their interval anew. Nobody leads: a page that goes leaves nothing to take over. Answers are cloned.
 */
export class SharedPoll<T> {
  readonly #env: TabsEnv
  readonly #name: string
  readonly #channel: ChannelLike

  constructor(env: TabsEnv, name: string, received: (answer: T) => void) {
    this.#env = env
    this.#name = `answer ${name}`
    this.#channel = env.openChannel(tabName(this.#name))
    this.#channel.onmessage = ({ data }) => received(data as T)
  }

  /** Asks, unless another page is asking just now: then undefined, and its answer is heard in a moment. Errors: those of `ask`. */
  async ask(ask: () => Promise<T>): Promise<T | undefined> {
    let answer: T | undefined
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
