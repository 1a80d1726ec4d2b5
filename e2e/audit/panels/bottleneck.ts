import type { IoEvent } from '../../../src/testing/server/io-events.ts'
import { grouped, laneOf } from '../io-events.ts'
import { ticksOfMs, type LabelRow } from '../label-rows.ts'
import type { MergerRecord, MergerState } from '../merger.ts'
import { quantityOf } from '../quantity.ts'
import type { Bracket, Report, Tolerance } from '../report.ts'
import { sum } from '../statistics.ts'
import type { World } from '../world.ts'

const PANEL = 'Bottleneck'
/** Figures are of steps of so much; each step has one label. */
export const STEP_MS = 10_000
const STEP_TICKS = STEP_MS * 10_000
const CPU_LAG = { leastMs: 0, mostMs: 4000 }
const MEMORY_AGE_MS = 30_000
/** The page reads the merger every 20 s, for the 20 s before. */
const MERGER_AWAY_S = 20
/** The server smooths the rate of writes. */
const WRITES_AGE_MS = 90_000
const CPU_ALLOW: Tolerance = { absolute: 0.04, why: 'whole percents that the server cuts off, each of one second' }
const MERGER_ALLOW: Tolerance = {
  absolute: 0.03,
  why: 'single events of it may be missed, by the page or by the audit',
}

/** Data of the audit itself about the time that the lane shows. */
export interface KnownLimits {
  readonly world: World
  readonly merger: MergerRecord
  /** All events of the database in the time in which the page watched its I/O. */
  readonly events: readonly IoEvent[]
}

/** The evidence of each label, of its whole time. What competes is of a part of it, and is left out. */
export function claimEvidence(report: Report, rows: readonly LabelRow[], known: KnownLimits): void {
  for (const row of rows) {
    const [own = '', ...rest] = row.evidence.split(/(?=Also at its limit:|Not at its limit:)/)
    const text = [own, ...rest.filter((part) => part.startsWith('Not'))].join(' ')
    for (const [figure, pattern, truthOf, allow] of figuresOf(known)) {
      const shown = pattern.exec(text)?.[1]
      if (shown === undefined) continue
      const of = `${row.title} at ${row.from}`
      const truth = truthOf(row)
      report.claim(PANEL, { figure, of, shown, truth, ...(allow === undefined ? {} : { allow }) })
    }
  }
}

type Figure = readonly [string, RegExp, (row: LabelRow) => Bracket | number | string | undefined, Tolerance?]

const figuresOf = ({ world: { kernel, load }, merger, events }: KnownLimits): readonly Figure[] => [
  [
    'CPU of the machine',
    /The machine was ([\d.]+ %) busy/,
    ({ fromMs, toMs }) => kernel.rate('busy', fromMs, toMs, CPU_LAG, 'all'),
    CPU_ALLOW,
  ],
  [
    'CPU of the server',
    /this server used ([\d.]+ %) of its/,
    ({ fromMs, toMs }) => kernel.rate('process', fromMs, toMs, CPU_LAG, 'all'),
    CPU_ALLOW,
  ],
  [
    'Memory available',
    /at least (\S+ \S+) of memory available/,
    ({ fromMs, toMs }) => kernel.range('MemAvailable', fromMs - MEMORY_AGE_MS, toMs + MEMORY_AGE_MS),
    { absolute: 96 * 2 ** 20, why: 'the kernel estimates it each time, and the page asks every 15 s' },
  ],
  [
    'Low-memory limit',
    /low is below (\S+ \wiB)/,
    ({ fromMs, toMs }) =>
      kernel.combined(({ MemTotal = Number.NaN }) => Math.min(2 ** 31, 0.1 * MemTotal), fromMs, toMs),
  ],
  [
    'Dirty pages',
    /Dirty pages took at least (<? ?[\d.]+ %)/,
    ({ fromMs, toMs }) =>
      kernel.combined(
        ({ Dirty = Number.NaN, Writeback = 0, MemAvailable = Number.NaN }) => (Dirty + Writeback) / MemAvailable,
        fromMs - MEMORY_AGE_MS,
        toMs + MEMORY_AGE_MS,
      ),
    { absolute: 0.001, why: 'it is asked every 15 s, and comes and goes between' },
  ],
  [
    'Journal writes',
    /Journal writes of .+? took ([\d.]+ %)/,
    (row) => journalOf({ events, database: load.database }, row)?.share,
  ],
  [
    'Environment with most journal writes',
    /Journal writes of (?:the busiest environment \(mostly )?(.+?)\)? took/,
    (row) => journalOf({ events, database: load.database }, row)?.lane.replaceAll('_', '/'),
  ],
  ...(
    [
      ['waits', 'Merger: waits for writes', /merger waited for writes (<? ?[\d.]+ %)/],
      ['transactions', 'Merger: executes transactions', /executed transactions (<? ?[\d.]+ %)/],
      ['commits', 'Merger: commits', /of the time, executed transactions .+?, committed (<? ?[\d.]+ %)/],
    ] as const
  ).map(([state, figure, pattern]): Figure => [
    figure,
    pattern,
    ({ fromMs, toMs }) => merger.around(state, ticksOfMs(fromMs), ticksOfMs(toMs), MERGER_AWAY_S),
    MERGER_ALLOW,
  ]),
  [
    'Writes',
    /About ([\d.,]+ \/s) written/,
    ({ fromMs, toMs }) => kernel.ratesOver(STEP_MS, 'documents', fromMs - WRITES_AGE_MS, toMs),
    { relative: 0.1, why: 'the server smooths it' },
  ],
]

interface DatabaseIo {
  readonly events: readonly IoEvent[]
  readonly database: string
}

/** Environment that spent most of each step in journal writes, and its mean share over the steps that have any. */
function journalOf(
  io: DatabaseIo,
  { fromMs, toMs }: Pick<LabelRow, 'fromMs' | 'toMs'>,
): { readonly share: number; readonly lane: string } | undefined {
  const steps = stepsOf(fromMs, toMs).flatMap((step) => busiestJournal(io, step) ?? [])
  if (steps.length === 0) return undefined
  const names = [...grouped(steps, ({ lane }) => lane)].toSorted((a, b) => b[1].length - a[1].length)
  return { share: sum(steps.map(({ share }) => share)) / steps.length, lane: names[0]?.[0] ?? '' }
}

const stepsOf = (fromMs: number, toMs: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / STEP_MS)) }, (_, i) => ticksOfMs(fromMs + i * STEP_MS))

function busiestJournal(
  { events, database }: DatabaseIo,
  fromTicks: number,
): { share: number; lane: string } | undefined {
  const writes = events.filter(({ kind }) => kind === 'JournalWrite')
  const shares = [...grouped(writes, ({ path }) => path)].map(([path, own]) => {
    const ticks = own.map(({ startTicks, durationMs }) =>
      Math.max(0, Math.min(fromTicks + STEP_TICKS, startTicks + durationMs * 10_000) - Math.max(fromTicks, startTicks)),
    )
    return { share: Math.min(1, sum(ticks) / STEP_TICKS), lane: laneOf(path, database) }
  })
  return shares.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share)[0]
}

/** Labels that a step may have by what is known, as far as what is known is exact; in the order in which they win. */
export function possibleLabels({ world, merger, events }: KnownLimits, fromTicks: number): ReadonlySet<string> {
  const fromMs = fromTicks / 10_000 + Date.UTC(2020, 0)
  const possible = new Set<string>()
  const cpu = world.kernel.rate('busy', fromMs, fromMs + STEP_MS, CPU_LAG, 'all')
  if (cpu === undefined) return possible
  if (cpu.most + 0.03 >= 0.95) possible.add('CPU')
  if (cpu.least - 0.03 >= 0.95) return possible
  const journal = busiestJournal({ events, database: world.load.database }, fromTicks)?.share
  const [waits, commits] = (['waits', 'commits'] as const).map((state: MergerState): Bracket => {
    const { least, most } = merger.around(state, fromTicks, fromTicks + STEP_TICKS, MERGER_AWAY_S)
    return { least: least - 0.03, most: most + 0.03 }
  })
  if (waits === undefined || commits === undefined) return possible
  if (journal !== undefined && journal >= 0.5) return possible.add('Disk')
  if (commits.most >= 0.5 && (journal === undefined || journal >= 0.5 * Math.max(0.5, commits.least)))
    possible.add('Disk')
  if (waits.least <= 0.1) possible.add('Transaction merger')
  if (waits.most >= 0.5) possible.add('Client or network')
  if (waits.least < 0.5) possible.add('No limit')
  return possible
}

/** Checks the share of each label: at least the steps that can have no other, at most those that can have it. */
export function claimShares(
  report: Report,
  summary: string,
  { fromTicks, toTicks }: { readonly fromTicks: number; readonly toTicks: number },
  known: KnownLimits,
): void {
  const steps = stepsOf(fromTicks / 10_000 + Date.UTC(2020, 0), toTicks / 10_000 + Date.UTC(2020, 0))
  const possible = steps.map((step) => possibleLabels(known, step))
  const shares = [...summary.matchAll(/(?:^Bottleneck: |, )([A-Z][\w ]+?) (<? ?[\d.]+ %)/g)]
  if (shares.length === 0) report.claim(PANEL, { figure: 'Part of the time', shown: undefined, truth: 1 })
  for (const [, label = '', shown = ''] of shares) {
    const can = possible.filter((labels) => labels.has(label))
    const must = can.filter((labels) => labels.size === 1)
    const truth = { least: must.length / steps.length, most: can.length / steps.length }
    report.claim(PANEL, { figure: 'Part of the time', of: label, shown, truth })
  }
  const all = sum(shares.map(([, , shown]) => quantityOf(shown ?? '')?.value ?? 0))
  report.claim(PANEL, {
    figure: 'Parts of the time together',
    shown: `${(all * 100).toFixed(1)} %`,
    truth: 1,
    allow: { absolute: 0.0005 * shares.length, why: 'each is rounded' },
  })
}
