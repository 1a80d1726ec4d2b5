import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createDatabase } from '../../../tools/ravendb/client.mjs'
import { DEFAULT_VERSION } from '../../../tools/ravendb/versions.mjs'
import { isGate } from '../gate.ts'

/** Version of the server that the tests of a project run on; '' where none is wanted. */
export const version = process.env['ROOKERY_TEST_SERVER'] ?? ''

/** Whether the gate leaves to the newest version what is the same on all; `npm run test:all` runs it on each. */
export const isLeftToNewest = isGate && version !== DEFAULT_VERSION

/** The server adds a millisecond for each KiB of the files, some 17 s on 5.4, and counts again from a sync, which is put off. */
const SLEEPY = { 'Databases.MaxIdleTimeInSec': '1', 'Storage.TimeToSyncAfterFlushInSec': '600' }

/** Longer than a reconnect, a poll of states, and another look at idle databases take: what is unloaded by then stays so. */
export const STAYS_MS = 8000

/** Timeout for a server that has three times as much to do; what takes less ends the wait. */
export const LONG_MS = 90_000

/** Helpers of tests against a real server, beside the governor; `url` when it has one. */
export function realServer(url: () => string) {
  const api = async (method: string, path: string, body: unknown): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(url() + path, { method, body: JSON.stringify(body), headers })
    expect(response.status, `${method} ${path}: ${await response.text()}`).toBeLessThan(300)
  }
  return {
    api,
    create: (name: string): Promise<boolean> => createDatabase(url(), name),
    /** Unloaded when it was not used for some seconds. */
    createSleepy: (name: string): Promise<boolean> => createDatabase(url(), name, { settings: SLEEPY }),
    isLoaded: async (name: string): Promise<boolean> => {
      const response = await fetch(`${url()}/debug/is-loaded?name=${name}`)
      return ((await response.json()) as { IsLoaded: boolean }).IsLoaded
    },
    /** `meanwhile` goes on while it is waited for. */
    until: async (
      what: string,
      done: () => boolean | Promise<boolean>,
      withinMs: number,
      meanwhile: () => unknown = () => undefined,
    ): Promise<void> => {
      const startMs = Date.now()
      while (!(await done())) {
        const waitedMs = Date.now() - startMs
        expect(waitedMs, `${what} within ${withinMs} ms`).toBeLessThan(withinMs)
        meanwhile()
        // Ever less often: each request costs the server CPU, for which other tests wait.
        await sleep(Math.min(100 + waitedMs / 10, 500))
      }
    },
  }
}
