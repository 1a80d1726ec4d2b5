import type { Page } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import { json, databasePath } from '../../../tools/ravendb/client.mjs'
import { IoEvents, type IoEvent } from '../../support/independent-io.ts'
import { idle, lookAtRange } from '../../support/studio.ts'
import { readOutline, type ShownTable } from '../outline.ts'
import type { Report } from '../report.ts'
import { nearestRank, sum } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

/** Of load, of which the server keeps the newest events of each file and kind. */
const LOAD_MS = 10_000
/** What a page does not show for so long it will not show. */
const STEP_MS = 60_000
const TITLES: Readonly<Record<string, string>> = {
  JournalWrite: 'Journal write',
  DataFlush: 'Data flush',
  DataSync: 'Data sync',
  Compression: 'Compression',
}

/** What the server tells of I/O when it is asked, opened as a file: what is judged and compared, and what is not live. */
export async function auditEvidence({ page: first, report }: Visit, world: World): Promise<void> {
  const { raven, load } = world
  load.start(100)
  await sleep(LOAD_MS)
  await load.stop()
  const text = JSON.stringify(await json(raven.url, `${databasePath(load.database)}/debug/io-metrics`))
  const read = new IoEvents()
  read.take(text)
  // Zeroing a journal for its next use is reported as a write, and is no commit.
  const events = read.events.filter(({ file }) => !file.startsWith('recyclable-journal'))
  const page = await first.context().newPage()
  page.setDefaultTimeout(STEP_MS)
  try {
    await page.goto(raven.studio())
    const file = { name: 'io.json', mimeType: 'application/json', buffer: Buffer.from(text) }
    await page.getByLabel('Open files', { exact: true }).setInputFiles(file)
    await page.getByRole('region', { name: 'I/O', exact: true }).waitFor()
    await page.getByText('UTC', { exact: true }).click()
    await auditDistribution(page, report, events)
    await auditStalls(page, report, events, foldedWrites(text))
    await auditCompare(page, report, events, load.database)
  } finally {
    await page.close()
  }
}

async function auditDistribution(page: Page, report: Report, all: readonly IoEvent[]): Promise<void> {
  const starts = all.map(({ startTicks }) => startTicks)
  const [from, to] = [Math.min(...starts), Math.max(...starts) + 1]
  const middle = Math.floor((from + to) / 2)
  await page.getByRole('button', { name: 'Distribution' }).click()
  for (const [of, fromTicks, toTicks] of [
    ['all', from, to],
    ['second half', middle, to],
  ] as const) {
    await lookAtRange(page, fromTicks, toTicks)
    await idle(page)
    const section = (await readOutline(page)).find('region', 'Distribution of durations')
    const curves = section?.find('img', /^Share of events that take less\./)?.name ?? ''
    for (const [kind, title] of Object.entries(TITLES)) {
      const events = all.filter(
        (each) => each.kind === kind && each.startTicks >= fromTicks && each.startTicks < toTicks,
      )
      if (events.length === 0) continue
      const shownCount = new RegExp(`${title} ([\\d,]+)`).exec(section?.text ?? '')?.[1]
      report.claim('Distribution', { figure: `${title}: events`, of, shown: shownCount, truth: events.length })
      const durations = durationsOf(events)
      for (const [name, share] of [
        ['p50', 0.5],
        ['p99', 0.99],
      ] as const) {
        const shown = new RegExp(`${title}: p50 ([^,]+), p99 ([^.]+(?:\\.\\d[^.]*)?)`).exec(curves)?.[
          share === 0.5 ? 1 : 2
        ]
        report.claim('Distribution', { figure: `${title}: ${name}`, of, shown, truth: nearestRank(durations, share) })
      }
    }
  }
}

/** All that took so long, whatever the median, and what of them is shown. */
async function auditStalls(
  page: Page,
  report: Report,
  all: readonly IoEvent[],
  folded: readonly number[],
): Promise<void> {
  const writes = all.filter(({ kind }) => kind === 'JournalWrite')
  const durations = durationsOf(writes)
  // A whole number of ms that a few of them took, and more than the median of any environment.
  const medians = [...grouped(writes, ({ path }) => path).values()].map((of) => nearestRank(durationsOf(of), 0.5))
  const wantedMs = Math.max(1, Math.floor(nearestRank(durations, 0.9)), Math.ceil(Math.max(...medians)))
  // The rule as it comes is not in the address, which shows below that it was taken.
  const leastMs = wantedMs === 50 ? 51 : wantedMs
  const stalls = writes
    .filter(({ durationMs }) => durationMs >= leastMs)
    .toSorted((a, b) => b.durationMs - a.durationMs)
  await page.getByRole('link', { name: 'Stalls', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  for (const [label, value] of [
    ['At least', leastMs],
    ['Times the median', 1],
  ] as const) {
    await panel.getByLabel(label).fill(String(value))
    await panel.getByLabel(label).press('Enter')
  }
  await page.waitForFunction((least) => location.hash.includes(`stalls.least=${String(least)}`), leastMs)
  await idle(page)
  const outline = await readOutline(page)
  const causes = outline.table('Verdict on each cause')
  const counts = STALL_CAUSES.map((cause) => Number((causes?.cell(cause, 'Stalls') ?? 'NaN').replaceAll(',', '')))
  report.claim('Stalls', { figure: 'of all causes', shown: String(sum(counts)), truth: stalls.length })
  for (const [i, cause] of STALL_CAUSES.entries()) {
    const truth = (counts[i] ?? Number.NaN) / (stalls.length + folded.filter((most) => most >= leastMs).length)
    if (stalls.length > 0)
      report.claim('Stalls', { figure: 'Share', of: cause, shown: causes?.cell(cause, 'Share'), truth })
  }
  const longest = [...stalls.map(({ durationMs }) => durationMs), ...folded.filter((most) => most >= leastMs)]
    .toSorted((a, b) => b - a)
    .slice(0, 5)
  const shown = outline.table('Stalls')
  const at = (column: string): number => shown?.columns.indexOf(column) ?? -1
  for (const [i, truth] of longest.entries()) {
    const row = shown?.rows[i]
    report.claim('Stalls', { figure: 'Duration', of: `${i + 1}`, shown: row?.[at('Duration')], truth })
    const own = stalls.find(({ durationMs }) => durationMs === truth)
    if (own === undefined || longest.filter((other) => other === truth).length > 1) continue
    report.claim('Stalls', { figure: 'Size', of: `${i + 1}`, shown: row?.[at('Size')], truth: own.bytes })
    const start = own.start.slice(0, 27).replace('T', ' ').replace('Z', '')
    report.claim('Stalls', {
      figure: 'Start',
      of: `${i + 1}`,
      shown: row?.[at('Start')]?.slice(0, start.length),
      truth: start,
    })
  }
}
const STALL_CAUSES = [
  'Data sync',
  'Large commit beside it',
  'Own size',
  'Throughput limit',
  'Outside of the volumes',
  'Unexplained',
]

/** The first half of the time against the second one. */
async function auditCompare(page: Page, report: Report, all: readonly IoEvent[], database: string): Promise<void> {
  const starts = all.map(({ startTicks }) => startTicks)
  const [from, to] = [Math.min(...starts), Math.max(...starts) + 1]
  const middle = Math.floor((from + to) / 2)
  await page.getByRole('link', { name: 'I/O', exact: true }).click()
  const io = page.getByRole('region', { name: 'I/O', exact: true })
  const sides = [
    ['before', from, middle],
    ['after', middle, to],
  ] as const
  for (const [side, fromTicks, toTicks] of sides) {
    await lookAtRange(page, fromTicks, toTicks)
    await idle(page)
    await io.getByRole('button', { name: 'Compare the range in view' }).click()
    await page.getByRole('menuitem', { name: `Use as ${side}` }).click()
  }
  await page.getByRole('table', { name: 'Before against after, line by line' }).waitFor()
  await idle(page)
  const table = (await readOutline(page)).table('Before against after, line by line')
  for (const [path, ofLane] of grouped(all, (event) => event.path))
    for (const [kind, events] of grouped(ofLane, (event) => event.kind))
      claimLine(
        report,
        { table, lane: laneOf(path, database), kind },
        sides.map(([, fromTicks, toTicks]) =>
          events.filter(({ startTicks }) => startTicks >= fromTicks && startTicks < toTicks),
        ),
      )
}

interface ShownLine {
  readonly table: ShownTable | undefined
  readonly lane: string
  readonly kind: string
}

function claimLine(report: Report, { table, lane, kind }: ShownLine, sides: readonly (readonly IoEvent[])[]): void {
  const title = TITLES[kind]
  if (title === undefined || sides.every((events) => events.length === 0)) return
  const row = table?.rows.find(([name = '', of]) => name.replaceAll('/', '_') === lane && of === title)
  const truths: Readonly<Record<string, (events: readonly IoEvent[]) => number>> = {
    Events: (events) => events.length,
    p50: (events) => nearestRank(durationsOf(events), 0.5),
    p90: (events) => nearestRank(durationsOf(events), 0.9),
    p99: (events) => nearestRank(durationsOf(events), 0.99),
    Longest: (events) => nearestRank(durationsOf(events), 1),
    Bytes: (events) => sum(events.map(({ bytes }) => bytes)),
  }
  for (const [column, truthOf] of Object.entries(truths)) {
    const [before, after] = (row?.[table?.columns.indexOf(column) ?? -1] ?? '').split(' → ')
    for (const [i, shown] of [before, after].entries()) {
      const truth = truthOf(sides[i] ?? [])
      // Of no event, a dash: which is what has no number.
      if (Number.isNaN(truth) || (sides[i] ?? []).length === 0) continue
      report.claim('Compare', {
        figure: column,
        of: `${lane}, ${title}, ${i === 0 ? 'before' : 'after'}`,
        shown,
        truth,
      })
    }
  }
}

function grouped(events: readonly IoEvent[], keyOf: (event: IoEvent) => string): Map<string, IoEvent[]> {
  const groups = new Map<string, IoEvent[]>()
  for (const event of events) groups.set(keyOf(event), [...(groups.get(keyOf(event)) ?? []), event])
  return groups
}

const durationsOf = (events: readonly IoEvent[]): number[] =>
  events.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)

/** As the studio calls an environment: by its folder, and the one of the database by what it holds. */
function laneOf(path: string, database: string): string {
  const folder = path.split('/').at(-1) ?? path
  return folder === database ? 'Documents' : folder
}

/** The longest journal write of each sum. */
function foldedWrites(text: string): number[] {
  const { Environments } = JSON.parse(text) as {
    Environments: { Files: { File: string; History: { Type: string; MaxDuration: number }[] }[] }[]
  }
  return Environments.flatMap(({ Files }) => Files)
    .filter(({ File }) => !File.startsWith('recyclable-journal'))
    .flatMap(({ History }) => History)
    .filter(({ Type }) => Type === 'JournalWrite')
    .map(({ MaxDuration }) => MaxDuration)
}
