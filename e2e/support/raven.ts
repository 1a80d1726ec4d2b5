import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { json } from '../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { test as watched, expect } from './watched-page.ts'

type Running = Awaited<ReturnType<typeof startRavenDb>>

/** A real server of the project's version, with the built studio in its own `/studio` route. */
export interface Raven {
  readonly version: string
  readonly url: string
  readonly dataDir: string
  /** Id of the current process. */
  readonly pid: () => number
  /** Address of the studio, with an optional hash. */
  readonly studio: (hash?: string) => string
  /** Ends the server without warning, as a power cut would. */
  readonly kill: () => Promise<void>
  /** Ends the server with SIGTERM, after 15 s with SIGKILL; resolves when it is gone. */
  readonly terminate: () => Promise<void>
  /** Stops the process for so long, as a suspended machine does. */
  readonly freeze: (ms: number) => Promise<void>
  /** Stops the process until `kill`, or until the function that it returns is called. */
  readonly suspend: () => () => void
  /** Starts it again on the same port and data. */
  readonly restart: () => Promise<void>
}

export interface StartOptions {
  readonly version: string
  readonly settings?: Record<string, string>
  /** Variables on top of this process's. */
  readonly env?: NodeJS.ProcessEnv
  /** An empty folder for its data, which `close` removes; else it gets one. */
  readonly dataDir?: string
}

/** Starts one; `close` ends it and removes its data. */
export async function startRaven({
  version,
  settings = {},
  env = {},
  dataDir: ownDir,
}: StartOptions): Promise<Raven & { close: () => Promise<void> }> {
  const dataDir = ownDir ?? (await mkdtemp(join(tmpdir(), 'rookery-e2e-')))
  const start = (port: number): Promise<Running> =>
    startRavenDb({
      version,
      dataDir,
      port,
      settings,
      env: { ...THRIFTY, ...env },
      studioPath: resolve(import.meta.dirname, '../../dist'),
    })
  let running = await start(0)
  const { url } = running
  return {
    version,
    url,
    dataDir,
    pid: () => running.pid,
    studio: (hash = '') => `${url}/studio/index.html${hash}`,
    kill: () => running.kill(),
    terminate: () => running.stop(),
    freeze: async (ms) => {
      process.kill(running.pid, 'SIGSTOP')
      await sleep(ms).finally(() => process.kill(running.pid, 'SIGCONT'))
    },
    suspend: () => {
      const { pid } = running
      process.kill(pid, 'SIGSTOP')
      return () => void process.kill(pid, 'SIGCONT')
    },
    restart: async () => {
      running = await start(Number(new URL(url).port))
    },
    close: async () => {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The server looks every second for databases that were not used for as long as theirs allows, which is by default a quarter of an hour. */
const SETTINGS = { 'Databases.FrequencyToCheckForIdleInSec': '1' }

/**
 * A database that is unloaded when it was not used for two seconds, and one more for each MiB of its files. Its sync would count as
 * use, and is put off.
 */
export const SLEEPY = { 'Databases.MaxIdleTimeInSec': '2', 'Storage.TimeToSyncAfterFlushInSec': '600' }

/** Whether a database is loaded, as another client reads it without loading it. */
export const isLoaded = async (url: string, name: string): Promise<boolean> =>
  ((await json(url, `/debug/is-loaded?name=${encodeURIComponent(name)}`)) as { IsLoaded: boolean }).IsLoaded

/**
 * Tests get one server for each worker, with databases of their own. One that suspends or kills it starts it again; a test with a
 * server of its own says why.
 */
export const test = watched.extend<object, { ravenVersion: string; raven: Raven }>({
  ravenVersion: ['7.1.5', { option: true, scope: 'worker' }],
  raven: [
    async ({ ravenVersion }, use) => {
      const raven = await startRaven({ version: ravenVersion, settings: SETTINGS })
      await use(raven)
      await raven.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect }
