import { tabName, type ChannelLike, type TabsEnv } from '../tabs/tabs.ts'

/**
 * Poll that pages of one browser share: the page that is due first sends the request and shares its response, and the
 * others wait another interval. No page leads, so a page that closes leaves nothing to take over. Responses are cloned.
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

  /** Undefined: another page is requesting it, and its response is received soon. Errors: those of `send`. */
  async request(send: () => Promise<T>): Promise<T | undefined> {
    let response: T | undefined
    await this.#env.locks.request(tabName(this.#name), { ifAvailable: true }, async (lock) => {
      if (lock === null) return
      response = await send()
      this.#channel.postMessage(response)
    })
    return response
  }

  close(): void {
    this.#channel.onmessage = null
    this.#channel.close()
  }
}
