import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { EVENTS_PER_SECOND, RecordedServer, rowsIn } from '../testing/server/recorded-server.ts'
import { record } from './main.ts'

/** Eight hours in `npm run test:all`. */
const HOURS = Number(process.env['RECORDER_SOAK_HOURS'] ?? '0.025')
/** Within what the server keeps, and far beyond it. */
const [CUT_FROM, CUT_SECONDS] = [40, 20]
const [DOWN_FROM, DOWN_SECONDS] = [3000, 300]
/** Smaller than a recorder's, so that it begins with empty tables several times: in a short run with each fold. */
const [TABLE_BYTES, FOLD_MS] = HOURS < 1 ? [0, 20_000] : [1 << 20, 600_000]
const NONE = { keepMs: null, maxBytes: null }

let folder = ''
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const isIn = (at: number, from: number, length: number): boolean => at >= from && at < from + length
const stateAt = (second: number) => {
  if (isIn(second % 7200, DOWN_FROM, DOWN_SECONDS)) return 'down'
  return isIn(second % 1200, CUT_FROM, CUT_SECONDS) ? 'cut' : 'up'
}

test('hours of a server are in the files once or in a gap, and memory does not grow with them', async () => {
  folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const seconds = Math.round(HOURS * 3600)
  const server = new RecordedServer(seconds)
  const failures: Error[] = []
  const recording = await record({
    to: folder,
    send: null,
    servers: [server.network],
    retention: { classes: { events: NONE, slow: NONE, seconds: NONE, minutes: NONE, rest: NONE }, maxBytes: null },
    limit: 1,
    flushMs: 4000,
    foldMs: FOLD_MS,
    listen: null,
    say: () => undefined,
    tableBytes: TABLE_BYTES,
  })
  recording.over.catch((error: unknown) => failures.push(error as Error))
  const heaps: number[] = []
  for (let second = 0; second < seconds; second++) {
    await server.second(stateAt(second))
    if (HOURS >= 4 && second % 3600 === 3599) heaps.push(heapBytes())
  }
  await recording.stop()
  expect(failures).toEqual([])
  const rows = await rowsIn(folder)
  // Tables that are begun again leave nothing behind that writes the same down.
  expect(rows.heartbeats.length).toBeGreaterThan(seconds / 2)
  expect(new Set(rows.heartbeats).size).toBe(rows.heartbeats.length)
  for (const { name, wrong, missing, unreported } of server.compare(rows)) {
    expect([name, wrong, unreported]).toEqual([name, 0, []])
    // An hour loses what the server no longer had after five minutes, and nothing else.
    expect(missing).toBeLessThan(EVENTS_PER_SECOND * DOWN_SECONDS * Math.ceil(HOURS / 2))
  }
  // The heap also has the events that the test keeps.
  if (heaps.length > 2) expect((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)).toBeLessThan(HEAP_BYTES * HOURS)
}, 3_600_000)

/** Limit of the growth, bytes an hour, for the events that the test keeps. Without them a heap of 62 MB grew by 0.4 MB. */
const HEAP_BYTES = 2 * 3600 * EVENTS_PER_SECOND * 150

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
