// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { json } from './client.mjs'

/** Answers `/whole`, begins to answer `/half`, and leaves everything else without an answer. */
const server = createServer((request, response) => {
  if (request.url === '/whole') response.end('{"a":1}')
  else if (request.url === '/half') response.write('{"a":')
})

let url = ''
beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

test('an answer is read', async () => {
  expect(await json(url, '/whole')).toEqual({ a: 1 })
})

test.each(['/none', '/half'])('%s: a call ends when its time is over, and when its caller ends it', async (path) => {
  await expect(json(url, path, { timeout: 100 })).rejects.toMatchObject({ name: 'TimeoutError' })
  const end = new AbortController()
  const call = json(url, path, { signal: end.signal })
  setTimeout(() => end.abort(new Error('enough')), 50)
  await expect(call).rejects.toThrow('enough')
  await expect(json(url, path, { signal: end.signal })).rejects.toThrow('enough')
})
