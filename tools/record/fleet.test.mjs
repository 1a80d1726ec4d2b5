// @ts-check
import { afterEach, expect, test } from 'vitest'
import { openedFleet } from './fleet.mjs'
import { servePage } from './page-server.mjs'

/** @type {() => void} */
let close = () => undefined
afterEach(() => close())

const ADDRESS = { url: 'http://db', database: 'rookery', user: 'default', password: 's3cret' }

/** @param {Record<string, unknown>} [parts] of the reader */
async function serve(parts = {}) {
  class FleetReader {
    name = 'rookery'
    check = () => Promise.resolve()
    manifest = (/** @type {string} */ node) => Promise.resolve(node === 'a/b_80' ? { nodes: [], files: [] } : null)
    servers = (/** @type {unknown} */ range) => Promise.resolve([range])
    file = (/** @type {string} */ path) =>
      Promise.resolve(path === 'io/node=a b/1.parquet' ? new Uint8Array([1, 2]) : undefined)
    constructor() {
      Object.assign(this, parts)
    }
  }
  const recorder = /** @type {any} */ ({ ClickHouse: Object, FleetReader })
  const served = await servePage({ dist: '/nowhere', opened: await openedFleet(ADDRESS, recorder) })
  ;({ close } = served)
  return async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(`${served.url}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
}

test('a database is served as a list of servers, and the recording and rows of each', async () => {
  const get = await serve()
  expect(await get('/archive')).toEqual({ status: 200, text: '{"fleet":"rookery"}' })
  expect(JSON.parse((await get('/archive?node=a%2Fb_80')).text)).toMatchObject({ name: 'a/b_80', journals: [] })
  expect((await get('/archive?node=other')).status).toBe(404)
  expect(await get('/archive-servers?from=-5&to=10')).toEqual({
    status: 200,
    text: '[{"startTicks":-5,"endTicks":10}]',
  })
  expect(await get('/archive/io/node%3Da%20b/1.parquet')).toEqual({ status: 200, text: '\u0001\u0002' })
})

test('what a page that went away was waiting for is not read any further', async () => {
  /** @type {(signal: AbortSignal) => void} */
  let begun = () => undefined
  const signal = new Promise((/** @type {(signal: AbortSignal) => void} */ done) => (begun = done))
  const get = await serve({
    servers: (/** @type {unknown} */ _range, /** @type {{ signal: AbortSignal }} */ until) => {
      begun(until.signal)
      return new Promise(() => undefined)
    },
  })
  const page = new AbortController()
  const left = get('/archive-servers?from=1&to=2', { signal: page.signal }).catch(() => undefined)
  const reading = await signal
  expect(reading.aborted).toBe(false)
  page.abort()
  await left
  await expect.poll(() => reading.aborted).toBe(true)
})

test('whatever is no time, no file or no reading is refused', async () => {
  const get = await serve()
  for (const path of ['/archive-servers', '/archive-servers?from=1&to=x', '/archive/%', '/archive/x.parquet', '/ask'])
    expect((await get(path)).status).toBe(404)
  expect((await get('/archive-servers?from=1&to=2', { method: 'POST' })).status).toBe(405)
  expect((await get('/archive', { headers: { origin: 'http://elsewhere' } })).status).toBe(403)
})

test('a database that does not answer is a sentence, at the start and later', async () => {
  const refusal = Object.assign(new Error('db:8123/rookery does not answer: ECONNREFUSED.'), {
    name: 'ClickHouseError',
  })
  await expect(serve({ check: () => Promise.reject(refusal) })).rejects.toMatchObject({ name: 'Plain' })
  const get = await serve({ servers: () => Promise.reject(refusal), file: () => Promise.reject(refusal) })
  for (const path of ['/archive-servers?from=1&to=2', '/archive/x'])
    expect(await get(path)).toEqual({ status: 500, text: `${refusal.message}\n` })
})
