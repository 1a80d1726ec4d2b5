import type { Bytes } from '../../base/brand.ts'
import { formatPlural } from '../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import { JOURNAL_END } from '../../capture/archive/tables.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { ArchiveRequests, RecordedFinding, RecordedTriage } from '../../features/archive/contract.ts'
import { extentOf, type LostRows, type RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import type { Samples } from '../../features/archive/data/samples.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import type { EndedQuery, FindingLink } from '../../feeds/server/contract.ts'
import type { Volume } from '../../feeds/server/contract/machine.ts'
import { inOne } from '../../feeds/server/data/series.ts'
import { DEFAULT_RULE, FEW_EVENTS } from '../../features/stalls/contract.ts'
import { StallsJudge, type StallSource } from '../../features/stalls/data/responses.ts'
import type { TriageItem } from '../../features/triage/contract.ts'
import {
  listedRule,
  NO_OTHERS,
  type Finding,
  type TriageFacts,
  type TriageRule,
} from '../../features/triage/data/facts.ts'
import { worstFirst } from '../../features/triage/data/judge.ts'
import { findingId } from '../../features/triage/data/rules/helpers.ts'
import { STALLS_SPAN_TICKS } from '../../features/triage/data/thresholds.ts'
import { TRIAGE_RULES } from '../../features/triage/data/triage-rules.ts'
import { commitsOf, NOT_JUDGED, type JudgedCommits } from './held-up.ts'
import { factsOfMoment } from './package-facts.ts'
import { slowWritesOf } from './server-facts.ts'

/** Rules that are judged from recorded rows, with their tables. The recorder judged the others. */
const BY_ROWS: ReadonlyMap<string, readonly string[]> = new Map([
  ['cpu-busy', ['vitals']],
  ['disk-queue', ['vitals']],
  ['long-queries', ['vitals', 'queries']],
  ['slow-writes', ['io']],
  ['held-up-commits', ['io']],
])
const BY_RECORDER =
  'Rows do not decide it: it was judged while it was recorded, and what was found is listed. A finding that held when a recorder was killed is not in its files.'
const NOTHING_THEN = 'No figures were recorded at that time.'
/** Maximum age of a figure. */
const FRESH_TICKS = 60 * TICKS_PER_SECOND
/** Maximum age of the recorder's judgement, made every 15 s: the last one before a moment applies to it. */
const HELD_TICKS = 30 * TICKS_PER_SECOND
const MOST_ITEMS = 100

/** Panels that show a recording; findings for other panels link to the figures of their time. */
const SHOWN: ReadonlySet<string> = new Set(['io', 'stalls', 'indexing'])
const AROUND_TICKS = 60 * TICKS_PER_SECOND

/** Judges servers of recordings at a moment. */
export class RecordedTriageJudge {
  readonly #servers: RecordedServers
  readonly #io: Pick<IoFeed, 'store' | 'names'>
  readonly #stalls: StallsJudge

  constructor(servers: RecordedServers, io: Pick<IoFeed, 'store' | 'names'>, ofStalls: StallSource) {
    this.#servers = servers
    this.#io = io
    this.#stalls = new StallsJudge(ofStalls)
  }

  async respond(
    { sources, range }: ArchiveRequests['archive.triage']['params'],
    signal: AbortSignal,
  ): Promise<RecordedTriage> {
    const series = this.#servers.seriesOf(sources)
    const extent = extentOf([...series.values()]) ?? this.#ioExtent(sources)
    const { findings, queries } = this.#servers.responses['archive.facts']({ sources })
    const within = meeting(extent, range)
    const lost = this.#servers
      .lostOf(sources)
      .filter(
        ({ startTicks, endTicks }) => range === null || (startTicks <= range.endTicks && endTicks >= range.startTicks),
      )
    if (within === null)
      return { ...NOTHING, sentence: [NOTHING.sentence, wordsOfLost(lost)].join(' ').trim(), extent, rules: RULES }
    const atTicks = within.endTicks
    const met = findings.filter(({ startTicks, endTicks }) => startTicks <= atTicks && endTicks >= within.startTicks)
    const facts = {
      ...factsOfRecorded(series, atTicks, queries),
      others: {
        ...NO_OTHERS,
        slowWrites: slowWritesOf(this.#io, atTicks, sources),
        ...(await this.#commits(sources, atTicks, signal)),
      },
    }
    return { ...judge(facts, met, sources, lost), extent, findings: met }
  }

  /** Commits of the ten minutes before, where some of the I/O is open. */
  async #commits(sources: readonly SourceId[], atTicks: Ticks, signal: AbortSignal): Promise<JudgedCommits> {
    if (this.#ioExtent(sources) === null) return NOT_JUDGED
    const range = { startTicks: (atTicks - STALLS_SPAN_TICKS) as Ticks, endTicks: atTicks }
    const params = { sources, rule: DEFAULT_RULE, volumes: [], unknown: [], range, most: FEW_EVENTS }
    return commitsOf(await this.#stalls.respond(params, signal))
  }

  #ioExtent(sources: readonly SourceId[]): TimeRange | null {
    const tables = [...this.#io.store.lanes.values()]
      .filter(({ source }) => sources.includes(source))
      .flatMap((lane) => Array.from(lane.tracks.values(), ({ events }) => events))
      .filter(({ length }) => length > 0)
    if (tables.length === 0) return null
    return {
      startTicks: Math.min(...tables.map(({ firstTicks }) => firstTicks)) as Ticks,
      endTicks: Math.max(...tables.map(({ endTicks }) => endTicks)) as Ticks,
    }
  }
}

const RULES: RecordedTriage['rules'] = TRIAGE_RULES.map(listedRule)

const NOTHING: Omit<RecordedTriage, 'extent' | 'rules'> = {
  atTicks: null,
  sentence: 'Nothing of this time is open.',
  items: [],
  findings: [],
  judged: 0,
  total: TRIAGE_RULES.length,
  unknown: [],
  lacksFindings: false,
}

/** Part of the range that is recorded; null: none. */
function meeting(extent: TimeRange | null, range: TimeRange | null): TimeRange | null {
  if (extent === null || range === null) return extent
  const startTicks = Math.max(extent.startTicks, range.startTicks) as Ticks
  const endTicks = Math.min(extent.endTicks, range.endTicks) as Ticks
  return endTicks < startTicks ? null : { startTicks, endTicks }
}

function judge(
  facts: TriageFacts,
  met: readonly RecordedFinding[],
  sources: readonly SourceId[],
  lost: readonly LostRows[],
): Omit<RecordedTriage, 'extent' | 'findings'> {
  const { nowTicks: atTicks } = facts
  const unknown: RecordedTriage['unknown'][number][] = []
  const held = met.filter(({ endTicks }) => endTicks >= atTicks - HELD_TICKS)
  const recorded = held.map((finding) => recordedItem(finding, sources))
  const byRecorder = new Set(held.map(({ id }) => id.slice(0, id.lastIndexOf(' '))))
  const found = TRIAGE_RULES.flatMap((rule) => {
    const why = whyNot(rule, facts, lost)
    if (why !== null) {
      unknown.push({ rule: rule.rule, title: rule.title, why })
      return []
    }
    return rule.find(facts).map((finding) => ({ rule, finding }))
  })
  const judged = worstFirst(found)
    .map(({ rule, finding }) => itemOf(rule, finding, facts, sources))
    .filter(({ id }) => !byRecorder.has(id))
  const items = [...recorded, ...judged].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
  const done = TRIAGE_RULES.length - unknown.length
  return {
    atTicks,
    sentence: [sentenceOf(items, met.length, done, lost), wordsOfLost(lost)].join(' ').trim(),
    items: items.slice(0, MOST_ITEMS),
    judged: done,
    total: TRIAGE_RULES.length,
    unknown,
    rules: RULES,
    lacksFindings: lacksFindings(lost),
  }
}

const lacksFindings = (lost: readonly LostRows[]): boolean =>
  lost.some(({ table }) => table === 'findings' || table === 'journal')

function whyNot(rule: TriageRule, facts: TriageFacts, lost: readonly LostRows[]): string | null {
  const needs = BY_ROWS.get(rule.rule)
  if (needs === undefined) return BY_RECORDER
  const fromTicks = facts.nowTicks - STALLS_SPAN_TICKS
  const lacking = lost.find(
    ({ table, startTicks, endTicks }) =>
      (table === 'journal' || needs.includes(table)) && startTicks <= facts.nowTicks && endTicks >= fromTicks,
  )
  if (lacking !== undefined) return `Its rows are not all here. ${lacking.detail}`
  if (needs.includes('io') && facts.others.slowWrites === null) return 'No I/O was recorded at that time.'
  const why = rule.unknown(facts) ?? rule.history?.(facts) ?? null
  return why === null ? null : typeof why === 'string' ? why : NOTHING_THEN
}

const LEVELS: readonly TriageItem['level'][] = ['critical', 'warning', 'info']

function recordedItem(finding: RecordedFinding, sources: readonly SourceId[]): TriageItem {
  const { id, level, title, startTicks, endTicks, noted } = finding
  const rule = TRIAGE_RULES.find((each) => each.rule === noted?.rule)
  return {
    id,
    rule: noted?.rule ?? '',
    level: LEVELS.find((each) => each === level) ?? 'info',
    title,
    reason: rule === undefined || rule.quotes === true ? null : rule.reason,
    evidence: [],
    sinceTicks: startTicks,
    sinceIsBound: false,
    held: { ticks: endTicks, isEnd: true },
    link: recordedLink(noted?.link ?? null, { startTicks, endTicks }, sources),
  }
}

function itemOf(
  { rule, reason, quotes }: TriageRule,
  { about, level, title, evidence, sinceTicks = null, held, link }: Finding,
  { nowTicks }: TriageFacts,
  sources: readonly SourceId[],
): TriageItem {
  return {
    id: findingId(rule, about),
    rule,
    level,
    title,
    reason: quotes === true ? null : reason,
    evidence,
    sinceTicks,
    sinceIsBound: false,
    ...(held === undefined ? {} : { held }),
    link: recordedLink(link, { startTicks: sinceTicks ?? nowTicks, endTicks: nowTicks }, sources),
  }
}

/** Link of a finding into the recording: sources of its server, its time, and no parameters with live names. */
export function recordedLink(
  link: Pick<FindingLink, 'panel' | 'range' | 'sources'> | null,
  time: TimeRange,
  sources: readonly SourceId[],
): FindingLink {
  const isShown = link !== null && SHOWN.has(link.panel)
  const named = isShown
    ? sources.filter((source) =>
        link.sources.some((own) => source === own || source.endsWith(`/${own.replace(/^db:/, '')}`)),
      )
    : []
  return {
    panel: isShown ? link.panel : 'server',
    params: {},
    sources: named.length > 0 ? named : sources,
    range: link?.range ?? {
      startTicks: (time.startTicks - AROUND_TICKS) as Ticks,
      endTicks: (time.endTicks + AROUND_TICKS) as Ticks,
    },
  }
}

/** Whether no more than the last seconds of a recording are lost, which hinders no check. */
const isEnd = ({ table }: LostRows): boolean => table === JOURNAL_END

/** Says what is lost; empty: nothing. */
function wordsOfLost(lost: readonly LostRows[]): string {
  const { length } = lost.filter((each) => !isEnd(each))
  const files = `${formatPlural(length, 'file')} of this time cannot be read: what was in ${length === 1 ? 'it' : 'them'} is missing.`
  const end = lost.some(isEnd) ? ['The recording ends within a write: its last seconds are missing.'] : []
  return [...(length === 0 ? [] : [files]), ...end].join(' ')
}

function sentenceOf(items: readonly TriageItem[], findings: number, judged: number, lost: readonly LostRows[]): string {
  const issues = items.filter(({ level }) => level !== 'info')
  const [first] = issues
  if (first !== undefined)
    return issues.length === 1 ? first.title : `${first.title} ${formatPlural(issues.length - 1, 'more issue')}.`
  const found =
    findings === 0 ? 'no finding was recorded in the range' : `${formatPlural(findings, 'finding')} in the range`
  const noted = lacksFindings(lost) ? 'findings of the range are missing' : found
  return judged === 0
    ? `Nothing that was recorded then can be judged; ${noted}.`
    : `No issues found ${lost.every(isEnd) ? '' : 'in the rest '}by ${judged} of ${TRIAGE_RULES.length} checks; ${noted}.${items.length === 0 ? '' : ` ${formatPlural(items.length, 'finding')} for information.`}`
}

function factsOfRecorded(
  series: ReadonlyMap<string, Samples>,
  atTicks: Ticks,
  queries: readonly EndedQuery[],
): TriageFacts {
  const facts = factsOfMoment(atTicks)
  const newest = (key: string): { readonly atTicks: Ticks; readonly value: number } | null => {
    const sample = series.get(key)?.newest(atTicks) ?? null
    return sample === null || atTicks - sample.atTicks > FRESH_TICKS ? null : sample
  }
  const machine = newest('cpu.machine')
  return {
    ...facts,
    now: {
      ...facts.now,
      cpu:
        machine === null
          ? null
          : {
              atTicks: machine.atTicks,
              machinePercent: machine.value,
              processPercent: newest('cpu.process')?.value ?? Number.NaN,
              cores: null,
              usedCores: null,
            },
      volumes: volumesOf(series, newest),
    },
    recent: (key, spanMs) => {
      const startTicks = (atTicks - spanMs * TICKS_PER_MS) as Ticks
      const range = { startTicks, endTicks: (atTicks + 1) as Ticks }
      const rows = series.get(key)?.rows(range, spanMs / 1000 + 1)
      return rows === undefined ? NO_FIGURES : inOne(rows)
    },
    queries: machine === null ? null : queries.flatMap((query) => runningAt(query, atTicks)),
    queriesTicks: atTicks,
  }
}

const NO_FIGURES = { mean: Number.NaN, min: Number.NaN, max: Number.NaN, count: 0 }

/** A query that was running at that moment, as it was then. */
function runningAt({ lastTicks, ...query }: EndedQuery, atTicks: Ticks): Omit<EndedQuery, 'lastTicks'>[] {
  const startTicks = query.startTicks ?? ((lastTicks - query.runningMs * TICKS_PER_MS) as Ticks)
  if (startTicks > atTicks || lastTicks < atTicks) return []
  return [{ ...query, startTicks, runningMs: (atTicks - startTicks) / TICKS_PER_MS }]
}

/** Volumes by their queues; of other figures a recording has only the free space. */
const volumesOf = (
  series: ReadonlyMap<string, Samples>,
  newest: (key: string) => { readonly value: number } | null,
): Volume[] =>
  [...series.values()].flatMap(({ info: { key, mount } }): Volume[] => {
    if (mount === null || !key.startsWith('volume.queue|')) return []
    const valueOf = (figure: string): number => newest(`volume.${figure}|${mount}`)?.value ?? Number.NaN
    return [
      {
        mount,
        label: null,
        totalBytes: Number.NaN as Bytes,
        freeBytes: valueOf('free') as Bytes,
        ravenBytes: Number.NaN as Bytes,
        ravenTempBytes: Number.NaN as Bytes,
        isLow: false,
        fullInMs: null,
        shrinksBytesPerSecond: null,
        shrinksOverMs: 0,
        growth: null,
        environments: [],
        moreEnvironments: 0,
        io: {
          readsPerSecond: valueOf('reads'),
          writesPerSecond: valueOf('writes'),
          readBytesPerSecond: valueOf('readBytes'),
          writeBytesPerSecond: valueOf('writeBytes'),
          queueLength: newest(key)?.value ?? null,
        },
      },
    ]
  })
