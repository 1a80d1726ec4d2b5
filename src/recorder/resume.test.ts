import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import { FIGURES } from '../capture/archive/tables.ts'
import { copyAsKilled, RecordedServer, type RecordedRows, rowsIn } from '../testing/server/recorded-server.ts'
import { record, type Recording } from './main.ts'

/** In `npm run test:all` only: folds use real files under a test clock, so that their moments vary with the machine. */
const isGate = process.env['RECORDER_SOAK_HOURS'] === undefined
const NONE = { keepMs: null, maxBytes: null }
/** Longer than the server's rings last: 256 events of 4 a second. */
const DOWN_SECONDS = 75

let folder = ''
const running: Recording[] = []
afterEach(async () => {
  for (const recording of running.splice(0)) await recording.stop()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

/** `tableBytes` 0: with each fold, the recorder begins again with empty tables. */
async function start(server: RecordedServer, to: string, tableBytes?: number): Promise<Recording> {
  const recording = await record({
    to,
    send: null,
    servers: [server.network],
    retention: { classes: { events: NONE, slow: NONE, seconds: NONE, minutes: NONE, rest: NONE }, maxBytes: null },
    limit: 1,
    flushMs: 1000,
    foldMs: 20_000,
    listen: null,
    say: () => undefined,
    tableBytes,
  })
  running.push(recording)
  return recording
}

/** Starts a recorder on what a killed one left on the disk. */
async function kill(server: RecordedServer, from: string, to: string): Promise<Recording> {
  copyAsKilled(from, to)
  await running.pop()?.stop()
  return start(server, to)
}

/** Seconds without figures that no gap of them covers. */
function unreportedSeconds({ heartbeats, gaps }: RecordedRows): number[] {
  const own = gaps.filter(({ lane }) => lane === FIGURES)
  const times = heartbeats.toSorted((a, b) => a - b)
  return times.flatMap((from, at) => {
    const to = times[at + 1]
    // A lane has no gap for less than ten seconds without figures.
    if (to === undefined || to - from <= 10 * TICKS_PER_SECOND) return []
    const isSaid = (ticks: number): boolean =>
      own.some((gap) => gap.from - TICKS_PER_SECOND <= ticks && gap.to + TICKS_PER_SECOND >= ticks)
    const seconds = Array.from({ length: Math.floor((to - from) / TICKS_PER_SECOND) }, (_, second) => second)
    return seconds.flatMap((second) => (isSaid(from + second * TICKS_PER_SECOND) ? [] : [second]))
  })
}

test.skipIf(isGate)(
  'a gap that is open while the tables are begun again is written once',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'resume-'))
    const server = new RecordedServer(200)
    const recording = await start(server, join(folder, 'a'), 0)
    await server.seconds(30)
    await server.seconds(DOWN_SECONDS, 'down')
    // Its figures come before its version.
    server.fake.raven.on(/^\/build\/version/, () => new Error('not yet'))
    await server.seconds(10)
    server.fake.raven.routes.shift()
    await server.seconds(35)
    await recording.stop()
    const rows = await rowsIn(join(folder, 'a'))
    for (const { name, wrong, missing, covered, unreported } of server.compare(rows)) {
      expect([name, wrong, covered, unreported]).toEqual([name, 0, 0, []])
      expect(missing).toBeGreaterThan(0)
      const own = rows.gaps.filter(({ source, lane }) => source === `db:${name}` && lane === null)
      expect(own).toHaveLength(1)
      // The tables may be begun again just before the outage is seen: they never met the server.
      expect(['server-stopped', 'not-watched']).toContain(own[0]?.reason)
      expect(own[0]?.detail).not.toBe('The recorder was not running.')
    }
    expect(rows.heartbeats.length).toBeGreaterThan(30)
    expect(unreportedSeconds(rows)).toEqual([])
  },
  60_000,
)

test.skipIf(isGate)(
  'an outage is a gap although the recorder is killed twice during it',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'resume-'))
    const server = new RecordedServer(300)
    await start(server, join(folder, 'a'))
    await server.seconds(30)
    await server.seconds(12, 'down')
    await kill(server, join(folder, 'a'), join(folder, 'b'))
    // Long enough for a fold, whose journal is all that the next recorder knows.
    await server.seconds(30, 'down')
    const last = await kill(server, join(folder, 'b'), join(folder, 'c'))
    await server.seconds(DOWN_SECONDS - 42, 'down')
    await server.seconds(45)
    await last.stop()
    const rows = await rowsIn(join(folder, 'c'))
    for (const { name, wrong, missing, covered, unreported } of server.compare(rows)) {
      expect([name, wrong, covered, unreported]).toEqual([name, 0, 0, []])
      expect(missing).toBeGreaterThan(0)
    }
    expect(rows.heartbeats.length).toBeGreaterThan(30)
    expect(unreportedSeconds(rows)).toEqual([])
  },
  60_000,
)

test.skipIf(isGate)(
  'a gap that has just ended survives empty tables and a kill',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'resume-'))
    const server = new RecordedServer(300)
    await start(server, join(folder, 'a'), 0)
    await server.seconds(25)
    await server.seconds(DOWN_SECONDS, 'down')
    const kills: string[] = []
    // Also between a frame and the next report of gaps, which comes every five seconds, and after a fold.
    for (const seconds of [2, 2, 3, 5, 10]) {
      await server.seconds(seconds)
      const to = join(folder, `killed-${String(kills.length)}`)
      copyAsKilled(join(folder, 'a'), to)
      kills.push(to)
    }
    await running.pop()?.stop()
    const seen = server.fake.nowTicks
    for (const to of kills) {
      const recording = await start(server, to)
      await server.seconds(8)
      await recording.stop()
      running.pop()
      const rows = await rowsIn(to)
      for (const { name, wrong, covered, unreported } of server.compare(rows))
        expect([to, name, wrong, covered, unreported.filter((start) => start < seen)]).toEqual([to, name, 0, 0, []])
      expect([to, unreportedSeconds(rows)]).toEqual([to, []])
    }
  },
  120_000,
)

test.skipIf(isGate)(
  'an outage during which the recorder is stopped and started is written once',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'resume-'))
    const server = new RecordedServer(200)
    const to = join(folder, 'a')
    const first = await start(server, to)
    await server.seconds(30)
    await server.seconds(20, 'down')
    await first.stop()
    running.pop()
    const second = await start(server, to)
    await server.seconds(DOWN_SECONDS - 20, 'down')
    await server.seconds(20)
    await second.stop()
    const rows = await rowsIn(to)
    for (const { name, unreported } of server.compare(rows)) {
      const own = rows.gaps.filter(({ source, lane }) => source === `db:${name}` && lane === null)
      const twice = own.filter((gap, at) =>
        own.some((other, of) => of < at && other.from < gap.to && gap.from < other.to),
      )
      expect([own.length > 1, twice, unreported]).toEqual([true, [], []])
    }
  },
  60_000,
)
