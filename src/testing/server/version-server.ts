import type { TestProject } from 'vitest/node'
import { startRavenDb } from '../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../tools/ravendb/thrifty.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that all tests of one version share, each with databases of its own. */
    readonly serverUrl: string
  }
}

/**
 * A database that is to be unloaded has a short idle time of its own, and the server looks every second. By itself it gives a
 * new index or database 15 s, and fails with 500 after that: too short for a busy machine.
 */
export const SETTINGS = {
  'Databases.FrequencyToCheckForIdleInSec': '1',
  'Storage.TimeToSyncAfterFlushInSec': '5',
  'Cluster.OperationTimeoutInSec': '60',
}

/** `globalSetup` of Vitest: starts the server of a project, which is named as its version, and returns what ends it. */
export default async function setup({ name, provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startRavenDb({ version: name, settings: SETTINGS, env: THRIFTY })
  provide('serverUrl', url)
  return stop
}
