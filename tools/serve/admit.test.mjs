// @ts-check
import { expect, test } from 'vitest'
import { KEY_HEADER, KEY_PARAMETER } from '../../src/base/http/stand-alone.mjs'
import { admit } from './admit.mjs'

const target = new URL('https://db.example:8080')

/**
 * @param {string} method
 * @param {string} url
 * @param {readonly string[]} headers names and values in turn
 * @param {{ isSocket?: boolean }} [options]
 */
const admitted = (method, url, headers = [], options = {}) =>
  admit({ method, url, rawHeaders: [...headers] }, target, options)

test('what is forwarded is made of what was read, and of nothing else', () => {
  const headers = [
    'Host',
    '127.0.0.1:1',
    'Accept',
    'a/b',
    'X-Own',
    '1',
    'Content-Length',
    '007',
    'Expect',
    '100-continue',
  ]
  expect(admitted('PUT', '/databases/d/docs?id=a%2Fb', headers)).toEqual({
    method: 'PUT',
    path: '/databases/d/docs?id=a%2Fb',
    headers: { accept: 'a/b', 'content-length': '7' },
    hasBody: true,
    key: '',
  })
  expect(admitted('DELETE', '/x', ['Origin', 'http://127.0.0.1:1'])).toMatchObject({
    headers: { origin: target.origin, 'content-length': '0' },
    hasBody: false,
  })
  expect(admitted('POST', '/x', ['Transfer-Encoding', 'Chunked'])).toMatchObject({
    headers: { 'transfer-encoding': 'chunked' },
    hasBody: true,
  })
  expect(admitted('GET', '/x', ['Content-Length', '0'])).toMatchObject({ headers: {}, hasBody: false })
})

test('of cookies only the one of RavenDB goes on', () => {
  const cookies = ['Cookie', 'other=1; 2fa-cookie=a; x2fa-cookie=b']
  expect(admitted('GET', '/x', cookies)).toMatchObject({ headers: { cookie: '2fa-cookie=a' } })
  expect(admitted('GET', '/x', ['Cookie', 'other=1'])).toMatchObject({ headers: {} })
})

test('the key is read and goes no further', () => {
  expect(admitted('GET', '/x', [KEY_HEADER, 'K'])).toMatchObject({ key: 'K', headers: {} })
  const query = `${KEY_PARAMETER}=K-_1`
  for (const [url, path] of [
    [`/live?${query}`, '/live'],
    [`/live?node=A&${query}`, '/live?node=A'],
  ])
    expect(admitted('GET', url ?? '', ['Upgrade', 'websocket'], { isSocket: true })).toMatchObject({
      method: 'SOCKET',
      path,
      key: 'K-_1',
    })
  expect(admitted('GET', `/x?${query}`)).toMatchObject({ path: `/x?${query}`, key: '' })
})

test('RESET comes as a POST that names it, and no other method does', () => {
  expect(admitted('POST', '/x', ['Rookery-Method', 'RESET'])).toMatchObject({ method: 'RESET' })
  expect(admitted('GET', '/x', ['Rookery-Method', 'RESET'])).toMatchObject({ status: 405 })
  expect(admitted('POST', '/x', ['Rookery-Method', 'DELETE'])).toMatchObject({ status: 405 })
  for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'get', ''])
    expect(admitted(method, '/x')).toMatchObject({ status: 405 })
})

test.each([
  ['an address with a fragment', 'POST', '/docs#/../bulk_docs', []],
  ['an address of another server', 'GET', 'http://evil/', []],
  ['dots', 'GET', '/databases/%2e%2e/admin', []],
  ['a length that is dropped on the way', 'GET', '/x', ['Connection', 'keep-alive, content-length']],
  ['a key that is dropped on the way', 'GET', '/x', ['Connection', KEY_HEADER]],
  ['any header that is', 'GET', '/x', ['Connection', 'close', 'Connection', 'x-own']],
  ['a GET with a body', 'GET', '/x', ['Content-Length', '1']],
  ['a HEAD with a body', 'HEAD', '/x', ['Transfer-Encoding', 'chunked']],
  ['two lengths', 'POST', '/x', ['Content-Length', '1', 'content-length', '1']],
  ['a length and chunks', 'POST', '/x', ['Content-Length', '1', 'Transfer-Encoding', 'chunked']],
  ['an odd length', 'POST', '/x', ['Content-Length', '1, 1']],
  ['another coding', 'POST', '/x', ['Transfer-Encoding', 'gzip, chunked']],
  ['two hosts', 'GET', '/x', ['Host', 'a', 'Host', 'a']],
  ['two keys', 'GET', '/x', [KEY_HEADER, 'a', KEY_HEADER, 'b']],
  ['a control character', 'GET', '/x', ['Accept', 'a\u0000']],
])('%s is refused', (_, method, url, headers) => {
  expect(admitted(method, url, headers)).toMatchObject({ status: 400, message: /\.$/ })
})

test('what wants to become something else than a websocket is refused', () => {
  expect(admitted('GET', '/x', ['Upgrade', 'h2c'], { isSocket: true })).toMatchObject({ status: 403 })
  expect(admitted('POST', '/x', ['Upgrade', 'websocket'], { isSocket: true })).toMatchObject({ status: 403 })
  expect(admitted('GET', '/x', ['Upgrade', 'websocket', 'Content-Length', '3'], { isSocket: true })).toMatchObject({
    status: 400,
  })
})
