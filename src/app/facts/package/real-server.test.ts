/** Packages of a real server in trouble, beside its live findings. Needs ROOKERY_TEST_SERVER, such as `7.1.5`. */
import process from 'node:process'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { startRavenDb, type RunningRavenDb } from '../../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../../tools/ravendb/thrifty.mjs'
import { DEFAULT_VERSION } from '../../../../tools/ravendb/versions.mjs'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { realEnv } from '../../../ravendb/env.ts'
import { isGate } from '../../../testing/gate.ts'
import { judgeEntries } from '../../../testing/packaged.ts'
import { LONG_MS, realServer } from '../../../testing/server/real-server.ts'
import { watchServer } from '../watched-server.ts'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
/** The gate leaves it out: a server of its own, low on memory all the time, would run beside its other tests. */
const isRun = version === DEFAULT_VERSION && !isGate
/** A limit beyond the memory of any machine: the server is low on memory from its start. */
const LIMIT_MB = '64000000'

describe.runIf(isRun)(`a server low on memory, RavenDB ${version}`, { timeout: 300_000 }, () => {
  let raven: RunningRavenDb
  let governor: Governor
  const { until } = realServer(() => raven.url)

  beforeAll(async () => {
    raven = await startRavenDb({ version, env: THRIFTY, settings: { 'Memory.LowMemoryLimitInMb': LIMIT_MB } })
    governor = new Governor({ ...realEnv(raven.url), tabs: null })
  }, 300_000)

  afterAll(async () => {
    governor.close()
    await raven.stop()
  }, 60_000)

  it('is found low in its package as it is live', async () => {
    const watched = watchServer({ ...realEnv(raven.url), WebSocket: WebSocket as never, tabs: null }, governor)
    const live = (): string | undefined => {
      const { items, more } = watched.figures().triage
      return [...items, ...more].find(({ rule }) => rule === 'low-memory')?.title
    }
    try {
      await until('found live', () => live() !== undefined, LONG_MS)
      const response = await fetch(`${raven.url}/admin/debug/info-package?type=ServerWide`)
      const { findings, sentence } = await judgeEntries(unzipSync(new Uint8Array(await response.arrayBuffer())))
      expect(findings.find(({ rule }) => rule === 'low-memory')).toMatchObject({
        level: 'critical',
        title: live(),
        entry: 'server-wide/admin.memory.stats.json',
      })
      expect(sentence).toContain(live())
    } finally {
      watched.close()
    }
  })
})
