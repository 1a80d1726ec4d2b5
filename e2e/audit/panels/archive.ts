import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { formatTicks, type Ticks } from '../../../src/base/ticks.ts'
import type { IoEvent } from '../../../src/testing/server/io-events.ts'
import { IndependentIo } from '../../support/independent-io.ts'
import { rookery, untilSaid, type Rookery } from '../../support/rookery.ts'
import { idle, summaryOf, ticksNow } from '../../support/studio.ts'
import { readOutline } from '../outline.ts'
import type { Report } from '../report.ts'
import { sum } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'
import { claimSummary, reachesInto, startsIn, type Range } from './io.ts'

const PANEL = 'Archive'
const LOAD_MS = 12_000
const WAIT_MS = 90_000

interface Health {
  readonly servers: readonly { readonly liveSources: number; readonly recordedUntilMs: number | null }[]
}

/** A recorder runs beside the server under load, and ends; its archive shows what another client saw. */
export async function auditArchive({ page: first, report }: Visit, { raven, load, kernel }: World): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-audited-'))
  const listener = new IndependentIo(raven.url, load.database)
  const started: Rookery[] = []
  const page = await first.context().newPage()
  page.setDefaultTimeout(WAIT_MS)
  try {
    await listener.opened()
    const recorder = rookery('record', '--server', raven.url, '--to', folder, '--listen', '0')
    started.push(recorder)
    const [, health = ''] = await untilSaid(recorder, /(http:\S+\/healthz)/)
    await untilHealth(health, ({ liveSources }) => liveSources > 1)
    const fromTicks = ticksNow()
    load.start()
    await sleep(LOAD_MS)
    await load.stop()
    const range = { fromTicks, toTicks: ticksNow() }
    const toMs = Date.now()
    await untilHealth(health, ({ recordedUntilMs }) => (recordedUntilMs ?? 0) > toMs)
    recorder.process.kill('SIGTERM')
    await once(recorder.process, 'exit')

    const viewer = rookery('open', folder, '--no-open')
    started.push(viewer)
    const [address] = await untilSaid(viewer, /http:\S+\?archive\S*/)
    await page.goto(address)
    await idle(page)
    const { rows } = await summaryOf(page)
    const source = rows.find((row) => row.feed === 'io' && row.source.endsWith(`/${load.database}`))?.source ?? ''
    const { events } = listener
    await page.evaluate(
      (hash) => (location.hash = hash),
      `#/io?v=2&s=${encodeURIComponent(source)}&range=${String(range.fromTicks)}..${String(range.toTicks)}`,
    )
    await page.getByRole('application', { name: 'I/O timeline' }).waitFor()
    await idle(page)
    const reaching = events.filter((event) => reachesInto(event, range))
    claimSummary(report, await readOutline(page), reaching, range, 'a recording', PANEL)
    const own = events.filter((event) => event.kind === 'JournalWrite' && startsIn(event, range))
    const [fromMs, endMs] = [msOf(range.fromTicks), msOf(range.toTicks)]
    const busy = kernel.rate('busy', fromMs, endMs, { leastMs: -2000, mostMs: 2000 }, 'all')
    await claimSql(page, report, { database: load.database, range, own, busy })
  } finally {
    listener.close()
    await page.close()
    for (const { process } of started) process.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

const msOf = (ticks: number): number => Date.UTC(2020, 0) + ticks / 10_000

async function untilHealth(url: string, holds: (server: Health['servers'][number]) => boolean): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await sleep(500)) {
    const { servers } = (await (await fetch(url)).json()) as Health
    if (servers.some(holds)) return
  }
  throw new Error('The recorder did not get so far.')
}

interface SqlTruth {
  readonly database: string
  readonly range: Range
  readonly own: readonly IoEvent[]
  /** Share of the machine that was busy, by the kernel. */
  readonly busy: { readonly least: number; readonly most: number } | undefined
}

/** Sums of journal writes, and the CPU of the machine, by SQL over the files. */
async function claimSql(page: Page, report: Report, { database, range, own, busy }: SqlTruth): Promise<void> {
  const time = (ticks: number): string =>
    `timestamp '${formatTicks(ticks as Ticks)
      .slice(0, 26)
      .replace('T', ' ')}'`
  const within = `between ${time(range.fromTicks)} and ${time(range.toTicks)}`
  await page.evaluate(() => (location.hash = '#/archive?archive.view=ask'))
  await page.getByLabel('SQL').fill(
    `select count(*) as events, sum(size_bytes) as bytes, max(duration_ms) as slowest, (select avg(value) from vitals where key = 'cpu.machine' and "at" ${within}) as cpu
      from io where source = 'db:${database}' and kind = 'JournalWrite' and "start" ${within}`,
  )
  await page.getByRole('button', { name: 'Run' }).click()
  const cells = page.getByRole('cell')
  await cells.first().waitFor()
  const [events, bytes, slowest, cpu] = await cells.allInnerTexts()
  const of = 'SQL'
  report.claim(PANEL, { figure: 'Journal writes', of, shown: events, truth: own.length })
  report.claim(PANEL, {
    figure: 'Bytes of journal writes',
    of,
    shown: bytes,
    truth: sum(own.map((each) => each.bytes)),
  })
  const longest = Math.max(...own.map(({ durationMs }) => durationMs))
  report.claim(PANEL, {
    figure: 'Slowest journal write',
    of,
    shown: slowest,
    truth: longest,
    allow: { absolute: 0.001, why: 'files have ticks' },
  })
  report.claim(PANEL, {
    figure: 'CPU of the machine',
    of,
    shown: cpu,
    truth: busy && { least: 100 * busy.least, most: 100 * busy.most },
    allow: { absolute: 5, why: 'the server samples once a second, at moments of its own' },
  })
}
