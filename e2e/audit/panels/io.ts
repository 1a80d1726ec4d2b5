import type { Page } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IoEvent } from '../../../src/testing/server/io-events.ts'
import { IndependentIo } from '../../support/independent-io.ts'
import { idle, lookAtRange, ticksNow } from '../../support/studio.ts'
import { AUDITED_INDEXES } from '../load.ts'
import { readOutline, type Outline } from '../outline.ts'
import { quantityOf } from '../quantity.ts'
import type { Report } from '../report.ts'
import { nearestRank, sum } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

/** Time under load while the panel is open. */
const LOAD_MS = { whole: 12_000, short: 8000 }
/** Time in which two frames come. */
const FRAMES_MS = 6500
const PANEL = 'I/O'
const TICKS_PER_SECOND = 10_000_000
const TICKS_PER_MS = 10_000
const KINDS = [
  ['JournalWrite', 'Journal write'],
  ['DataFlush', 'Data flush'],
  ['DataSync', 'Data sync'],
  ['Compression', 'Compression'],
] as const

export interface Range {
  readonly fromTicks: number
  readonly toTicks: number
}
const secondsOf = ({ fromTicks, toTicks }: Range): number => (toTicks - fromTicks) / TICKS_PER_SECOND
const endOf = ({ startTicks, durationMs }: IoEvent): number => startTicks + durationMs * TICKS_PER_MS
/** Counted are events that start in a range; what is drawn, and busy time, are of all that reach into it. */
export const startsIn = ({ startTicks }: IoEvent, { fromTicks, toTicks }: Range): boolean =>
  startTicks >= fromTicks && startTicks < toTicks
export const reachesInto = (event: IoEvent, { fromTicks, toTicks }: Range): boolean =>
  event.startTicks < toTicks && endOf(event) > fromTicks
const busyIn = (events: readonly IoEvent[], range: Range): number =>
  sum(events.map((each) => Math.min(endOf(each), range.toTicks) - Math.max(each.startTicks, range.fromTicks))) /
  TICKS_PER_SECOND

/** Figures of one kind, and of all environments or one, by the events that the listener received. */
const figuresOf = (reaching: readonly IoEvent[], range: Range): Readonly<Record<string, number>> => {
  const events = reaching.filter((event) => startsIn(event, range))
  const seconds = secondsOf(range)
  const durations = events.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  const bytes = sum(events.map((event) => event.bytes))
  return {
    Count: events.length,
    Max: durations.at(-1) ?? Number.NaN,
    p50: nearestRank(durations, 0.5),
    p90: nearestRank(durations, 0.9),
    p99: nearestRank(durations, 0.99),
    'p99.9': nearestRank(durations, 0.999),
    Bytes: bytes,
    'Bytes/s': bytes / seconds,
    'Events/s': events.length / seconds,
    Busy: busyIn(reaching, range) / seconds,
  }
}
/** Columns without meaning for a kind: the size of a data sync is not a number of bytes that it wrote. */
const MEANS_NOTHING: Readonly<Record<string, readonly string[]>> = { DataSync: ['Bytes/s'] }

const summaryTable = (outline: Outline) => outline.find('group', 'Summary of the view')?.table()

/** A load with the panel open, then each figure of the time in which it ran. */
export async function auditIo(visit: Visit, world: World): Promise<void> {
  const { page, report, isWhole } = visit
  const { raven, load } = world
  await page.goto(raven.studio(`#/io?v=1&s=db:${load.database}`))
  await page.getByRole('application', { name: 'I/O timeline' }).waitFor()
  const listener = new IndependentIo(raven.url, load.database)
  await listener.opened()
  await idle(page)
  const fromTicks = ticksNow()
  load.start()
  await sleep(isWhole ? LOAD_MS.whole : LOAD_MS.short)
  await load.stop()
  await sleep(1000)
  const toTicks = ticksNow()
  await lookAtRange(page, fromTicks, toTicks)
  const range = { fromTicks, toTicks }
  const inRange = (): readonly IoEvent[] => listener.events.filter((event) => reachesInto(event, range))
  const { events, outline } = await settle(page, inRange, range)
  listener.close()

  claimSummary(report, outline, events, range, 'all')
  claimSlowest(report, outline, events)
  for (const { name, isPath } of environmentsOf(world).slice(0, isWhole ? undefined : 2)) {
    await page.getByRole('searchbox', { name: 'Index or storage' }).fill(name)
    await idle(page)
    claimSummary(
      report,
      await readOutline(page),
      events.filter(({ path }) => isPath(path)),
      range,
      name,
    )
  }
  await page.getByRole('searchbox', { name: 'Index or storage' }).fill('')
}

/** Frames come every three seconds, to the page and to the listener: until neither got more for two of them. */
async function settle(
  page: Page,
  inRange: () => readonly IoEvent[],
  range: Range,
): Promise<{ events: readonly IoEvent[]; outline: Outline }> {
  for (let before = ''; ;) {
    const known = inRange().length
    await sleep(FRAMES_MS)
    await idle(page)
    const outline = await readOutline(page)
    const events = inRange()
    const counts = KINDS.map(([, title]) => quantityOf(summaryTable(outline)?.cell(title, 'Count') ?? '')?.value ?? 0)
    const isSame = sum(counts) === events.filter((each) => startsIn(each, range)).length || counts.join(' ') === before
    if (isSame && events.length === known) return { events, outline }
    before = counts.join(' ')
  }
}

const environmentsOf = ({ load }: World) => [
  { name: 'Documents', isPath: (path: string) => path.endsWith(`/${load.database}`) },
  ...AUDITED_INDEXES.map(({ Name }) => ({
    name: Name,
    isPath: (path: string) => path.endsWith(`/Indexes/${Name.replaceAll('/', '_')}`),
  })),
]

/** Claims all figures of the summary. `panel`: under which they are reported. */
export function claimSummary(
  report: Report,
  outline: Outline,
  events: readonly IoEvent[],
  range: Range,
  of: string,
  panel = PANEL,
): void {
  const table = summaryTable(outline)
  for (const [kind, title] of KINDS) {
    const truths = figuresOf(
      events.filter((event) => event.kind === kind),
      range,
    )
    for (const [column, truth] of Object.entries(truths)) {
      const shown = table?.cell(title, column)?.replace(/^covers /, '')
      // No event, or a figure that would mean nothing: a dash.
      const isNone = Number.isNaN(truth) || MEANS_NOTHING[kind]?.includes(column) === true
      const claim = isNone ? { shown, truth: '—' } : { shown, truth }
      report.claim(panel, { figure: `${title}: ${column}`, of, ...claim })
    }
  }
}

function claimSlowest(report: Report, outline: Outline, events: readonly IoEvent[]): void {
  const shown = outline.find('region', 'Slowest in view')?.all('button') ?? []
  const items = shown.map(({ name }) => name).filter((name) => KINDS.some(([, title]) => name.startsWith(title)))
  const slowest = events.toSorted((a, b) => b.durationMs - a.durationMs)
  for (const [i, event] of slowest.slice(0, 3).entries()) {
    const [, title = ''] = KINDS.find(([kind]) => kind === event.kind) ?? []
    const item = items[i] ?? ''
    report.claim(PANEL, {
      figure: 'Slowest in view: kind',
      of: `${i + 1}`,
      shown: item.slice(0, title.length),
      truth: title,
    })
    report.claim(PANEL, {
      figure: 'Slowest in view: duration',
      of: `${i + 1}`,
      shown: item.slice(title.length),
      truth: event.durationMs,
    })
  }
}
