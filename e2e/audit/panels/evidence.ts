import type { Page } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import { json, databasePath } from '../../../tools/ravendb/client.mjs'
import { IoEvents, ticksOf, type IoEvent } from '../../../src/testing/server/io-events.ts'
import { idle, inAddress, lookAtRange } from '../../support/studio.ts'
import { durationsOf, grouped, halvesOf, KIND_TITLES, laneOf, lengthOf, medianOf, startsIn } from '../io-events.ts'
import { readOutline, type Outline } from '../outline.ts'
import type { Report } from '../report.ts'
import { nearestRank, sum } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'
import { claimLines, comparedTable, compareRanges } from './compare.ts'
import { auditHeat } from './heat.ts'
import { linesOf } from './io-lines.ts'
import { openPanel } from '../../support/panels.ts'

/** Time under load; the server keeps only the newest events of each file and kind. */
const LOAD_MS = { whole: 10_000, short: 6000 }
/** A page that does not show something for so long will never show it. */
const STEP_MS = 60_000
const TICKS_PER_MS = 10_000

/** I/O rings of the server, opened as a file: the figures of stalls and comparisons, without live data. */
export async function auditEvidence({ page: first, report, isWhole }: Visit, world: World): Promise<void> {
  const { raven, load } = world
  load.start(100)
  await sleep(isWhole ? LOAD_MS.whole : LOAD_MS.short)
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
    await auditHeat(page, report, events, { database: load.database, isWhole })
    await auditStalls(page, report, events, foldedWrites(text), load.database)
    await auditCompare(page, report, events, load.database)
  } finally {
    await page.close()
  }
}

async function auditDistribution(page: Page, report: Report, all: readonly IoEvent[]): Promise<void> {
  const [before, after] = halvesOf(all)
  await page.getByRole('button', { name: 'Distribution' }).click()
  await inAddress(page, 'io.distribution=')
  for (const [of, range] of [
    ['all', { ...after, fromTicks: before.fromTicks }],
    ['second half', after],
  ] as const) {
    await lookAtRange(page, range.fromTicks, range.toTicks)
    await idle(page)
    const section = (await readOutline(page)).find('region', 'Distribution of durations')
    const curves = section?.find('img', /^Share of events that take less\./)?.name ?? ''
    for (const [kind, title] of Object.entries(KIND_TITLES)) {
      const events = all.filter((each) => each.kind === kind && startsIn(each, range))
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

/** Checks the stalls: all writes that took so long, whatever the median, and the figures that the page shows of them. */
async function auditStalls(
  page: Page,
  report: Report,
  all: readonly IoEvent[],
  folded: readonly Folded[],
  database: string,
): Promise<void> {
  const writes = all.filter(({ kind }) => kind === 'JournalWrite')
  const durations = durationsOf(writes)
  // A whole number of ms that a few of them took, and more than the median of any environment.
  const medians = [...grouped(writes, ({ path }) => path).values()].map(medianOf)
  const wantedMs = Math.max(1, Math.floor(nearestRank(durations, 0.9)), Math.ceil(Math.max(...medians)))
  // The rule as it comes is not in the address, which shows below that it was taken.
  const leastMs = wantedMs === 50 ? 51 : wantedMs
  const stalls = writes
    .filter(({ durationMs }) => durationMs >= leastMs)
    .toSorted((a, b) => b.durationMs - a.durationMs)
  const foldedMs = folded.map(({ longestMs }) => longestMs).filter((longestMs) => longestMs >= leastMs)
  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await panel.getByRole('button', { name: 'Fit all' }).click()
  for (const [label, value] of [
    ['At least', leastMs],
    ['Times the median', 1],
  ] as const) {
    await panel.getByLabel(label).fill(String(value))
    await panel.getByLabel(label).press('Enter')
  }
  await inAddress(page, `stalls.least=${String(leastMs)}`)
  await idle(page)
  const outline = await readOutline(page)
  const causes = outline.table('Causes with evidence')
  // Causes without evidence have no row.
  const counts = STALL_CAUSES.map((cause) => Number((causes?.cell(cause, 'Stalls') ?? '0').replaceAll(',', '')))
  report.claim('Stalls', { figure: 'of all causes', shown: String(sum(counts)), truth: stalls.length })
  for (const [i, cause] of STALL_CAUSES.entries()) {
    // Stalls that are known only as a sum have no cause.
    const truth = (counts[i] ?? Number.NaN) / stalls.length
    if ((counts[i] ?? 0) > 0)
      report.claim('Stalls', { figure: 'Share', of: cause, shown: causes?.cell(cause, 'Share'), truth })
  }
  claimStalledShare(report, outline, { writes, stalls, folded, database })
  const longest = [...stalls.map(({ durationMs }) => durationMs), ...foldedMs].toSorted((a, b) => b - a).slice(0, 5)
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
  'Steady rate',
  'Data sync',
  'Data flush',
  'Large write of another storage',
  'Standstill',
  'Unexplained',
]

/** Checks the share of the environment that stalled most: of the time from its first write to the end of its last, without roll-ups. */
function claimStalledShare(
  report: Report,
  outline: Outline,
  {
    writes,
    stalls,
    folded,
    database,
  }: {
    readonly writes: readonly IoEvent[]
    readonly stalls: readonly IoEvent[]
    readonly folded: readonly Folded[]
    readonly database: string
  },
): void {
  const endOf = ({ startTicks, durationMs }: IoEvent): number => startTicks + durationMs * TICKS_PER_MS
  const shares = [...grouped(stalls, ({ path }) => path)].map(([path, own]) => {
    const all = writes.filter((event) => event.path === path)
    const [from, to] = [Math.min(...all.map(({ startTicks }) => startTicks)), Math.max(...all.map(endOf))]
    const sums = folded
      .filter((each) => each.path === path)
      .map(({ startTicks, endTicks }): [number, number] => [Math.max(from, startTicks), Math.min(to, endTicks)])
    const knownMs = (to - from - lengthOf(sums)) / TICKS_PER_MS
    return { lane: laneOf(path, database), share: sum(own.map(({ durationMs }) => durationMs)) / knownMs }
  })
  const worst = shares.toSorted((a, b) => b.share - a.share)[0]
  if (worst === undefined) return
  const text = outline.find('region', 'Stalls')?.text ?? ''
  const [, lane = '', share] = /Most stalled: (.+?) ?, ([\d.]+ %)/.exec(text) ?? []
  report.claim('Stalls', { figure: 'Most stalled', shown: lane.replaceAll('/', '_'), truth: worst.lane })
  report.claim('Stalls', { figure: 'Part of its time', of: worst.lane, shown: share, truth: worst.share })
}

/** The first half of the time against the second one. */
async function auditCompare(page: Page, report: Report, all: readonly IoEvent[], database: string): Promise<void> {
  const halves = halvesOf(all)
  await compareRanges(page, 'I/O', halves)
  claimLines(report, await comparedTable(page), 'I/O', linesOf(all, database, halves, []))
}

/** A sum of journal writes, of which the server keeps no more than this. */
interface Folded {
  readonly path: string
  readonly startTicks: number
  readonly endTicks: number
  readonly longestMs: number
}

function foldedWrites(text: string): Folded[] {
  type History = { Type: string; Start: string; Duration: number; MaxDuration: number }
  const { Environments } = JSON.parse(text) as {
    Environments: { Path: string; Files: { File: string; History: History[] }[] }[]
  }
  return Environments.flatMap(({ Path: path, Files }) =>
    Files.filter(({ File }) => !File.startsWith('recyclable-journal'))
      .flatMap(({ History }) => History)
      .filter(({ Type }) => Type === 'JournalWrite')
      .map(({ Start, Duration, MaxDuration: longestMs }): Folded => {
        const startTicks = ticksOf(Start)
        return { path, startTicks, endTicks: startTicks + Duration * TICKS_PER_MS, longestMs }
      }),
  )
}
