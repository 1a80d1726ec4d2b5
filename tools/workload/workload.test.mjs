// @ts-check
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { mix, randomOf } from './random.mjs'
import { runWorkload } from './run.mjs'
import { heartRate, userDocument } from './users.mjs'

test('a user is the same for the same seed, number and revision, and another one otherwise', () => {
  expect(userDocument(1, 7, 2)).toEqual(userDocument(1, 7, 2))
  expect(userDocument(2, 7, 2)).not.toEqual(userDocument(1, 7, 2))
  expect(userDocument(1, 8, 2)['Email']).not.toEqual(userDocument(1, 7, 2)['Email'])
})

test('a change keeps who the user is', () => {
  const [before, after] = [userDocument(1, 7, 0), userDocument(1, 7, 1)]
  expect(after['Email']).toBe(before['Email'])
  expect(after['Address']).toEqual(before['Address'])
  expect(after['About']).not.toBe(before['About'])
})

test('the documents of one seed never change: recorded figures depend on them', () => {
  const text = JSON.stringify([userDocument(1, 1, 0), userDocument(1, 100_000, 3), heartRate(1, 20, 0, 60)])
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe('8b299e90a7f54153')
  expect(mix(1, 2)).not.toBe(mix(2, 1))
  expect(heartRate(1, 20, 0, 3).map(({ Timestamp }) => Timestamp)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:01:00.000Z',
    '1970-01-01T00:02:00.000Z',
  ])
})

test('random numbers are spread over the whole range', () => {
  const random = randomOf(42)
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 100_000; i++) {
    const value = random()
    tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

/** @type {http.Server | undefined} */
let server

afterEach(() => server?.close())

/**
 * A server that remembers what was written to it.
 * @param {(path: string) => number} [status] of its next answer, 0 for its own
 */
async function fake(status = () => 0) {
  /** @type {string[]} */
  const calls = []
  /** @type {Map<string, any>} */
  const documents = new Map()
  let created = false
  server = http.createServer((request, response) => {
    void (async () => {
      const path = request.url ?? ''
      /** @type {any} */
      const body = request.method === 'GET' ? undefined : await json(request).catch(() => undefined)
      const wrong = status(path)
      if (wrong > 0) return response.writeHead(wrong).end('{"Type":"X","Message":"not now"}')
      calls.push(`${request.method} ${path}`)
      if (path.startsWith('/databases?')) return response.end(JSON.stringify({ Databases: created ? ['demo'] : [] }))
      if (path.startsWith('/admin/databases?')) created = true
      if (path.includes('/docs?id=')) {
        const state = documents.get('workload/state')
        return state ? response.end(JSON.stringify({ Results: [state] })) : response.writeHead(404).end()
      }
      for (const { Type: type, Id: id, Document: document } of body?.Commands ?? []) {
        if (type === 'PUT') documents.set(id, document)
        if (type === 'DELETE') documents.delete(id)
      }
      return response.writeHead(201).end('{}')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, calls, documents }
}

test('fills a database with so many users, in large batches, and brings all to disk', async () => {
  const { url, calls, documents } = await fake()
  const result = await runWorkload({ url, documents: 2500, fillRate: 0, once: true })
  expect(result).toEqual({ inserted: 2500, updated: 0, deleted: 0, batches: 3, entries: 7500 })
  expect([...documents.keys()].filter((id) => id.startsWith('users/'))).toHaveLength(2500)
  expect(documents.get('users/42')).toMatchObject({
    ...userDocument(1, 42, 0),
    '@metadata': { '@collection': 'Users' },
  })
  expect(calls.filter((call) => call.includes('manual-flush'))).toHaveLength(7)
  expect(calls.filter((call) => call.includes('manual-sync'))).toHaveLength(7)
})

test('continues where an earlier run ended', async () => {
  const { url, documents } = await fake()
  await runWorkload({ url, documents: 1200, fillRate: 0, once: true })
  const result = await runWorkload({ url, documents: 1500, fillRate: 0, once: true })
  expect(result.inserted).toBe(300)
  expect(documents.has('users/1500')).toBe(true)
})

test('writes, changes and deletes until it is ended, and the number of users stays', async () => {
  const end = new AbortController()
  let batches = 0
  const { url, documents } = await fake((path) => {
    if (path.includes('bulk_docs') && ++batches === 9) end.abort()
    return 0
  })
  const result = await runWorkload({ url, documents: 1000, rate: 500, fillRate: 0, signal: end.signal })
  expect(result.inserted).toBeGreaterThan(1000)
  expect(result.updated).toBeGreaterThan(50)
  expect(result.deleted).toBeGreaterThan(20)
  const users = [...documents.keys()].filter((id) => id.startsWith('users/'))
  expect(Math.abs(users.length - 1000)).toBeLessThan(300)
})

test('waits for a server that is not ready', async () => {
  let refused = 0
  const { url } = await fake((path) => (path.includes('bulk_docs') && refused++ < 2 ? 503 : 0))
  /** @type {string[]} */
  const notes = []
  const say = { step() {}, note: (/** @type {string} */ text) => void notes.push(text), progress() {}, done() {} }
  await runWorkload({ url, documents: 10, fillRate: 0, once: true, say })
  expect(notes.filter((note) => note.includes('waiting for it'))).toHaveLength(1)
  expect(notes.filter((note) => note.includes('is back'))).toHaveLength(1)
})

test('does not wait for a server that refuses', async () => {
  const { url } = await fake((path) => (path.includes('bulk_docs') ? 403 : 0))
  await expect(runWorkload({ url, documents: 10, once: true })).rejects.toThrow('403')
})
