import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface FrontRequest {
  readonly sql: string
  readonly params: Readonly<Record<string, string>>
  readonly user: string
  readonly password: string
  /** Rows after the text of an INSERT; empty: there are none. */
  readonly body: Uint8Array
}

/** Status and text of a response; `lost`: the connection ends in its place. */
export type FrontResponse = { readonly status: number; readonly text: string } | 'lost'

/** Bytes of a header are UTF-8, as ClickHouse takes them. */
const textOf = (header: string | string[] | undefined): string => Buffer.from(String(header), 'latin1').toString('utf8')

/** ClickHouse's HTTP interface, in front of whatever answers. */
export async function clickHouseFront(
  respond: (request: FrontRequest) => FrontResponse | Promise<FrontResponse>,
): Promise<{ url: string; close: () => void }> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const query = new URL(request.url ?? '', 'http://front').searchParams
    const sql = query.get('query')
    const named = [...query].flatMap(([name, value]) => (name.startsWith('param_') ? [[name.slice(6), value]] : []))
    const answered = await respond({
      sql: sql ?? body.toString('utf8'),
      params: Object.fromEntries(named) as Record<string, string>,
      user: textOf(request.headers['x-clickhouse-user']),
      password: textOf(request.headers['x-clickhouse-key']),
      body: sql === null ? new Uint8Array() : new Uint8Array(body),
    })
    if (answered === 'lost') response.destroy()
    else response.writeHead(answered.status).end(answered.text)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
