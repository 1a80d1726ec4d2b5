import { tabName, type ChannelLike, type TabsEnv } from '../tabs/tabs.ts'

/**
 * Pages of one browser with the same poll: the page that is due first sends the request and shares its response with the others,
 * which then wait their interval again. No page leads: a page that closes leaves nothing to take over. Responses are cloned.
 */
export class SharedPoll<T> {
  readonly #env: TabsEnv
  readonly #name: string
  readonly #channel: ChannelLike

  constructor(env: TabsEnv, name: string, received: (response: T) => void) {
    this.#env = env
    this.#name = `answer ${name}`
    this.#channel = env.openChannel(tabName(this.#name))
    this.#channel.onmessage = ({ data }) => received(data as T)
  }

  /** Undefined: another page is requesting it now, and its response is received in a moment. Errors: those of `ask`. */
  async ask(ask: () => Promise<T>): Promise<T | undefined> {
    let response: T | undefined
    await this.#env.locks.request(tabName(this.#name), { ifAvailable: true }, async (lock) => {
      if (lock === null) return
      response = await ask()
      this.#channel.postMessage(response)
    })
    return response
  }

  close(): void {
    this.#channel.onmessage = null
    this.#channel.close()
  }
}
