import { serverPathOf } from '../base/http/stand-alone.mjs'
import { CaptureHost } from '../capture/worker/host.ts'
import type { Command, Report } from '../capture/client/protocol.ts'
import { realEnv } from '../ravendb/env.ts'
import { browserTabs } from '../ravendb/tabs/tabs.ts'
import { createFeeds } from './feeds.ts'

/** Delay, ms: after the first picture. */
const PRELOAD_AFTER_MS = 4000

const send = (report: Report, transfer: ArrayBuffer[] = []): void => self.postMessage(report, transfer)

/** Holds a lock until this worker is gone. Without https or loopback there are no locks. */
function hold(lock: string): void {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) send({ type: 'alive', holdsLock: false })
  else
    void locks.request(lock, () => {
      send({ type: 'alive', holdsLock: true })
      return new Promise<never>(() => undefined)
    })
}

/** `port`: to the page, which warms up as well. */
async function warmUp(port: MessagePort): Promise<void> {
  if (host?.isReading !== false) return
  try {
    await loadFirstPicture()
    const { warmUp: read, serveSample } = await import('./warm-up.ts')
    serveSample(port, await read())
  } catch {
    // The code cannot be loaded because its server is gone: the first file takes a moment longer.
  }
}

/** Loads code ahead, unless a file is being read. */
function preload(): void {
  if (host?.isReading === true) setTimeout(preload, PRELOAD_AFTER_MS)
  else {
    void host?.preload()
    loadFirstPicture().catch(() => undefined)
  }
}

/** Loads the code of the first picture; until then panels request it themselves. */
async function loadFirstPicture(): Promise<void> {
  const { ioFirstPicture } = await import('../features/io/first-picture.ts')
  if (host !== null) host.firstPicture = ioFirstPicture
}

let host: CaptureHost | null = null

self.onmessage = ({ data }: MessageEvent<Command>) => {
  if (data.type === 'ping') {
    send({ type: 'pong' })
    return
  }
  if (data.type === 'sample') {
    void warmUp(data.port)
    return
  }
  if (data.type === 'start') {
    const { baseUrl, key, fetchesAhead, lost } = data
    const tabs = browserTabs(serverPathOf(new URL(baseUrl).pathname))
    host ??= new CaptureHost(createFeeds(tabs, key), realEnv(baseUrl, key), send, lost)
    hold(data.lock)
    if (fetchesAhead) setTimeout(preload, PRELOAD_AFTER_MS)
    return
  }
  host?.receive(data)
}
