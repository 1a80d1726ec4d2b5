import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { recordedText } from '../../src/testing/recorded.ts'
import { expect, test } from '../support/raven.ts'

// Code that is loaded ahead comes from the same place.
test.use({ fetchesAhead: true })

const dist = resolve(import.meta.dirname, '../../dist')

test('stand-alone: the same build, forwarded to a server that it may not touch', async ({ page, raven }) => {
  await createDatabase(raven.url, 'afar')
  const served = await serveStudio({ dist, target: raven.url })
  await page.goto(`${served.url}/studio/index.html#/io?v=1&s=db:afar`)
  await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText('connected')
  await expect
    .poll(() => page.evaluate(() => globalThis.rookery.idle().then(() => globalThis.rookery.memory().rows)))
    .toBeGreaterThan(0)
  await served.close()
})

test('any static file server below any path serves it; without a server it is calm, with or without a file', async ({
  page,
  complaints,
}) => {
  complaints.allow(/Failed to load resource/)
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    if (!path.startsWith('/some/where/'))
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no such file')
    readFile(join(dist, path.slice('/some/where/'.length))).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const foreign: string[] = []
  page.on('request', (request) => {
    // The worker is started from a blob of the page.
    if (
      !request
        .url()
        .replace(/^blob:/, '')
        .startsWith(origin)
    )
      foreign.push(request.url())
  })
  await page.goto(`${origin}/some/where/index.html`)
  const notices = page.getByRole('complementary', { name: 'State of the server' })
  await expect(page.getByRole('heading', { name: 'No server here' })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText('no server')
  await expect(notices).toHaveCount(0)
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name: 'io.json',
    mimeType: 'application/json',
    buffer: Buffer.from(recordedText('7.1', 'io-metrics.json')),
  })
  await expect(page.getByRole('heading', { name: 'I/O', level: 1 })).toBeAttached()
  await expect(page.getByRole('region', { name: 'Sources' })).toContainText('io.json')
  await expect(page.getByRole('table').first()).toBeVisible()
  await expect(notices).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(foreign).toEqual([])
  server.close()
})
