import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { parquetReadObjects } from 'hyparquet'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import type { IoEvent } from '../../src/testing/server/io-events.ts'
import { IndependentIo } from '../support/independent-io.ts'
import { expect, test, type Raven } from '../support/raven.ts'
import { rookery, untilSaid } from '../support/rookery.ts'
import { summaryOf } from '../support/studio.ts'

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'The recorder runs the feeds of the page, which other tests hold on all versions.',
)

interface Health {
  readonly healthy: boolean
  readonly servers: readonly {
    readonly liveSources: number
    readonly recordedUntilMs: number | null
    readonly records: Readonly<Record<string, number>>
  }[]
}

const idOf = ({ path, file, startTicks, durationMs, bytes }: Omit<IoEvent, 'kind' | 'start'>): string =>
  [path, file, startTicks, Math.round(durationMs * 10_000), bytes].join('|')

const rowsOf = async (path: string) =>
  parquetReadObjects({
    file: Uint8Array.from(await readFile(path)).buffer,
    compressors: { GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)) },
  })

/** Events of the database in the files of an archive, read by the library alone. */
async function eventsIn(folder: string) {
  const names = await readdir(join(folder, 'io'), { recursive: true })
  const events = []
  for (const name of names.filter((each) => each.endsWith('.parquet'))) {
    for (const row of await rowsOf(join(folder, 'io', name))) {
      if (row['source'] !== 'db:recorded') continue
      const event = {
        path: String(row['path']),
        file: String(row['file']),
        kind: String(row['kind']),
        startTicks: Number((row['start_ticks'] as bigint) - BigInt(Date.UTC(2020, 0)) * 10_000n),
        durationMs: Number(row['duration_ticks']) / 10_000,
        bytes: Number(row['size_bytes']),
      }
      events.push({ ...event, id: idOf(event) })
    }
  }
  return events
}

/** Recorded samples of a figure of the server, read by the library alone: largest and count. */
async function samplesIn(folder: string, key: string) {
  const names = await readdir(join(folder, 'vitals'), { recursive: true })
  const values = new Map<bigint, number>()
  for (const name of names.filter((each) => each.endsWith('.parquet')))
    for (const row of await rowsOf(join(folder, 'vitals', name)))
      if (row['key'] === key) values.set(row['at_ticks'] as bigint, Number(row['value']))
  const all = [...values.values()]
  return { largest: Math.max(...all), count: all.length }
}

interface Sums {
  readonly path: string
  readonly kind: string
  readonly count: number
  readonly bytes: number
}

/** Count and bytes by path and kind. */
function totalsOf(rows: readonly Sums[]): Record<string, { count: number; bytes: number }> {
  const totals: Record<string, { count: number; bytes: number }> = {}
  for (const { path, kind, count, bytes } of rows) {
    const sums = (totals[`${path} ${kind}`] ??= { count: 0, bytes: 0 })
    sums.count += count
    sums.bytes += bytes
  }
  return totals
}

/** Number of completed batches that the server reports for a database. */
async function batchesOf(url: string, database: string): Promise<number> {
  const response = await fetch(`${url}/databases/${database}/indexes/performance`)
  const { Results } = (await response.json()) as { Results: { Performance: { Completed: string | null }[] }[] }
  return Results.flatMap(({ Performance }) => Performance).filter(({ Completed }) => Completed !== null).length
}

/** Records a server under load, opens the files in a page, and holds both against an independent listener. */
async function recordAndOpen(
  page: Page,
  raven: Raven,
  { isKilled, look }: { readonly isKilled: boolean; readonly look: (folder: string, events: number) => Promise<void> },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-archive-'))
  const started: ChildProcess[] = []
  const begin = async (): Promise<{ process: ChildProcess; health: () => Promise<Health> }> => {
    // Nearly each journal write is a stall by this limit.
    const options = ['--listen', '0', '--stacks', '1', '--page', '0']
    const recorder = rookery('record', '--server', raven.url, '--to', folder, ...options)
    started.push(recorder.process)
    const [, url = ''] = await untilSaid(recorder, /(http:\S+)\/healthz/)
    const health = async () => (await (await fetch(`${url}/healthz`)).json()) as Health
    await expect.poll(async () => (await health()).servers[0]?.liveSources ?? 0, { timeout: 90_000 }).toBeGreaterThan(1)
    const [, ownPage = ''] = await untilSaid(recorder, /with this recording: (http:\/\/[^/]+)\/studio/)
    expect(await (await fetch(`${ownPage}/archive`)).json()).toMatchObject({ name: basename(folder) })
    return { process: recorder.process, health }
  }
  const ofKind = async (from: { health: () => Promise<Health> }, kind: string): Promise<number> =>
    (await from.health()).servers[0]?.records[kind] ?? 0
  const untilRecorded = async (by: { health: () => Promise<Health> }, ms: number): Promise<void> =>
    expect
      .poll(async () => (await by.health()).servers[0]?.recordedUntilMs ?? 0, { timeout: 90_000 })
      .toBeGreaterThan(ms)
  const stopped = new AbortController()
  try {
    await createDatabase(raven.url, 'recorded')
    const independent = new IndependentIo(raven.url, 'recorded')
    await independent.opened()
    const first = await begin()
    const load = runWorkload({ url: raven.url, database: 'recorded', signal: stopped.signal, fillRate: 500 })
    await expect.poll(() => ofKind(first, 'io'), { timeout: 90_000 }).toBeGreaterThan(100)
    let last = first
    if (isKilled) {
      first.process.kill('SIGKILL')
      await once(first.process, 'exit')
      last = await begin()
      // The rings are read once more some seconds after a restart, for what the first frame leaves out.
      await untilRecorded(last, Date.now() + 20_000)
    }
    // Other databases of the server have batches, too: a few seconds after the first one of this database it is recorded.
    await expect.poll(() => batchesOf(raven.url, 'recorded'), { timeout: 90_000 }).toBeGreaterThan(0)
    await untilRecorded(last, Date.now() + 8000)
    await expect.poll(() => ofKind(last, 'batch'), { timeout: 90_000 }).toBeGreaterThan(0)
    await expect.poll(() => ofKind(last, 'stacks'), { timeout: 90_000 }).toBeGreaterThan(0)
    stopped.abort()
    await load.catch(() => undefined)
    const rings = await fetch(`${raven.url}/databases/recorded/debug/io-metrics`)
    independent.take(await rings.text())
    independent.close()
    // Events of the listener are still on their way to the recorder: a live socket sends every 3 s.
    const endMs = Math.max(...independent.events.map(({ startTicks, durationMs }) => startTicks / 10_000 + durationMs))
    await untilRecorded(last, Date.UTC(2020, 0) + endMs)
    last.process.kill('SIGTERM')
    await once(last.process, 'exit')

    const viewer = rookery('open', folder, '--no-open')
    started.push(viewer.process)
    const [address] = await untilSaid(viewer, /http:\S+\?archive/)
    await page.goto(address)
    const written = await eventsIn(folder)
    const ownIn = (rows: Awaited<ReturnType<typeof summaryOf>>['rows'], of: string) =>
      rows.filter(({ source, feed }) => feed === of && source.endsWith('/recorded'))
    // The page shows what is in the files, once it has read them all.
    const wanted = totalsOf(written.map((event) => ({ ...event, count: 1 })))
    await expect
      .poll(
        async () => {
          const { rows } = await summaryOf(page)
          const own = ownIn(rows, 'io').map(({ environmentPath, kind, count, bytes }) => ({
            path: environmentPath,
            kind,
            count,
            bytes,
          }))
          return { isIndexing: ownIn(rows, 'indexing').length > 0, totals: totalsOf(own) }
        },
        { timeout: 90_000 },
      )
      .toEqual({ isIndexing: true, totals: wanted })
    const { rows, gaps } = await summaryOf(page)
    const own = ownIn(rows, 'io')
    const times = new Map<string, number>()
    for (const { id } of written) times.set(id, (times.get(id) ?? 0) + 1)
    const lost = independent.events.filter((event) => !times.has(idOf(event)))
    const unreported = lost.filter(
      ({ path, kind }) =>
        !gaps.some(
          (gap) => (gap.lane === null || gap.lane.endsWith(`|${path}`)) && (gap.kind === null || gap.kind === kind),
        ),
    )
    expect(unreported, 'events that the listener has, and neither files nor gaps').toEqual([])
    expect(written.length, 'each event is in the files once').toBe(times.size)

    const slowestOf = (durations: readonly number[]): number => Math.max(...durations)
    expect(slowestOf(own.map(({ slowestMs }) => slowestMs ?? 0))).toBeCloseTo(
      slowestOf(written.map(({ durationMs }) => durationMs)),
      3,
    )

    await look(folder, written.length)
  } finally {
    stopped.abort()
    await page.goto('about:blank')
    for (const child of started) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

const go = (page: Page, hash: string): Promise<string> => page.evaluate((next) => (location.hash = next), hash)

/** Chooses the recorded hours of the calendar, and returns what happened in them. */
async function chooseHours(page: Page): Promise<Locator> {
  await go(page, '#/archive')
  const hours = page.getByRole('list', { name: 'Days, newest first' }).getByRole('button', { name: /I\/O events/ })
  // The test may run over a full hour, of which either part has not all feeds.
  await hours.first().click()
  await hours.last().click({ modifiers: ['Shift'] })
  return page.getByRole('region', { name: 'What happened' })
}

/** Opens the recorded hours in a panel. */
async function openHour(page: Page, panel: string): Promise<void> {
  const happened = await chooseHours(page)
  await happened.getByRole('link', { name: panel }).click()
}

/** Panel Vitals has the samples of the files. */
async function expectSamples(page: Page, folder: string): Promise<void> {
  await openHour(page, 'Vitals')
  await expect(page.getByText(/\d+ figures of \S+, recorded from /)).toBeVisible()
  await page.getByRole('button', { name: 'Fit all' }).click()
  await page.getByRole('button', { name: 'Table' }).click()
  const samples = await samplesIn(folder, 'cpu.machine')
  expect(samples.count).toBeGreaterThan(5)
  const cells = page.getByRole('row', { name: /CPU of the machine/ }).getByRole('cell')
  const largest = `${samples.largest.toLocaleString('en-US', { maximumSignificantDigits: 3 })} %`
  await expect(cells.filter({ hasText: largest }).first()).toBeVisible()
}

/** Thread that writes the journal of the database. */
const MERGER = "'recorded' TxMT"

/** Panel Stacks has a snapshot with the threads that the server listed, and says for which write it was taken. */
async function expectStacks(page: Page, folder: string): Promise<void> {
  const files = (await readdir(join(folder, 'stacks'), { recursive: true })).filter((name) => name.endsWith('.parquet'))
  const [first] = (await Promise.all(files.map((name) => rowsOf(join(folder, 'stacks', name))))).flat()
  const detail = first?.['detail'] as { readonly Threads: readonly { readonly Name: string }[] } | undefined
  expect(detail?.Threads.map(({ Name }) => Name)).toContain(MERGER)
  const happened = await chooseHours(page)
  const row = happened.getByRole('table', { name: 'Stack snapshots' }).getByRole('row', { name: /Journal write of/ })
  await expect(row.first()).toContainText(String(first?.['title']))
  await row.first().getByRole('link').click()
  await expect(page.getByText(`Taken by the recorder: ${String(first?.['title'])}.`)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search threads and frames' }).fill(MERGER)
  await expect(page.getByRole('row', { name: MERGER }).first()).toBeVisible()
}

test('what a recorder writes opens with all that an independent listener saw, or gaps say so', async ({
  page,
  raven,
}) => {
  test.setTimeout(300_000)
  await recordAndOpen(page, raven, {
    isKilled: false,
    look: async (folder) => {
      await expectSamples(page, folder)
      await expectStacks(page, folder)
    },
  })
})

test('what a killed and restarted recorder wrote opens the same, on every panel and in SQL @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(400_000)
  await recordAndOpen(page, raven, {
    isKilled: true,
    look: async (folder, events) => {
      // The calendar has the hour with a part of the events, its figures are a lane, and SQL counts the same events.
      await openHour(page, 'Timeline')
      await expect(page.getByRole('region', { name: 'CPU', exact: true }).locator('summary')).toHaveText(
        /^CPU: Machine mean \d/,
      )

      await expectSamples(page, folder)
      await go(page, '#/archive?archive.view=ask')
      await page.getByLabel('SQL').fill(`select count(*) as counted from io where source = 'db:recorded'`)
      await page.getByRole('button', { name: 'Run' }).click()
      await expect(page.getByRole('cell', { name: String(events), exact: true })).toBeVisible()
    },
  })
})
