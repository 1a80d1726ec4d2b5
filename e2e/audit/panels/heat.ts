import type { Page } from '@playwright/test'
import type { IoEvent } from '../../../src/testing/server/io-events.ts'
import { idle, inAddress, lookAtRange } from '../../support/studio.ts'
import { grouped, KIND_TITLES, laneOf } from '../io-events.ts'
import { Outline, parseOutline } from '../outline.ts'
import { quantityOf } from '../quantity.ts'
import type { Bracket, Report } from '../report.ts'
import { sum } from '../statistics.ts'

const PANEL = 'Heat map'
const PLOT = 'I/O latency heat map'
const TICKS_PER_MS = 10_000
/** Places along and across a lane at which the pointer looks for cells. */
const ACROSS = 6
const ALONG = 7

/** Text of a mark, as a screen reader announces it: the slowest event of a column and kind. */
interface ReadMark {
  readonly count: number
  readonly kind: string
  readonly lane: string
  readonly duration: string
  readonly start: string
}

/**
 * The pointer reads cells. Then keys walk over the marks of lanes: each column says how many events it has and which is the
 * slowest. `all` are all events of the capture.
 */
export async function auditHeat(
  page: Page,
  report: Report,
  all: readonly IoEvent[],
  { database, isWhole }: { readonly database: string; readonly isWhole: boolean },
): Promise<void> {
  const starts = all.map(({ startTicks }) => startTicks)
  const [first, last] = [Math.min(...starts), Math.max(...starts)]
  const margin = (last - first) / 20
  const [fromTicks, toTicks] = [first - margin, last + margin]
  await page.getByRole('radio', { name: 'Heat map' }).click()
  const plot = page.getByRole('application', { name: PLOT })
  await plot.waitFor()
  await inAddress(page, 'io.lanes=heat')
  await lookAtRange(page, fromTicks, toTicks)
  await idle(page)
  const documents = all.filter(({ path }) => laneOf(path, database) === 'Documents')
  // The walk scrolls, so that this lane is out of sight after it.
  await claimCells(page, report, documents, { fromTicks, toTicks })
  const marks = await walk(page, isWhole ? Number.POSITIVE_INFINITY : 1)
  for (const [lane, ofLane] of grouped(marks, (mark) => mark.lane.replaceAll('/', '_')))
    for (const [kind, ofKind] of grouped(ofLane, (mark) => mark.kind))
      claimMarks(
        report,
        { lane, kind },
        ofKind,
        all.filter((event) => laneOf(event.path, database) === lane && event.kind === kind),
      )
  if (isWhole)
    report.claim(PANEL, {
      figure: 'Events of all columns',
      shown: String(sum(marks.map(({ count }) => count))),
      truth: all.length,
    })
  await page.getByRole('radio', { name: 'Durations' }).click()
}

/** Marks of so many lanes from the top, each lane from its first mark to its last. */
async function walk(page: Page, mostLanes: number): Promise<ReadMark[]> {
  await page.getByRole('application', { name: PLOT }).focus()
  const texts = await page.evaluate(
    async ([label, most]) => {
      const plots = [...document.querySelectorAll<HTMLElement>('[role=application]')]
      const own = plots.find((each) => each.getAttribute('aria-label') === label)
      const spoken = own?.closest('section, main')?.querySelectorAll('[aria-live=polite]') ?? []
      const read = (): string =>
        [...spoken].map(({ textContent }) => textContent).find((text) => text.startsWith('Slowest of')) ?? ''
      const press = async (key: string): Promise<string> => {
        own?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
        return read()
      }
      /** Presses a key until the mark stays the same. */
      const far = async (key: string, each?: (text: string) => void): Promise<void> => {
        for (let before = read(); ;) {
          const now = await press(key)
          if (now === before) return
          each?.(now)
          before = now
        }
      }
      for (let tries = 0; tries < 50 && read() === ''; tries++) await press('m')
      await far('ArrowUp')
      const found: string[] = []
      for (let lane = 0; lane < most; lane++) {
        await far('ArrowLeft')
        found.push(read())
        await far('ArrowRight', (text) => void found.push(text))
        const before = read()
        if ((await press('ArrowDown')) === before) break
      }
      return found
    },
    [PLOT, Math.min(mostLanes, 100)] as const,
  )
  return texts.flatMap((text) => markOf(text) ?? [])
}

/** `Slowest of 12 journal writes on Documents: 3.21 ms, 2026-11-25 02:50:33.1234567. Enter pins it.` */
function markOf(text: string): ReadMark | undefined {
  const [, count = '', words = '', lane = '', duration = '', start = ''] =
    /^Slowest of ([\d,]+) (.+?) on (.+): ([^,:]+), (\d{4}-\d\d-\d\d [\d:.]+)\. /.exec(text) ?? []
  const [kind] = Object.entries(KIND_TITLES).find(([, title]) => words.startsWith(title.toLowerCase())) ?? []
  if (kind === undefined) return undefined
  return { count: Number(count.replaceAll(',', '')), kind, lane, duration, start }
}

/** Columns hold events in their order, so their counts tell which events each has, and the slowest of these is its mark. */
function claimMarks(
  report: Report,
  { lane, kind }: { readonly lane: string; readonly kind: string },
  marks: readonly ReadMark[],
  events: readonly IoEvent[],
): void {
  const of = `${lane}, ${KIND_TITLES[kind] ?? kind}`
  report.claim(PANEL, {
    figure: 'Events of a lane',
    of,
    shown: String(sum(marks.map(({ count }) => count))),
    truth: events.length,
  })
  const sorted = events.toSorted((a, b) => a.startTicks - b.startTicks)
  let at = 0
  let right = 0
  let longestOff = ''
  for (const { count, duration, start } of marks) {
    const column = sorted.slice(at, (at += count))
    const slowest = column.toSorted((a, b) => b.durationMs - a.durationMs)
    const shown = quantityOf(duration)
    const isSame = (event: IoEvent | undefined): boolean =>
      event !== undefined &&
      shown !== undefined &&
      event.durationMs === slowest[0]?.durationMs &&
      textOf(event) === start &&
      Math.abs(event.durationMs - shown.value) <= shown.step * 0.5 * (1 + 1e-6)
    if (column.some(isSame)) right++
    else longestOff = `${duration} at ${start}`
  }
  report.claim(PANEL, {
    figure: 'Slowest of its column',
    of: longestOff === '' ? of : `${of}; not ${longestOff}`,
    shown: String(right),
    truth: marks.length,
  })
}

/** Text of a start on the page. */
const textOf = ({ start }: IoEvent): string => {
  const [, date = '', time = '', fraction = ''] = /^(.{10})T(.{8})\.?(\d*)/.exec(start) ?? []
  return `${date} ${time}.${fraction.padEnd(7, '0')}`
}

/** Points at places of the lane of the documents, and counts what the cells there say. */
async function claimCells(
  page: Page,
  report: Report,
  events: readonly IoEvent[],
  { fromTicks, toTicks }: { readonly fromTicks: number; readonly toTicks: number },
): Promise<void> {
  const plot = await page.getByRole('application', { name: PLOT }).boundingBox()
  const name = await page.getByRole('group', { name: 'Lanes', exact: true }).getByText('Documents').boundingBox()
  if (plot === null || name === null) throw new Error('The heat map has no lane of the documents.')
  const slowest = events.toSorted((a, b) => b.durationMs - a.durationMs)
  const places = [0, 1, ...Array.from({ length: ALONG - 2 }, (_, i) => Math.floor((events.length * (i + 1)) / ALONG))]
  const seen = new Map<string, Outline>()
  for (const place of places) {
    const x = plot.x + (((slowest[place]?.startTicks ?? fromTicks) - fromTicks) / (toTicks - fromTicks)) * plot.width
    for (let step = 0; step < ACROSS; step++) {
      await page.mouse.move(x, name.y + (name.height * (step + 0.5)) / ACROSS)
      const tooltip = page.getByRole('tooltip')
      if ((await tooltip.count()) === 0) continue
      const text = await tooltip.ariaSnapshot({ timeout: 2000 }).catch(() => '')
      const card = new Outline(parseOutline(text))
      if (/^[\d,]+ events? of /.test(card.find('paragraph')?.text ?? '')) seen.set(text, card)
    }
  }
  await page.mouse.move(0, 0)
  if (seen.size === 0) report.claim(PANEL, { figure: 'Cell: events', shown: undefined, truth: 1 })
  for (const card of seen.values()) claimCell(report, card, events)
}

function claimCell(report: Report, card: Outline, events: readonly IoEvent[]): void {
  const title = card.find('paragraph')?.text ?? ''
  const [from = '', to = ''] = ['From', 'To'].map((term) => card.term(term)[0] ?? '')
  // Moments are cut to whole milliseconds.
  const [least, most] = [from, to].map((text) => (Date.parse(`${text.replace(' ', 'T')}Z`) - Date.UTC(2020, 0)) * 1e4)
  const durations = boundsOf(title)
  const inColumn = (event: IoEvent, wide: 0 | 1): boolean =>
    event.startTicks >= (least ?? 0) + (1 - wide) * TICKS_PER_MS && event.startTicks < (most ?? 0) + wide * TICKS_PER_MS
  const count = (kind: string | null): Bracket => {
    const of = (wide: 0 | 1): number =>
      events.filter(
        (event) =>
          (kind === null || event.kind === kind) &&
          inColumn(event, wide) &&
          event.durationMs >= durations.from[wide] &&
          event.durationMs < durations.to[wide],
      ).length
    return { least: of(0), most: of(1) }
  }
  const of = `${title.replace(/^\S+ events? of /, '')} at ${from.slice(11)}`
  report.claim(PANEL, { figure: 'Cell: events', of, shown: title, truth: count(null) })
  for (const [kind, words] of Object.entries(KIND_TITLES)) {
    const [shown] = card.term(words)
    if (shown !== undefined) report.claim(PANEL, { figure: `Cell: ${words}`, of, shown, truth: count(kind) })
  }
  const longest = (wide: 0 | 1): number =>
    Math.max(...events.filter((event) => inColumn(event, wide)).map(({ durationMs }) => durationMs))
  report.claim(PANEL, {
    figure: 'Cell: slowest of its time',
    of,
    shown: card.term('Slowest in this time')[0],
    truth: { least: Math.max(0, longest(0)), most: longest(1) },
  })
}

/** Narrow and wide bounds of the durations of a cell, ms: they are shown rounded. */
function boundsOf(title: string): {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
} {
  const bound = (text: string | undefined, side: 1 | -1, open: number): readonly [number, number] => {
    const quantity = quantityOf(text ?? '')
    if (quantity === undefined) return [open, open]
    const { value, step } = quantity
    return [value + (side * step) / 2, value - (side * step) / 2]
  }
  const words = title.replace(/^\S+ events? of /, '')
  const [, lower] = /^(.+?)(?: to | or more)/.exec(words) ?? []
  const [, upper] = /(?: to |less than )(.+)$/.exec(words) ?? []
  return { from: bound(lower, 1, 0), to: bound(upper, -1, Number.POSITIVE_INFINITY) }
}
