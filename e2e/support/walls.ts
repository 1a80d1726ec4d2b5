import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** An origin that lets every page in, and notes what came. */
export async function openDoor(): Promise<{ url: string; came: readonly string[]; close: () => void }> {
  const came: string[] = []
  const http = createServer((request, response) => {
    came.push(request.url ?? '')
    const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }
    response.writeHead(200, headers).end('export default 1')
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (_, { url = '' }) => came.push(url))
  await new Promise<void>((done) => void http.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    came,
    close: () => {
      sockets.close()
      http.closeAllConnections()
      http.close()
    },
  }
}

/**
 * Tries all that a policy of own origin only has to refuse, and resolves with the attempts that passed. Uses its argument and
 * globals only, since a test hands it to a page or a worker as text. `other`: another origin, which allows all.
 */
export async function whatPasses(other: string): Promise<string[]> {
  const run = globalThis as unknown as Record<string, (...args: unknown[]) => unknown>
  const ran = new Promise((resolve) => {
    run['ranAsText'] = resolve
  })
  const inlined = 'data:text/javascript,export default 1'
  const attempts: Readonly<Record<string, () => unknown>> = {
    fetch: () => fetch(`${other}/fetch`, { mode: 'no-cors' }),
    socket: () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${other.replace('http', 'ws')}/socket`)
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', reject)
      }),
    'script of another origin': () => import(/* @vite-ignore */ `${other}/script.js`),
    'script of a data address': () => import(/* @vite-ignore */ inlined),
    'script of a blob': () => import(/* @vite-ignore */ URL.createObjectURL(new Blob([], { type: 'text/javascript' }))),
    eval: () => run['eval']?.('1'),
    Function: () => Reflect.construct(run['Function'] as never, ['return 1']),
    'text for a timer': async () => {
      run['setTimeout']?.('ranAsText()')
      await Promise.race([ran, new Promise((_, reject) => setTimeout(reject, 200))])
    },
    'worker of a data address': () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('data:text/javascript,postMessage(1)')
        worker.addEventListener('message', resolve)
        worker.addEventListener('error', reject)
      }),
  }
  const passed: string[] = []
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt()
      passed.push(name)
    } catch {
      // Refused, as it should be.
    }
  }
  return passed
}
