import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { json } from '../../tools/ravendb/client.mjs'

/** Protocol version to begin with; a server that has another one names it. */
const VERSION = 53_000
const STEP_MS = 30_000

interface ServerMessage {
  readonly Type?: string
  readonly Status?: string
  readonly Version?: number
  readonly Message?: string
  readonly Exception?: string | null
  readonly Data?: { readonly '@metadata': { readonly '@id': string; readonly '@change-vector': string } }
}

export interface SubscriptionBatch {
  readonly ids: readonly string[]
  /** Number of documents for which the script of the subscription threw. */
  readonly failed: number
  readonly changeVector: string
}

/** A client of a subscription, as applications have one: `batch` receives documents, `acknowledge` moves on. */
export class SubscriptionClient {
  readonly #socket: Socket
  readonly #messages: AsyncGenerator<ServerMessage, void>

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#messages = messagesOf(socket)
  }

  /** Connects to a subscription of a server without certificates, and resolves when the server has accepted it. */
  static async connect(
    url: string,
    database: string,
    name: string,
    options: Record<string, unknown> = {},
  ): Promise<SubscriptionClient> {
    const { Url: address } = (await json(url, '/info/tcp')) as { Url: string }
    const { hostname, port } = new URL(address)
    for (let version = VERSION; ;) {
      const socket = connect(Number(port), hostname)
      socket.setTimeout(STEP_MS, () => socket.destroy(new Error(`Subscription “${name}” sent nothing.`)))
      await once(socket, 'connect')
      const client = new SubscriptionClient(socket)
      client.#send({ DatabaseName: database, Operation: 'Subscription', OperationVersion: version })
      const header = await client.#next()
      if (header.Status === 'TcpVersionMismatch' && header.Version !== undefined && header.Version !== version) {
        version = header.Version
        socket.destroy()
        continue
      }
      if (header.Status !== 'Ok') throw new Error(`The server answers ${JSON.stringify(header)}.`)
      client.#send({ SubscriptionName: name, MaxDocsPerBatch: 4096, ...options })
      const answer = await client.#next()
      if (answer.Status !== 'Accepted') throw new Error(`The server answers ${JSON.stringify(answer)}.`)
      return client
    }
  }

  /** Documents of the next batch, which the server counts as sent and waits to be acknowledged. */
  async batch(): Promise<SubscriptionBatch> {
    const ids: string[] = []
    let [failed, changeVector] = [0, '']
    for (;;) {
      const message = await this.#next()
      if (message.Type === 'EndOfBatch') return { ids, failed, changeVector }
      if (message.Type !== 'Data' || message.Data === undefined)
        throw new Error(`The server sends ${JSON.stringify(message).slice(0, 1000)}.`)
      const { '@id': id, '@change-vector': vector } = message.Data['@metadata']
      ids.push(id)
      changeVector = vector
      if (message.Exception != null) failed++
    }
  }

  /** Resolves when the server has confirmed it. */
  async acknowledge({ changeVector }: SubscriptionBatch): Promise<void> {
    this.#send({ Type: 'Acknowledge', ChangeVector: changeVector })
    const answer = await this.#next()
    if (answer.Type !== 'Confirm') throw new Error(`The server answers ${JSON.stringify(answer)}.`)
  }

  close(): void {
    this.#socket.destroy()
  }

  #send(message: unknown): void {
    this.#socket.write(JSON.stringify(message))
  }

  async #next(): Promise<ServerMessage> {
    const next = await this.#messages.next()
    if (next.done === true) throw new Error('The server closed the connection.')
    return next.value
  }
}

/** JSON objects of a stream, which have nothing between them but heartbeats: line breaks. */
async function* messagesOf(socket: Socket): AsyncGenerator<ServerMessage, void> {
  let [text, at, depth, isText] = ['', 0, 0, false]
  for await (const bytes of socket) {
    text += (bytes as Buffer).toString('latin1')
    for (; at < text.length; at++) {
      const char = text[at]
      if (isText) {
        if (char === '\\') at++
        else if (char === '"') isText = false
      } else if (char === '"') isText = true
      else if (char === '{') depth++
      else if (char === '}' && --depth === 0) {
        yield JSON.parse(Buffer.from(text.slice(0, at + 1), 'latin1').toString('utf8')) as ServerMessage
        text = text.slice(at + 1)
        at = -1
      }
    }
  }
}
