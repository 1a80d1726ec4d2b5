import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryUsage } from 'node:process'
import { expect, it } from 'vitest'
import type { Command } from '../../../capture/client/protocol.ts'
import type { ParamsOf, RequestName } from '../../../capture/client/requests/requests.ts'
import { CaptureHost } from '../../../capture/worker/host.ts'
import { formatTicks, ticksFromMs } from '../../../base/ticks.ts'
import { FakeRaven, settle } from '../../../testing/fake-raven.ts'
import { isGate } from '../../../testing/gate.ts'
import { recordedFrames, recordedJson } from '../../../testing/recorded.ts'
import { triageFeed } from '../../../testing/server/judged-feed.ts'
import { ServerFeed } from './feed.ts'

setFlagsFromString('--expose-gc')
// Optimised code is held on the heap, and how much of it there is depends on how busy the machine is.
setFlagsFromString('--no-opt')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that JavaScript holds, on the heap and in buffers, once nothing is garbage any more. */
async function heldBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    collectGarbage()
    await settle()
    const { heapUsed, arrayBuffers } = memoryUsage()
    least = Math.min(least, heapUsed + arrayBuffers)
  }
  return least
}

const RESPONSES = [
  [/server-id/, 'server-id.json'],
  [/cluster\/topology/, 'cluster-topology.json'],
  [/admin\/stats/, 'admin-stats.json'],
  [/admin\/metrics/, 'admin-metrics.json'],
  [/cpu-credits/, 'cpu-credits.json'],
  [/low-mem-log/, 'memory-low-mem-log.json'],
  [/tcp\/stats/, 'tcp-stats.json'],
  [/databases\/idle/, 'databases-idle.json'],
  [/license\/status/, 'license-status.json'],
  [/^\/databases\?/, 'databases.json'],
  [/studio-tasks/, 'studio-tasks-databases-state.json'],
  [/indexes\/progress/, 'indexes-progress.json'],
  [/perf-metrics/, 'perf-metrics.json'],
] as const

/** The worker with its collector, a page with its requests, and a server that sends everything that it can. */
class Monitoring {
  readonly #raven = new FakeRaven()
  readonly #frames = recordedFrames('7.1', 'cluster-dashboard-watch.ndjson').map(
    (text) => JSON.parse(text) as { Data: { Date: string } },
  )
  readonly #notifications = recordedFrames('7.1', 'server-notification-center-watch.ndjson')
  readonly #host: CaptureHost
  #questions = 0

  constructor() {
    for (const [match, name] of RESPONSES) this.#raven.on(match, () => recordedJson('7.1', name))
    this.#raven.databases.set('bench', 'loaded')
    const server = new ServerFeed({ store: null, tabs: null })
    this.#host = new CaptureHost([server, triageFeed(server)], this.#raven.env, () => {})
  }

  async hours(count: number): Promise<void> {
    for (let half = 0; half < count * 120; half++) await this.#halfMinute()
  }

  async #halfMinute(): Promise<void> {
    const { clock, sockets, calls } = this.#raven
    // A panel sends requests more often; what is held does not come from requests.
    this.#request('server.want', null)
    this.#request('server.now', null)
    this.#request('triage.now', null)
    for (let beat = 0; beat < 2; beat++) {
      await clock.advance(15_000)
      this.#receive()
    }
    // Calls that the test's own server remembers are not the page's.
    calls.length = 0
    sockets.splice(0, sockets.length, ...sockets.filter(({ readyState }) => readyState < 2))
  }

  /** The frames of a moment. */
  #receive(): void {
    for (const socket of this.#raven.sockets) {
      if (socket.readyState === 0) socket.accept()
      if (socket.readyState !== 1) continue
      if (socket.url.includes('notification')) for (const text of this.#notifications) socket.frame(text)
      else if (socket.url.includes('queries')) socket.frame('[]')
      else if (socket.url.includes('dashboard')) this.#dashboard((text) => socket.frame(text))
      socket.sent.length = 0
    }
  }

  #dashboard(send: (text: string) => void): void {
    for (const frame of this.#frames) {
      frame.Data.Date = formatTicks(ticksFromMs(this.#raven.clock.nowMs))
      send(JSON.stringify(frame))
    }
  }

  #request<Name extends RequestName>(name: Name, params: ParamsOf<Name>): void {
    this.#host.receive({ type: 'request', id: this.#questions++, name, params } as Command)
  }
}

const HOURS = 8

/** The gate has no time for it: there the tables are counted (`feed.test.ts`, “as much after eight hours”). */
it.skipIf(isGate)(
  `the heap after ${HOURS} hours of monitoring is that after one hour, within 5 %`,
  { timeout: 600_000 },
  async () => {
    const before = await heldBytes()
    const hours = new Monitoring()
    await hours.hours(1)
    const after1 = await heldBytes()
    await hours.hours(HOURS - 1)
    const afterAll = await heldBytes()
    expect(after1 - before, 'it holds something at all').toBeGreaterThan(5e6)
    expect(afterAll / after1).toBeLessThan(1.05)
  },
)
