import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import { readManifest } from '../capture/archive/manifest.ts'
import { RecordedServer, rowsIn } from '../testing/server/recorded-server.ts'
import { record, type Recording } from './main.ts'

const NONE = { keepMs: null, maxBytes: null }
const SECONDS = 45

let folder = ''
const running: Recording[] = []
afterEach(async () => {
  for (const recording of running.splice(0)) await recording.stop()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

type Jump = (server: RecordedServer, seconds: number) => void
const ofServer: Jump = (server, seconds) => server.fake.setAhead(seconds)
const ofRecorder: Jump = (_, seconds) => void vi.setSystemTime(Date.now() + seconds * 1000)

test.each([
  ['server', 'ahead and back', ofServer, [3600, -3600]],
  ['server', 'back and ahead', ofServer, [-3600, 3600]],
  ['server', 'back a little, twice', ofServer, [-60, -60]],
  ['recorder', 'ahead and back', ofRecorder, [3600, -3600]],
  ['recorder', 'back and ahead', ofRecorder, [-3600, 3600]],
] as const)(
  'a clock of the %s that goes %s leaves each row once, and no span that ends before it begins',
  async (whose, __, jump, jumps) => {
    folder = mkdtempSync(join(tmpdir(), 'clocks-'))
    const server = new RecordedServer(400)
    const recording = await record({
      to: folder,
      send: null,
      servers: [server.network],
      retention: { classes: { events: NONE, slow: NONE, seconds: NONE, minutes: NONE, rest: NONE }, maxBytes: null },
      limit: 1,
      flushMs: 1000,
      foldMs: 20_000,
      listen: null,
      say: () => undefined,
    })
    running.push(recording)
    await server.seconds(SECONDS)
    for (const by of jumps) {
      jump(server, by)
      await server.seconds(SECONDS)
    }
    await recording.stop()
    running.pop()
    const rows = await rowsIn(folder)
    const { files } = readManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    expect(files.flatMap(({ path, minTicks, maxTicks }) => (minTicks > maxTicks ? path : []))).toEqual([])
    for (const { name, wrong, missing } of server.compare(rows)) expect([name, wrong, missing]).toEqual([name, 0, 0])
    expect(rows.heartbeats).toHaveLength(3 * SECONDS)
    expect(rows.gaps.filter(({ from, to }) => to < from)).toEqual([])
    // Only a clock of the server that is set ahead leaves a time that never was, also where it is set back later.
    const long = rows.gaps.filter(({ from, to }) => to - from > 15 * TICKS_PER_SECOND)
    const isAhead = whose === 'server' && jumps.some((by) => by > 0)
    expect([...new Set(long.map(({ reason }) => reason))]).toEqual(isAhead ? ['clock-jumped'] : [])
  },
  120_000,
)
