import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bulk, databasePath, json, put } from '../../../tools/ravendb/client.mjs'
import { bulkInsertSlowly } from '../../support/bulk-insert.ts'
import { IndependentIo } from '../../support/independent-io.ts'
import { idle, lookAtRange } from '../../support/studio.ts'
import type { TickRange } from '../io-events.ts'
import { labelRows, ticksOfMs } from '../label-rows.ts'
import { MergerRecord } from '../merger.ts'
import { readOutline } from '../outline.ts'
import { Recorder } from '../recorder.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'
import { claimEvidence, claimShares, STEP_MS } from './bottleneck.ts'
import {
  claimLines,
  claimSampled,
  comparedTable,
  compareRanges,
  gapsOf,
  type SampledTruth,
  type Sides,
} from './compare.ts'
import { linesOf } from './io-lines.ts'
import { claimOperations } from './operation-lanes.ts'

/** Time until the page has read the figures that only a busy database has. */
const WARM_MS = 25_000
/** Time of each kind of load. */
const PHASE_MS = 60_000
/** Time in which polls of 20 s run once more, and the end of the operation is listed. */
const SETTLE_MS = 30_000
const WRITERS = 3
const BATCH = 20

/** First a client that sends slowly, then several that do not wait: the lanes below the I/O say what limits the server. */
export async function auditLimits(visit: Visit, world: World): Promise<void> {
  const { page, report, health } = visit
  const { raven, load } = world
  await load.stop()
  await page.goto(raven.studio(`#/io?v=1&s=db:${load.database}`))
  await page.getByRole('application', { name: 'I/O timeline' }).waitFor()
  await page.getByText('UTC', { exact: true }).click()
  const listener = new IndependentIo(raven.url, load.database)
  const merger = new MergerRecord(raven.url, load.database)
  await listener.opened()
  await idle(page)
  merger.start()
  const operations = operationRecorder(raven.url, load.database)
  operations.recorder.start()
  try {
    const beganMs = Date.now()
    const slow = new AbortController()
    const sending = bulkInsertSlowly(raven.url, load.database, slow.signal, (documents) => {
      load.documents += documents - operations.sent
      operations.sent = documents
    })
    await sleep(WARM_MS + PHASE_MS)
    slow.abort()
    const sent = await sending
    const betweenMs = Date.now()
    await writeBusily(world, betweenMs + PHASE_MS)
    const endMs = Date.now()
    load.start()
    await sleep(SETTLE_MS)
    const whole = (ms: number, round: (value: number) => number): number => round(ms / STEP_MS) * STEP_MS
    const [first, last] = [whole(beganMs + WARM_MS, Math.ceil), whole(endMs, Math.floor)]
    const range = { fromTicks: ticksOfMs(first), toTicks: ticksOfMs(last) }
    await lookAtRange(page, range.fromTicks, range.toTicks)
    for (const lane of ['Bottleneck', 'Operations'])
      await page.getByRole('region', { name: lane, exact: true }).locator('summary').click()
    await idle(page)
    const outline = await readOutline(page)
    health.read(outline)
    const events = listener.events.filter(({ file }) => !file.startsWith('recyclable-journal'))
    const known = { world, merger, events }
    const within = labelRows(outline, 'Bottleneck').filter(({ fromMs, toMs }) => fromMs >= first && toMs <= last)
    claimEvidence(report, within, known)
    const summary = await page.getByRole('region', { name: 'Bottleneck', exact: true }).locator('summary').innerText()
    claimShares(report, summary, range, known)
    // From before it began.
    await lookAtRange(page, ticksOfMs(beganMs - STEP_MS), range.toTicks)
    await idle(page)
    const lanes = labelRows(await readOutline(page), 'Operations')
    claimOperations(report, lanes, { sent, recorder: operations.recorder, merger })
    report.cannotCheck('Bottleneck', ['GC pauses', 'Queue of a volume'], 'only the server knows them')
    const middle = [whole(betweenMs, Math.floor), whole(betweenMs, Math.ceil)] as const
    const sides: Sides<TickRange> = [
      { fromTicks: range.fromTicks, toTicks: ticksOfMs(middle[0]) },
      { fromTicks: ticksOfMs(middle[1]), toTicks: range.toTicks },
    ]
    await compareRanges(page, 'I/O', sides)
    const table = await comparedTable(page)
    claimLines(report, table, 'I/O, live', linesOf(events, load.database, sides, await gapsOf(page, load.database)))
    await auditServerSides(visit, page, world, [
      [first, middle[0]],
      [middle[1], last],
    ])
  } finally {
    listener.close()
    await Promise.all([merger.stop(), operations.recorder.stop()])
  }
}

/** Several clients, each of which sends the next transaction when the one before is over. */
async function writeBusily({ raven, load }: World, endMs: number): Promise<void> {
  const write = async (writer: number): Promise<void> => {
    for (let id = 0; Date.now() < endMs; id += BATCH) {
      const commands = Array.from({ length: BATCH }, (_, i) =>
        put(`busy/${writer}-${id + i}`, 'Busy', { Text: 'z'.repeat(4000) }),
      )
      await bulk(raven.url, load.database, commands)
      load.documents += BATCH
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
}

interface Listed {
  readonly Results: readonly {
    readonly Description: { readonly TaskType: string }
    readonly State: { readonly Progress: { readonly BatchCount?: number } | null }
  }[]
}

/** Documents sent so far, and batches that the server has counted of them. */
function operationRecorder(url: string, database: string) {
  let batches = 0
  const own = { sent: 0, recorder: new Recorder(500, sample) }
  async function sample(): Promise<Record<string, number>> {
    const { Results } = (await json(url, `${databasePath(database)}/operations`)) as Listed
    const bulkInsert = Results.find(({ Description }) => Description.TaskType === 'BulkInsert')
    batches = bulkInsert?.State.Progress?.BatchCount ?? batches
    return { sent: own.sent, batches }
  }
  return own
}

const MEBIBYTE = 2 ** 20
const CPU_LAG = { leastMs: 0, mostMs: 4000 }
const POLL_LAG = { leastMs: 0, mostMs: 12_000 }
const MEMORY_AGE_MS = 30_000

/** The means of two times, by the kernel and by what endpoints count up. */
async function auditServerSides(
  { report }: Visit,
  page: Page,
  { kernel, server }: World,
  sides: Sides<readonly [number, number]>,
): Promise<void> {
  await page.getByRole('radio', { name: 'Server' }).click()
  const cpu = { absolute: 0.04, why: 'whole percents that the server cuts off, each of one second' }
  const both = <Of>(of: (fromMs: number, toMs: number) => Of): Sides<Of> => [of(...sides[0]), of(...sides[1])]
  const memory = (name: string, keys: readonly string[], mebibytes: number): SampledTruth => ({
    name,
    group: 'Memory',
    means: both((fromMs, toMs) =>
      kernel.combined(
        (values) => keys.reduce((all, key) => all + (values[key] ?? Number.NaN), 0),
        fromMs - MEMORY_AGE_MS,
        toMs,
      ),
    ),
    allow: { absolute: mebibytes * MEBIBYTE, why: 'it is asked every 15 s, and changes between' },
  })
  claimSampled(report, await comparedTable(page), [
    {
      name: 'CPU of the machine',
      group: 'CPU',
      means: both((fromMs, toMs) => kernel.rate('busy', fromMs, toMs, CPU_LAG, 'all')),
      allow: cpu,
    },
    {
      name: 'CPU of the server',
      group: 'CPU',
      means: both((fromMs, toMs) => kernel.rate('process', fromMs, toMs, CPU_LAG, 'all')),
      allow: cpu,
    },
    {
      name: 'Requests',
      group: 'Traffic',
      means: both((fromMs, toMs) => server.rate('requests', fromMs, toMs, POLL_LAG)),
      allow: { relative: 0.1, why: 'it is asked every 10 s, so that its ends are others' },
    },
    memory('Available', ['MemAvailable'], 96),
    memory('Free', ['MemFree'], 96),
    memory('Resident', ['VmRSS'], 24),
    memory('Private', ['RssAnon', 'RssShmem'], 24),
  ])
}
