import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../../tools/certificates/certificates.mjs'
import { ClickHouse } from './client.ts'

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const clickHouseAt = (url: string): ClickHouse => new ClickHouse({ url, database: 'sent', user: 'me', password: '' })

test('a statement that reads tells ClickHouse to end it with its connection, which a signal closes; one that writes does not', async () => {
  const seen: URLSearchParams[] = []
  let closed: Promise<unknown> = Promise.resolve()
  let reached: () => void = () => undefined
  const server = createServer((request, response) => {
    seen.push(new URL(request.url ?? '', 'http://front').searchParams)
    if (seen.length > 1) response.end()
    else {
      closed = once(response, 'close')
      reached()
    }
  })
  const clickHouse = clickHouseAt(`http://127.0.0.1:${String(await listening(server))}`)
  const away = new AbortController()
  const isReached = new Promise<void>((done) => (reached = done))
  const rows = clickHouse.rows('SELECT 1', { signal: away.signal })
  void isReached.then(() => away.abort())
  await expect(rows).rejects.toThrow('does not answer')
  await closed
  await clickHouse.run('INSERT INTO io SELECT 1')
  const settings = seen.map((query) =>
    ['readonly', 'cancel_http_readonly_queries_on_client_close'].map((name) => query.get(name)),
  )
  expect(settings).toEqual([
    ['2', '1'],
    [null, null],
  ])
})

test('a certificate of an unknown authority, and a port without TLS, are said in a sentence', async () => {
  const { cert, key } = createAuthority('Rookery tests').issue('front', { usage: 'server', hosts: ['localhost'] })
  const secure = createSecureServer({ cert, key })
  const securePort = String(await listening(secure))
  await expect(clickHouseAt(`https://127.0.0.1:${securePort}`).run('SELECT 1')).rejects.toMatchObject({
    isRefusal: false,
    message: `127.0.0.1:${securePort}/sent shows a certificate that is not trusted here (unable to verify the first certificate): NODE_EXTRA_CA_CERTS=FILE names the authority that signed it.`,
  })
  const plainPort = String(await listening(createServer((_request, response) => response.end())))
  await expect(clickHouseAt(`https://127.0.0.1:${plainPort}`).run('SELECT 1')).rejects.toThrow(
    `127.0.0.1:${plainPort}/sent speaks no TLS: use clickhouse://.`,
  )
})
