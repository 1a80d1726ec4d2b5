import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileDelays, delayedBy } from '../../../tools/delays/compile.mjs'
import { bulk, createDatabase, put } from '../../../tools/ravendb/client.mjs'
import { IndependentIo } from '../../support/independent-io.ts'
import { startRaven } from '../../support/raven.ts'
import { ticksNow } from '../../support/studio.ts'
import { durationsOf, laneOf, startsIn, type TickRange } from '../io-events.ts'
import { nearestRank } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'
import { comparedTable, compareRanges, type Sides } from './compare.ts'

const DATABASE = 'held'
const SIDE_MS = 25_000
const WRITE_EVERY_MS = 30
/** Syncs soon after each flush, and flushes soon after writes; from the change on each sync holds up the writes beside it. */
const SETTINGS = { 'Storage.TimeToSyncAfterFlushInSec': '1', 'Storage.SyncJournalsCountThreshold': '1' }
const HOLDS = 'sync-of-volume 400 1'
/** The studio's rule: at least this, and four medians. */
const LEAST_MS = 50
const TIMES_MEDIAN = 4
const STEP_MS = 60_000

/** Commits of a server of its own are held up by syncs from a moment on: the comparison counts as many as were. */
export async function auditHeldUp({ page: first, report }: Visit, { raven: { version } }: World): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-held-'))
  const [library, delays] = [await compileDelays(folder), join(folder, 'delays')]
  if (library === null) {
    report.cannotCheck('Compare', ['Stalls'], 'no C compiler (cc) for the shim that holds up writes')
    return
  }
  const own = await startRaven({ version, settings: SETTINGS, env: delayedBy(library, delays) })
  const page = await first.context().newPage()
  page.setDefaultTimeout(STEP_MS)
  await createDatabase(own.url, DATABASE)
  const listener = new IndependentIo(own.url, DATABASE)
  try {
    await listener.opened()
    await page.goto(own.studio(`#/io?v=2&s=db:${DATABASE}`))
    await page.getByRole('application', { name: 'I/O timeline' }).waitFor()
    const free = await writeFor(own.url)
    await writeFile(delays, HOLDS)
    const sides: Sides<TickRange> = [free, await writeFor(own.url)]
    // The server reports within seconds.
    await sleep(7000)
    await compareRanges(page, 'I/O', sides)
    const table = await comparedTable(page)
    const writes = listener.events.filter(
      ({ kind, file }) => kind === 'JournalWrite' && !file.startsWith('recyclable-journal'),
    )
    const lane = laneOf(writes[0]?.path ?? '', DATABASE)
    const row = table?.rows.find(([name = '', kind]) => name.replaceAll('/', '_') === lane && kind === 'Journal write')
    const cell = row?.[table?.columns.indexOf('Stalls') ?? -1] ?? ''
    const ofSides = sides.map((side) => durationsOf(writes.filter((write) => startsIn(write, side))))
    const leastMs = Math.max(LEAST_MS, TIMES_MEDIAN * Math.min(...ofSides.map((each) => nearestRank(each, 0.5))))
    const held = (ofSides[1] ?? []).filter((ms) => ms >= leastMs).length
    if (held === 0) throw new Error('No write was held up, so nothing is compared.')
    const [, before, after] = /^([\d,]+) → ([\d,]+)/.exec(cell) ?? []
    for (const [i, shown] of [before, after].entries())
      report.claim('Compare', {
        figure: 'Stalls',
        of: i === 0 ? 'before syncs hold up writes' : 'while syncs hold up writes',
        shown,
        truth: (ofSides[i] ?? []).filter((ms) => ms >= leastMs).length,
        allow: { why: 'counted by a listener of its own' },
      })
  } finally {
    listener.close()
    await page.close()
    await own.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes that do not compress, at an even rate, so that journals are flushed and synced. The time of it. */
async function writeFor(url: string): Promise<TickRange> {
  const fromTicks = ticksNow()
  for (let n = 0, endMs = Date.now() + SIDE_MS; Date.now() < endMs; n++) {
    await bulk(url, DATABASE, [put(`larges/${n % 500}`, 'Larges', { Text: randomBytes(30_000).toString('hex') })])
    await sleep(WRITE_EVERY_MS)
  }
  return { fromTicks, toTicks: ticksNow() }
}
