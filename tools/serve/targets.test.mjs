// @ts-check
import { once } from 'node:events'
import http from 'node:http'
import { expect, test } from 'vitest'
import { Plain } from '../say.mjs'
import { serversBehind, serverOf } from './behind.mjs'
import { namedServers, readTargets } from './targets.mjs'

const SPECS = /** @type {const} */ ({
  server: { type: 'string', multiple: true },
  pfx: { type: 'string', multiple: true },
  ca: { type: 'string', multiple: true },
  port: { type: 'string' },
})
/** @param {string} line */
const named = (line) => namedServers(line.split(' '), SPECS).map(({ target, given }) => [target.origin, { ...given }])

test('options of a certificate belong to the server before them', () => {
  expect(named('--server https://a --pfx a.pfx --server http://b --port 1 --server https://c --ca c.pem')).toEqual([
    ['https://a', { pfx: 'a.pfx' }],
    ['http://b', {}],
    ['https://c', { ca: 'c.pem' }],
  ])
})

test('before the first they are for all that have none of their own', () => {
  expect(named('--pfx x.pfx --server https://a --server https://b --pfx b.pfx --server http://c')).toEqual([
    ['https://a', { pfx: 'x.pfx' }],
    ['https://b', { pfx: 'b.pfx' }],
    ['http://c', {}],
  ])
})

test('of one server they stand anywhere', () => {
  expect(named('--ca x.pem --server https://a --pfx a.pfx')).toEqual([['https://a', { pfx: 'a.pfx', ca: 'x.pem' }]])
  expect(named('--port 1')).toEqual([])
})

test.each([
  '--server http://a --pfx x',
  '--pfx x --server http://a',
  '--pfx x',
  '--server https://a --server http://b --pfx x',
])('a certificate has no use in %s', (line) => expect(() => named(line)).toThrow(/--pfx is for a secured server/))

test('a cluster is that of one server', async () => {
  for (const line of ['--port 1', '--server http://a --server http://b'])
    await expect(readTargets(namedServers(line.split(' '), SPECS), {}, { isCluster: true })).rejects.toThrow(
      /--cluster takes one server/,
    )
})

test('a cluster is its nodes by their addresses, and the one that was named by that', async () => {
  const topology = {
    NodeTag: 'B',
    Topology: { AllNodes: { A: 'http://a.example:8080', B: 'http://b.example', C: 'no address' } },
  }
  const server = http.createServer((request, response) =>
    response.end(request.url === '/cluster/topology' ? JSON.stringify(topology) : '{}'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const url = `http://127.0.0.1:${port}`
  const targets = await readTargets(namedServers(['--server', url], SPECS), { 'view-only': true }, { isCluster: true })
  expect(targets.map(({ target, allowChanges }) => [target.origin, allowChanges])).toEqual([
    [url, false],
    ['http://a.example:8080', false],
  ])
  server.closeAllConnections()
  server.close()
})

test('a server named twice is one', () => {
  expect(() => serversBehind([{ target: 'http://a:1' }, { target: 'http://A:1/x' }], {})).toThrow(Plain)
})

test('one server has all addresses, each of several those below its path', () => {
  const one = serversBehind([{ target: 'http://a:1' }], {})
  expect(serverOf(one, '/servers/a:1/x')?.url).toBe('/servers/a:1/x')
  const two = serversBehind([{ target: 'http://a:1' }, { target: 'http://[::1]:1' }], {})
  expect(serverOf(two, '/servers/a:1/x?y')).toMatchObject({ url: '/x?y', to: { path: '/servers/a:1' } })
  expect(serverOf(two, '/servers/-::1-:1/x')?.to.url.host).toBe('[::1]:1')
  for (const url of ['/servers/a:1', '/servers/a:11/x', '/x', '', '*', 'http://a:1/x'])
    expect(serverOf(two, url)).toBe(undefined)
  for (const { forwarder } of [...one, ...two]) forwarder.close()
})
