import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join, resolve } from 'node:path'
import { openDoor, whatPasses } from '../support/walls.ts'
import type { Driver } from './driver.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const CHANNEL = 'rookery-walls'

/**
 * Attempts that the page's policy does not refuse to its worker: the build is served without a policy, as RavenDB does, and the
 * entry of the worker continues with the attempts.
 */
export async function passesInWorker(driver: Driver): Promise<readonly string[]> {
  const door = await openDoor()
  const trying = `
    const channel = new BroadcastChannel('${CHANNEL}')
    const passed = (${String(whatPasses)})('${door.url}')
    channel.onmessage = async () => channel.postMessage(await passed)`
  const http = createServer((request, response) => {
    const name = (request.url ?? '').replace(/[?#].*$/s, '').slice('/studio/'.length)
    readFile(join(DIST, name), 'utf8').then(
      (text) =>
        response
          .writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' })
          .end(basename(name).startsWith('capture.worker') ? text + trying : text),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => void http.listen(0, '127.0.0.1', done))
  try {
    await driver.goto(`http://127.0.0.1:${(http.address() as AddressInfo).port}/studio/index.html#/files`)
    const passed = await driver.evaluate(
      (name) =>
        new Promise<string[]>((resolve) => {
          const channel = new BroadcastChannel(name)
          const request = setInterval(() => channel.postMessage('request'), 100)
          channel.onmessage = ({ data }: MessageEvent<string[]>) => {
            if (!Array.isArray(data)) return
            clearInterval(request)
            resolve(data)
          }
        }),
      CHANNEL,
    )
    return [...passed, ...door.came]
  } finally {
    await driver.goto('about:blank')
    http.closeAllConnections()
    http.close()
    door.close()
  }
}
