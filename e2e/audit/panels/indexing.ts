import type { Page } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import { IndependentBatches, type Batch, type Operation } from '../../support/independent-batches.ts'
import { ticksOf } from '../../../src/testing/server/io-events.ts'
import { idle, lookAtRange, ticksNow } from '../../support/studio.ts'
import type { TickRange } from '../io-events.ts'
import { AUDITED_INDEXES } from '../load.ts'
import { readOutline, type Outline } from '../outline.ts'
import { quantityOf } from '../quantity.ts'
import { nearestRank, sum } from '../statistics.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'
import {
  claimLines,
  comparedTable,
  compareRanges,
  gapsOf,
  knownSeconds,
  type LineTruth,
  type SideTruth,
} from './compare.ts'

/** Time under load while the panel is open. */
const LOAD_MS = { whole: 20_000, short: 12_000 }
/** Two batches each: so the 25 that the server keeps of an index reach back to the first, however late they are read. */
const WRITE_EVERY_MS = 2000
const POLL_MS = 13_000
const PANEL = 'Indexing'
const TICKS_PER_SECOND = 10_000_000
const TICKS_PER_MS = 10_000
const FLOAT: { why: string; relative: number } = { relative: 1e-6, why: 'the rounding shown' }

interface KnownBatch {
  readonly index: string
  readonly batch: Batch
}

const isIn = ({ Started }: Batch, { fromTicks, toTicks }: TickRange): boolean =>
  ticksOf(Started) >= fromTicks && ticksOf(Started) < toTicks

const endOf = ({ Started, DurationInMs }: Batch): number => ticksOf(Started) + DurationInMs * TICKS_PER_MS

const isEmpty = ({ InputCount, OutputCount, TombstoneDeleteSuccesses = 0 }: Batch): boolean =>
  InputCount === 0 && OutputCount <= 0 && TombstoneDeleteSuccesses <= 0

/** Indexing of new documents is not training: its documents are indexed by later batches. */
const isTraining = ({ Details }: Batch): boolean =>
  Details.Operations?.some(({ Name }) => Name === 'Corax/DictionaryTraining') ?? false

const busyMs = (batches: readonly Batch[]): number => sum(batches.map(({ DurationInMs }) => DurationInMs))
const documentsOf = (batches: readonly Batch[]): number =>
  sum(batches.filter((batch) => !isTraining(batch)).map(({ InputCount }) => InputCount))
const durationsOf = (batches: readonly Batch[]): readonly number[] =>
  batches
    .filter((batch) => !isEmpty(batch))
    .map(({ DurationInMs }) => DurationInMs)
    .toSorted((a, b) => a - b)

/** Busy time in a range, also of batches that began before it: the share of the view counts it, all other figures count starts. */
const msWithin = (batches: readonly Batch[], { fromTicks, toTicks }: TickRange): number =>
  sum(
    batches
      .filter((batch) => !isTraining(batch))
      .map((batch) => Math.max(0, Math.min(endOf(batch), toTicks) - Math.max(ticksOf(batch.Started), fromTicks))),
  ) / TICKS_PER_MS

function figuresOf(batches: readonly Batch[], seconds: number): Readonly<Record<string, number>> {
  const durations = durationsOf(batches)
  const documents = documentsOf(batches)
  return {
    Batches: batches.length,
    'Busy time': busyMs(batches),
    Failed: sum(batches.map(({ FailedCount }) => FailedCount)),
    Documents: documents,
    'Documents/s busy': documents / (busyMs(batches) / 1000),
    'Documents/s of view': documents / seconds,
    Max: durations.at(-1) ?? Number.NaN,
    p99: nearestRank(durations, 0.99),
    p50: nearestRank(durations, 0.5),
    Bytes: sum(batches.map(({ DocumentsSize }) => DocumentsSize.SizeInBytes)),
  }
}

/** A load with the panel open, then each figure of the time in which it ran. */
export async function auditIndexing(visit: Visit, world: World): Promise<void> {
  const { page, report, isWhole } = visit
  const { raven, load } = world
  await page.goto(raven.studio(`#/indexing?v=1&s=db:${load.database}`))
  await page.getByRole('application', { name: 'Index batches' }).waitFor()
  const listener = new IndependentBatches(raven.url, load.database)
  await listener.opened()
  await idle(page)
  const fromTicks = ticksNow()
  const before = load.documents
  load.start(WRITE_EVERY_MS)
  await sleep(isWhole ? LOAD_MS.whole : LOAD_MS.short)
  await load.stop()
  const written = load.documents - before
  await listener.settled()
  const toTicks = ticksNow()
  listener.close()
  await lookAtRange(page, fromTicks, toTicks)
  const span = (toTicks - fromTicks) / TICKS_PER_SECOND
  const range = { fromTicks, toTicks }
  const known = listener.completed.filter(({ batch }) => isIn(batch, range))
  const outline = await settled(page, known.length)
  // so that it is steady when other panels are read
  load.start()
  const table = outline.table('Indexes in view')
  for (const { Name: name } of AUDITED_INDEXES) {
    const batches = known.filter(({ index }) => index === name).map(({ batch }) => batch)
    const ever = listener.completed.filter(({ index }) => index === name).map(({ batch }) => batch)
    const busyShare = msWithin(ever, range) / 1000 / span
    for (const [column, truth] of Object.entries({ ...figuresOf(batches, span), 'Busy, % of view': busyShare }))
      report.claim(PANEL, { figure: column, of: name, shown: table?.cell(name, column), truth, allow: FLOAT })
    report.claim(PANEL, {
      figure: 'Documents, counted when written',
      of: name,
      shown: table?.cell(name, 'Documents'),
      truth: written,
    })
  }
  const all = known.map(({ batch }) => batch)
  const ever = listener.completed.map(({ batch }) => batch)
  const heading = outline.find('region', 'Indexes in view')?.text ?? ''
  const after = (pattern: RegExp): string | undefined => pattern.exec(heading)?.[1]
  const durations = durationsOf(all)
  for (const [figure, shown, truth] of [
    ['All: batches', after(/([\d,]+) batch/), all.length],
    ['All: empty batches', after(/([\d,]+) of them empty/), all.filter(isEmpty).length],
    ['All: documents', after(/([\d,]+) documents?;/), documentsOf(all)],
    ['All: work', after(/; ([^;]*?) of work/), busyMs(all)],
    ['All: share', after(/([\d.]+ %) of the time/), msWithin(ever, range) / 1000 / span],
    ['All: p99', after(/p99 (\S+ \S+)/), nearestRank(durations, 0.99)],
  ] as const)
    report.claim(PANEL, { figure, shown, truth, allow: FLOAT })

  const operations = outline.find('region', 'Time by operation')?.table()
  for (const name of ['Map', 'Storage/Commit']) {
    const times = all.flatMap((batch) => topOperations(batch, name))
    report.claim(PANEL, {
      figure: 'Operation: time',
      of: name,
      shown: operations?.cell(name, 'With children'),
      truth: sum(times),
    })
    report.claim(PANEL, {
      figure: 'Operation: batches',
      of: name,
      shown: operations?.cell(name, 'Batches'),
      truth: times.length,
    })
    report.claim(PANEL, {
      figure: 'Operation: longest',
      of: name,
      shown: operations?.cell(name, 'Longest'),
      truth: Math.max(...times),
    })
  }
  await compareHalves(visit, load.database, known, fromTicks)
}

/** Up to the end of the last batch, until which they are known, the first half against the second one. */
async function compareHalves(
  { page, report }: Visit,
  database: string,
  known: readonly KnownBatch[],
  fromTicks: number,
): Promise<void> {
  const toTicks = Math.floor(Math.max(...known.map(({ batch }) => endOf(batch))))
  const middle = Math.floor((fromTicks + toTicks) / 2)
  const halves = [
    { fromTicks, toTicks: middle },
    { fromTicks: middle, toTicks },
  ] as const
  await compareRanges(page, 'Indexing', halves)
  const table = await comparedTable(page)
  const gaps = await gapsOf(page, database)
  const lines = AUDITED_INDEXES.flatMap(({ Name: name }): LineTruth[] => {
    const sideOf = (range: TickRange, of: (batch: Batch) => number, isOf: (batch: Batch) => boolean): SideTruth => {
      const batches = known
        .filter(({ index, batch }) => index === name && isIn(batch, range) && !isEmpty(batch) && isOf(batch))
        .map(({ batch }) => batch)
      return {
        durations: batches.map(of).toSorted((a, b) => a - b),
        bytes: sum(batches.map(({ DocumentsSize }) => DocumentsSize.SizeInBytes)),
        seconds: knownSeconds(range, gaps, name),
      }
    }
    const batchesOf = (range: TickRange): SideTruth =>
      sideOf(
        range,
        ({ DurationInMs }) => DurationInMs,
        () => true,
      )
    const documentsIn = (range: TickRange): SideTruth => ({
      ...sideOf(
        range,
        ({ DurationInMs, InputCount }) => DurationInMs / InputCount,
        ({ InputCount }) => InputCount > 0,
      ),
      bytes: batchesOf(range).bytes,
      amount: sum(
        known
          .filter(({ index, batch }) => index === name && isIn(batch, range))
          .map(({ batch: { InputCount } }) => InputCount),
      ),
    })
    const lane = name.replaceAll('/', '_')
    return [
      { lane, kind: 'Batch', sides: [batchesOf(halves[0]), batchesOf(halves[1])] },
      { lane, kind: 'Time per document', sides: [documentsIn(halves[0]), documentsIn(halves[1])] },
    ]
  })
  claimLines(report, table, 'Indexing', lines)
}

/** The panel once it shows as many batches as were sent, or gets no more from one poll of a busy machine to the next. */
async function settled(page: Page, sent: number): Promise<Outline> {
  for (let before = -1; ;) {
    await idle(page)
    const outline = await readOutline(page)
    const shown = quantityOf(outline.find('region', 'Indexes in view')?.text.replace('Indexes in view ', '') ?? '')
    const count = shown?.value ?? 0
    if (count === sent || count === before) return outline
    before = count
    await sleep(POLL_MS)
  }
}

const topOperations = ({ Details }: Batch, name: string): number[] =>
  (Details.Operations ?? []).filter((each: Operation) => each.Name === name).map(({ DurationInMs }) => DurationInMs)
