import { expect, type Page } from '@playwright/test'
import { idle, inAddress, lookAtRange, summaryOf } from '../../support/studio.ts'
import { lengthOf, type TickRange } from '../io-events.ts'
import { readOutline, type ShownTable } from '../outline.ts'
import { quantityOf } from '../quantity.ts'
import type { Report, Tolerance } from '../report.ts'
import { nearestRank } from '../statistics.ts'

const PANEL = 'Compare'
const LINES = 'Before against after, line by line'
export type Sides<Of> = readonly [before: Of, after: Of]

/** Figures of one line and side by an independent source. */
export interface SideTruth {
  /** Durations of the line's events, ascending, ms. */
  readonly durations: readonly number[]
  readonly bytes: number
  /** Known part of the side's time. */
  readonly seconds: number
  /** Number behind the rate, where the rate does not count events. */
  readonly amount?: number
}

export interface LineTruth {
  /** Slashes are underscores. */
  readonly lane: string
  readonly kind: string
  readonly sides: Sides<SideTruth>
}

/** Takes ranges in view of a panel as the sides of a comparison, which opens. */
export async function compareRanges(page: Page, panel: 'I/O' | 'Indexing', ranges: Sides<TickRange>): Promise<void> {
  const region = page.getByRole('region', { name: panel, exact: true })
  for (const [i, { fromTicks, toTicks }] of ranges.entries()) {
    await page.getByRole('link', { name: panel, exact: true }).click()
    await region.waitFor()
    await lookAtRange(page, fromTicks, toTicks)
    await idle(page)
    const side = i === 0 ? 'before' : 'after'
    const item = page.getByRole('menuitem', { name: `Use as ${side}` })
    const taken = `compare.${side}=${String(Math.floor(fromTicks))}`
    // The menu closes where the panel changes from having no batches to having some. A click that took effect may still
    // exceed its limit; the second side opens Compare, where there is no such menu.
    await expect(async () => {
      if ((await page.evaluate(() => location.hash)).includes(taken)) return
      if (!(await item.isVisible()))
        await region.getByRole('button', { name: 'Compare range in view' }).click({ timeout: 10_000 })
      await item.click({ timeout: 10_000 })
    }).toPass({ timeout: 90_000 })
    await inAddress(page, taken)
  }
  await page.getByRole('table', { name: LINES }).waitFor()
}

/** The lines that are shown, once they are worked out. */
export async function comparedTable(page: Page): Promise<ShownTable | undefined> {
  await page.getByRole('table', { name: LINES }).waitFor()
  await idle(page)
  return (await readOutline(page)).table(LINES)
}

type Gap = Awaited<ReturnType<typeof summaryOf>>['gaps'][number]

/** Times of which the page has no data of a database: its rates are of the rest. */
export const gapsOf = async (page: Page, database: string): Promise<readonly Gap[]> =>
  (await summaryOf(page)).gaps.filter(({ source }) => source === `db:${database}`)

/** Seconds of a range outside gaps: those without a lane, and those whose lane ends in `laneEnd`. */
export function knownSeconds({ fromTicks, toTicks }: TickRange, gaps: readonly Gap[], laneEnd: string): number {
  const unknown = gaps
    .filter(
      ({ lane, kind, missingBytes }) => (lane?.endsWith(laneEnd) ?? true) && kind === null && missingBytes === null,
    )
    .map(({ startTicks, endTicks }): [number, number] => [Math.max(fromTicks, startTicks), Math.min(toTicks, endTicks)])
  return (toTicks - fromTicks - lengthOf(unknown)) / 10_000_000
}

export function claimLines(
  report: Report,
  table: ShownTable | undefined,
  feed: string,
  lines: readonly LineTruth[],
): void {
  for (const line of lines)
    if (line.sides.some(({ durations }) => durations.length > 0)) claimLine(report, table, feed, line)
}

const QUANTILES: readonly (readonly [string, number])[] = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['Longest', 1],
]

function claimLine(
  report: Report,
  table: ShownTable | undefined,
  feed: string,
  { lane, kind, sides }: LineTruth,
): void {
  const row = table?.rows.find(([name = '', of]) => name.replaceAll('/', '_') === lane && of === kind)
  const cell = (column: string): string => row?.[table?.columns.indexOf(column) ?? -1] ?? ''
  const claim = (figure: string, shown: Sides<string>, truthOf: (side: SideTruth) => number): void => {
    for (const [i, side] of sides.entries()) {
      // A side without events shows a dash, which has no number.
      if (side.durations.length === 0) continue
      const of = `${lane}, ${kind}, ${i === 0 ? 'before' : 'after'}`
      report.claim(PANEL, { figure: `${feed}: ${figure}`, of, shown: shown[i === 0 ? 0 : 1], truth: truthOf(side) })
    }
  }
  for (const [column, share] of QUANTILES)
    claim(column, pairOf(cell(column)), ({ durations }) => nearestRank(durations, share))
  claim('Events', pairOf(cell('Events')), ({ durations }) => durations.length)
  claim('Rate', pairOf(cell('Rate')), (side) => (side.amount ?? side.durations.length) / side.seconds)
  const [bytes, perSecond] = pairsOfBytes(cell('Bytes'))
  claim('Bytes', bytes, (side) => side.bytes)
  claim('Bytes/s', perSecond, (side) => side.bytes / side.seconds)
  if (sides.some(({ durations }) => durations.length === 0)) return
  const verdict = row?.[table?.columns.indexOf('Verdict') ?? -1] ?? ''
  for (const [column, share] of QUANTILES.slice(0, 3)) {
    const [before, after] = sides.map(({ durations }) => nearestRank(durations, share))
    // Changes at the same load are estimates.
    if (!verdict.includes('at the same load'))
      claimChange(report, { figure: `${feed}: change of ${column}`, of: `${lane}, ${kind}` }, cell(column), [
        before ?? Number.NaN,
        after ?? Number.NaN,
      ])
  }
}

/** `41 ms → 63 ms +54 % (…)`: the change by the unrounded values, as far as it is shown. */
function claimChange(
  report: Report,
  claim: { readonly figure: string; readonly of: string },
  text: string,
  [before, after]: Sides<number>,
): void {
  const shown = / (× [\d,]+|[+−]?[\d.]+ %) \(/.exec(text)?.[1]
  if (shown === undefined || !(before > 0)) return
  const isTimes = shown.startsWith('×')
  report.claim(PANEL, {
    ...claim,
    shown: shown.replace(/^[×+] ?/, ''),
    truth: isTimes ? after / before : after / before - 1,
    allow: ROUNDED_BEFORE,
  })
}
const ROUNDED_BEFORE: Tolerance = { absolute: 1e-9, why: 'the rounding shown' }

/** `1.23 ms → 1.31 ms` and what is behind it. */
function pairOf(cell: string): Sides<string> {
  const [before = '', after = ''] = cell.split(' → ')
  return [before, after]
}

/** `1.23 MiB → 1.31 MiB 123 KiB/s → 131 KiB/s`. */
function pairsOfBytes(cell: string): readonly [Sides<string>, Sides<string>] {
  const [before = '', middle = '', after = ''] = cell.split(' → ')
  const [, bytes = '', perSecond = ''] = /^(—|\S+ \S+) (.*)$/.exec(middle) ?? []
  return [
    [before, bytes],
    [perSecond, after],
  ]
}

/** A figure of the server on both sides, by its name in the table: a mean of samples. */
export interface SampledTruth {
  readonly name: string
  readonly group: string
  /** Undefined: the independent source says nothing of that time. */
  readonly means: Sides<Parameters<Report['claim']>[1]['truth']>
  readonly allow: Tolerance
}

export function claimSampled(report: Report, table: ShownTable | undefined, figures: readonly SampledTruth[]): void {
  for (const { name, group, means, allow } of figures) {
    const row = table?.rows.find((cells) => cells[0] === name && cells[1] === group)
    const shown = pairOf(row?.[table?.columns.indexOf('Mean') ?? -1] ?? '')
    for (const [i, truth] of means.entries())
      report.claim(PANEL, {
        figure: `Server: mean of ${name}`,
        of: i === 0 ? 'before' : 'after',
        shown: quantityOf(shown[i === 0 ? 0 : 1]) === undefined ? undefined : shown[i === 0 ? 0 : 1],
        truth,
        allow,
      })
  }
}
