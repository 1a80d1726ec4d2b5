import { pathOfServer, serverPathOf } from '../base/http/stand-alone.mjs'
import type { CaptureClient } from '../capture/client/client.ts'
import type { CaptureMemory, CaptureSummary } from '../capture/client/summary.ts'
import type { Command } from '../capture/client/protocol.ts'
import { createOwnWorker } from '../capture/client/own-worker.ts'
import { RemoteCapture, type TakePushed } from '../capture/client/remote.ts'
import type { WatchEnv, WorkerLike } from '../capture/client/worker-watch.ts'
import workerUrl from './capture.worker.ts?worker&url'
import { settled } from '../charts/timeline/settle.ts'
import type { VolumeName } from '../features/stalls/contract.ts'
import { mayFetchAhead } from './save-data.ts'
import { storedKey } from './stored-key.ts'
import type { ScriptStall } from './stalls-script.ts'
import { VERSION } from './version.ts'

interface Connected {
  readonly client: CaptureClient
  /** Opens a port to the worker for the command `sample`, and returns the page's end. */
  readonly openSample: () => MessagePort
}

/** Starts the worker, which handles all data and network requests. Errors: why the browser cannot create it. */
export function connectCapture(onPushed: TakePushed): Connected {
  let worker: Worker | undefined
  const make = (): WorkerLike => {
    worker = createWorker()
    return worker as never
  }
  const client = new RemoteCapture(make, reachedAt(serverPathOf(location.pathname)), PAGE, onPushed)
  return {
    client,
    openSample: () => {
      const { port1, port2 } = new MessageChannel()
      worker?.postMessage({ type: 'sample', port: port2 } satisfies Command, [port2])
      return port1
    },
  }
}

/** Starts a worker for another server. `name`: as in its path. Errors: as {@link connectCapture}. */
export const connectServer = (name: string): RemoteCapture =>
  new RemoteCapture(
    () => createWorker() as never,
    reachedAt(pathOfServer(name)),
    PAGE,
    () => undefined,
  )

const reachedAt = (path: string) => ({
  baseUrl: location.origin + path,
  key: storedKey(),
  fetchesAhead: mayFetchAhead(),
})

const createWorker = (): Worker => createOwnWorker(workerUrl, 'capture')

const PAGE: WatchEnv = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  setTimeout: (run, delayMs) => window.setTimeout(run, delayMs),
  clearTimeout: (id) => window.clearTimeout(id),
  isHidden: () => document.hidden,
  lockFreed: async (name, signal) => {
    await navigator.locks.request(name, { signal }, () => undefined)
  },
}

/** Interface for tests and external scripts; documented in docs/scripting.md. */
export interface RookeryHandle {
  readonly version: string
  /** Resolves when all received bytes are in tables and the last frame is drawn; with live data after at most 2 s. */
  readonly idle: () => Promise<void>
  /** For each source, environment and kind: count, bytes, busy time, slowest, first, last; roll-ups apart; all gaps. */
  readonly summary: () => CaptureSummary
  /** Number of rows, and bytes of tables and pyramids (`tables`) and of other growing data (`other`). */
  readonly memory: () => CaptureMemory
  /** Stalled journal writes, longest first, with their main causes, of chosen or opened sources. Call after `idle`. */
  readonly stalls: () => Promise<readonly ScriptStall[]>
  /** Defines which environments share a volume, for `stalls`; replaces earlier definitions. */
  readonly setVolumes: (volumes: readonly VolumeName[]) => void
}

/** Exposes the handle. `summary` and `memory` are those of the last `idle`, or at most a second old. */
export function exposeRookery(client: CaptureClient): void {
  let summary: CaptureSummary = { rows: [], gaps: [] }
  let memory: CaptureMemory = { tables: 0, other: 0, rows: 0 }
  let { version, gaps } = client.getState()
  let volumes: readonly VolumeName[] = []
  let requested = false
  let refreshedMs = -REFRESH_MS
  const refresh = async (): Promise<void> => {
    ;({ version, gaps } = client.getState())
    const responses = await Promise.all([client.request('host.summary', null), client.request('host.memory', null)])
    ;[summary, memory] = responses
  }
  client.subscribe(() => {
    const now = client.getState()
    if (requested || (now.version === version && now.gaps === gaps)) return
    requested = true
    // Without delay after a pause and while there is no data, so that the first rows of a file are reported at once.
    setTimeout(
      () => {
        requested = false
        refreshedMs = performance.now()
        // The worker was restarted: the next state requests them again.
        refresh().catch(() => undefined)
      },
      memory.rows === 0 ? 0 : Math.max(0, refreshedMs + REFRESH_MS - performance.now()),
    )
  })
  const handle: RookeryHandle = {
    version: VERSION,
    idle: async () => {
      await client.idle()
      // Live charts always have a pending frame, and a hidden tab draws none.
      await Promise.race([settled(), new Promise((resolve) => setTimeout(resolve, SETTLE_MS))])
      await refresh()
    },
    summary: () => summary,
    memory: () => memory,
    stalls: async () => (await import('./stalls-script.ts')).stallsFor(client, volumes),
    setVolumes: (named) => {
      volumes = named.map(({ pathContains, volume }) => ({ pathContains, volume }))
    },
  }
  Object.defineProperty(globalThis, 'rookery', { value: Object.freeze(handle), configurable: true })
}

const REFRESH_MS = 1000
const SETTLE_MS = 1000
