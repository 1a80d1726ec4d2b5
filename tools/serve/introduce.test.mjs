// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createAgents } from './agents.mjs'
import { versionOf } from './introduce.mjs'

/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} Answer */

/** Their last value is the time for the response, ms; by default that of the program. @type {[string, Answer, RegExp, number?][]} */
const ODD = [
  [
    'a web page',
    (_, to) => to.end('\n<!doctype html>'),
    /answers with a web page, but not as RavenDB does \(HTTP 200\)/,
  ],
  ['JSON of another product', (_, to) => to.end('{"version":{"number":"8.1"}}'), /answers, but not as RavenDB does/],
  [
    'a redirect',
    (_, to) => to.writeHead(302, { location: 'https://login.example.org/sso?to=%2F' }).end(),
    /leads elsewhere \(HTTP 302, to https:\/\/login\.example\.org\): give the address of the server itself/,
  ],
  [
    'a redirect to its own form',
    (_, to) => to.writeHead(302, { location: '/login' }).end(),
    /asks for a login \(HTTP 302\), as a proxy does: give the address of the server itself/,
  ],
  ['a redirect without a target', (_, to) => to.writeHead(303).end(), /asks for a login \(HTTP 303\)/],
  ['a request for a password', (_, to) => to.writeHead(401).end(), /asks for a password or a token \(HTTP 401\)/],
  ['a refusal without TLS', (_, to) => to.writeHead(403).end('no'), /not as RavenDB does \(HTTP 403\)/],
  ['a proxy without its server', (_, to) => to.writeHead(502).end('<html>'), /as a proxy does when it does not reach/],
  ['nothing', () => undefined, /does not answer within 0\.2 s/, 200],
  [
    'the beginning of a response',
    (_, to) => void to.write(' '),
    /began to answer, but sent only \d+ B within 0\.2 s/,
    200,
  ],
  [
    'a response without end',
    (_, to) => {
      const more = () => {
        while (to.write(' '.repeat(1 << 16)));
        to.once('drain', more)
      }
      more()
    },
    /answers, but not as RavenDB does/,
  ],
]

test.each(ODD)('an address with %s is described', async (_, answer, words, withinMs) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port.')
  const target = new URL(`http://127.0.0.1:${address.port}`)
  const { single } = createAgents(target, {})
  onTestFinished(() => single.destroy())
  await expect(versionOf(target, {}, single, withinMs)).rejects.toThrow(words)
})

test('a connection that ended while it was idle is no server that does not answer', async () => {
  let requests = 0
  const used = new WeakSet()
  const server = createServer(({ socket }, response) => {
    requests++
    // The second request of a connection meets its end.
    if (used.has(socket)) socket.resetAndDestroy()
    else response.end('{"FullVersion":"7.1.5"}')
    used.add(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const target = new URL(`http://127.0.0.1:${port}`)
  const { kept } = createAgents(target, {})
  onTestFinished(() => kept.destroy())
  expect(await versionOf(target, {}, kept)).toEqual({ version: '7.1.5', isNewConnection: true })
  expect(await versionOf(target, {}, kept)).toEqual({ version: '7.1.5', isNewConnection: true })
  expect(requests).toBe(3)
})
