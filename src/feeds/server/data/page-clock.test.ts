import { describe, expect, it } from 'vitest'
import { inGate } from '../../../testing/gate.ts'
import { FakeServer } from '../../../testing/server/fake-server.ts'
import { HEALTHY, secondsAgo, SERVER_NOW } from '../../../testing/server/server-load.ts'
import type { SeriesKey } from '../contract/series.ts'

const SECONDS = 60
const AHEAD = inGate([600], [0, 600, -600])
/** Reported for the time before: mergers tell of their last 20 s. */
const BEFORE_SECONDS = 20
const WIDE = { startTicks: secondsAgo(3600), endTicks: secondsAgo(-3600), maxPoints: 4000 }

async function seriesOf(aheadSeconds: number) {
  const server = new FakeServer({ seconds: SECONDS, aheadSeconds })
  await server.watch(SECONDS)
  const client = server.capture()
  const seriesOfKeys = (keys: readonly SeriesKey[]) => client.request('server.series', { ...WIDE, keys })
  const { available } = await seriesOfKeys([])
  return (await seriesOfKeys(available.map(({ key }) => key))).series
}

describe('a page whose clock is not that of the server', () => {
  it.each(AHEAD)('by %i s shows each figure at the time of the server', async (aheadSeconds) => {
    const series = await seriesOf(aheadSeconds)
    for (const { key, length, startTicks, count, bucketTicks } of series) {
      const known = Array.from({ length }, (_, row) => row).filter((row) => (count[row] as number) > 0)
      const times = known.map((row) => startTicks[row] as number)
      expect(Math.min(...times), `of ${key}`).toBeGreaterThan(secondsAgo(SECONDS + BEFORE_SECONDS) - bucketTicks)
      expect(Math.max(...times), `of ${key}`).toBeLessThanOrEqual(SERVER_NOW)
    }
    expect(series.length).toBeGreaterThan(40)
  })

  it.each(AHEAD)('by %i s counts what is done in a second right from the beginning', async (aheadSeconds) => {
    const series = await seriesOf(aheadSeconds)
    const means = (key: SeriesKey): number[] =>
      [...series.find((rows) => rows.key === key)!.mean].filter((mean) => !Number.isNaN(mean))
    // The server in memory counts at whole seconds, of some ten between two responses.
    const isNear = (key: SeriesKey, rate: number): void => {
      expect(means(key).length, `of ${key}`).toBeGreaterThan(3)
      for (const mean of means(key)) expect(Math.abs(mean / rate - 1), `of ${key}`).toBeLessThan(0.2)
    }
    isNear('traffic.requests', HEALTHY.requests)
    isNear('network.sent', HEALTHY.segments.sent)
  })
})
