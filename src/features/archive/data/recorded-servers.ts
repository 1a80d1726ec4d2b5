import { PushedOut, pushedOutOf } from '../../../base/columns/pushed-out.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type {
  FindingRecord,
  LogRecord,
  NoteRecord,
  QueryRecord,
  SettingRecord,
  VitalRecord,
} from '../../../capture/archive/records.ts'
import { isOfFiles } from '../../../capture/archive/lost-files.ts'
import { FIGURES, FIGURES_OF_DETAILS, LOST_FILE, READ_AGAIN, type TableRows } from '../../../capture/archive/tables.ts'
import type { TableName } from '../../../capture/archive/manifest.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { EndedQuery, NotedFinding, SeriesInfo, ServerAlert, ServerGap } from '../../../feeds/server/contract.ts'
import type {
  RecordedFacts,
  RecordedFinding,
  RecordedLine,
  RecordedList,
  RecordedSeries,
  RecordedSetting,
} from '../contract.ts'
import { Samples } from './samples.ts'

/** Maximum number of samples in one record. */
const PART_ROWS = 4096
const MOST_KEYS = 64
const MOST_POINTS = 4000
const TAKEN: ReadonlySet<TableName> = new Set([
  'vitals',
  'notifications',
  'findings',
  'queries',
  'configuration',
  'logs',
])
/** Maximum number of rows listed for a server; the newest are kept. */
const MOST_LISTED = 5000

const NO_SERIES: ReadonlyMap<string, Samples> = new Map()

/** Time of the rows of a file that is missing or cannot be read. */
export interface LostRows extends TimeRange {
  /** Table of the file, `journal`, or `JOURNAL_END`. */
  readonly table: string
  readonly detail: string
}

interface RecordedServer {
  readonly node: string
  /** Gaps of figures, by lane and start. */
  readonly gaps: Map<string, ServerGap>
  /** Files that are missing or cannot be read, by the words about each. */
  readonly lost: Map<string, LostRows>
  readonly findings: Kept<RecordedFinding>
  readonly notifications: Kept<ServerAlert>
  readonly queries: Kept<EndedQuery>
  readonly settings: Kept<RecordedSetting>
  readonly log: Kept<RecordedLine>
  readonly series: Map<string, Samples>
}

/** Newest rows of a list, by id, and the times of those that went for them. */
class Kept<Row> {
  readonly rows = new Map<string, Row>()
  readonly pushedOut = new PushedOut()
  readonly #ticksOf: (row: Row) => number | null

  constructor(ticksOf: (row: Row) => number | null) {
    this.#ticksOf = ticksOf
  }

  add(id: string, row: Row): void {
    if (!this.rows.delete(id)) this.pushedOut.takeBack(this.#ticksOf(row) ?? Number.NaN)
    this.rows.set(id, row)
    const [oldest] = this.rows
    if (this.rows.size <= MOST_LISTED || oldest === undefined) return
    this.rows.delete(oldest[0])
    this.pushedOut.add(this.#ticksOf(oldest[1]) ?? Number.NaN)
  }
}

const LISTS: readonly RecordedList[] = ['findings', 'notifications', 'queries', 'settings', 'log']

/** Servers of the open recordings, by the prefix of their sources: `file:NAME/NODE/`. */
export class RecordedServers {
  readonly #infoOf: (key: string) => SeriesInfo | null
  readonly #servers = new Map<string, RecordedServer>()

  constructor(infoOf: (key: string) => SeriesInfo | null) {
    this.#infoOf = infoOf
  }

  readonly responses = {
    'archive.facts': ({ sources }) => factsOf(this.#of(sources)),
    'archive.series': ({ sources, keys, maxPoints, ...range }): RecordedSeries => {
      const server = this.#of(sources).find(({ series }) => series.size > 0)
      const points = Math.min(MOST_POINTS, Math.max(1, Math.floor(maxPoints)))
      return {
        available: Array.from(server?.series.values() ?? [], ({ info }) => info),
        series: keys.slice(0, MOST_KEYS).flatMap((key) => {
          const info = this.#infoOf(key)
          const samples = server?.series.get(key) ?? (info === null ? null : new Samples(info))
          return samples === null ? [] : [samples.rows(range, points)]
        }),
        gaps: [...(server?.gaps.values() ?? [])].filter(
          ({ startTicks, endTicks }) => endTicks > range.startTicks && startTicks < range.endTicks,
        ),
        extent: extentOf([...(server?.series.values() ?? [])]),
      }
    },
    'archive.pushedOut': ({ sources, range }) =>
      Object.fromEntries(
        LISTS.map((list) => [
          list,
          pushedOutOf(this.#of(sources).map((server) => server[list].pushedOut.within(range))),
        ]),
      ) as Record<RecordedList, ReturnType<typeof pushedOutOf>>,
  } satisfies Handlers<'archive.facts' | 'archive.series' | 'archive.pushedOut'>

  /** Figures, by key, of the server to which the first source with figures belongs. */
  seriesOf(sources: readonly SourceId[]): ReadonlyMap<string, Samples> {
    return this.#of(sources).find(({ series }) => series.size > 0)?.series ?? NO_SERIES
  }

  /** Lost rows of the servers to which the sources belong. */
  lostOf(sources: readonly SourceId[]): readonly LostRows[] {
    return this.#of(sources).flatMap(({ lost }) => Array.from(lost.values()))
  }

  /** All records of the servers to which the sources belong, as they were recorded. */
  *recordsOf(
    sources: readonly SourceId[],
  ): Generator<VitalRecord | NoteRecord | FindingRecord | QueryRecord | SettingRecord | LogRecord> {
    for (const { series, findings, notifications, queries, settings, log } of this.#of(sources)) {
      for (const [key, samples] of series)
        for (const part of samples.parts(PART_ROWS)) yield { t: 'vital', key, ...part }
      for (const [id, { level, title, startTicks, endTicks, noted }] of findings.rows)
        yield { t: 'finding', id, level, title, startTicks, endTicks, json: JSON.stringify(noted ?? {}) }
      for (const [id, alert] of notifications.rows)
        yield { t: 'note', id, atTicks: alert.createdTicks ?? 0, json: JSON.stringify(alert) }
      for (const [id, query] of queries.rows) {
        const startTicks = query.startTicks ?? query.lastTicks
        yield { t: 'query', id, startTicks, endTicks: query.lastTicks, json: JSON.stringify(query) }
      }
      for (const { key, atTicks, value, before } of settings.rows.values())
        yield { t: 'setting', key, atTicks, kind: 'changed', value, before }
      for (const { atTicks, level, resource, logger, message } of log.rows.values())
        yield { t: 'log', atTicks, level, resource, component: '', logger, message }
    }
  }

  /** Adds rows of a table; false: this class does not handle that table. */
  takeRows({ table, columns, length }: TableRows, sourceOf: (own: SourceId) => SourceId): boolean {
    if (table === 'gaps') return this.#takeGaps({ columns, length }, sourceOf)
    if (!TAKEN.has(table)) return false
    const server = this.#serverAt(sourceOf)
    const text = (name: string, row: number): string => String(columns[name]?.[row] ?? '')
    const number = (name: string, row: number): number => Number(columns[name]?.[row] ?? Number.NaN)
    if (table === 'vitals') this.#takeSamples(server, { columns, length })
    else if (table === 'configuration') takeSettings(server, { columns, length })
    else if (table === 'logs') takeLog(server, { columns, length })
    else
      for (let row = 0; row < length; row++)
        if (table === 'findings') {
          const [id, level, title] = ['id', 'level', 'title'].map((name) => text(name, row)) as [string, string, string]
          const startTicks = number('start_ticks', row) as Ticks
          const endTicks = number('end_ticks', row) as Ticks
          const noted = notedIn(text('detail', row))
          server.findings.add(id, { id, node: server.node, level, title, startTicks, endTicks, noted })
        } else if (table === 'notifications')
          server.notifications.add(text('id', row), JSON.parse(text('detail', row)) as ServerAlert)
        else server.queries.add(text('id', row), JSON.parse(text('detail', row)) as EndedQuery)
    return true
  }

  #serverAt(sourceOf: (own: SourceId) => SourceId): RecordedServer {
    const place = sourceOf('server').replace(/server$/, '')
    const server = this.#servers.get(place) ?? newServer(place)
    this.#servers.set(place, server)
    return server
  }

  /** Adds gaps of figures. Gaps of a source belong to the capture instead. */
  #takeGaps(
    { columns, length }: Pick<TableRows, 'columns' | 'length'>,
    sourceOf: (own: SourceId) => SourceId,
  ): boolean {
    let isAny = false
    for (let row = 0; row < length; row++) {
      const lane = columns['lane']?.[row]
      if (lane !== FIGURES && lane !== FIGURES_OF_DETAILS && lane !== LOST_FILE && lane !== READ_AGAIN) continue
      isAny = true
      const startTicks = columns['start_ticks']?.[row] as Ticks
      const endTicks = columns['end_ticks']?.[row] as Ticks
      const detail = String(columns['detail']?.[row] ?? '')
      if (lane === READ_AGAIN) {
        const { lost, gaps } = this.#serverAt(sourceOf)
        const files = new Set([detail])
        for (const [key, each] of lost) if (isOfFiles(files, each.detail)) lost.delete(key)
        for (const [key, each] of gaps) if (isOfFiles(files, each.detail)) gaps.delete(key)
        continue
      }
      if (lane === LOST_FILE) {
        const table = String(columns['kind']?.[row])
        this.#serverAt(sourceOf).lost.set(detail, { startTicks, endTicks, table, detail })
        continue
      }
      this.#serverAt(sourceOf).gaps.set(`${lane} ${String(startTicks)}`, {
        startTicks,
        endTicks,
        reason: columns['reason']?.[row] as ServerGap['reason'],
        detail,
        ...(lane === FIGURES_OF_DETAILS ? { isOfDetails: true } : {}),
      })
    }
    return isAny
  }

  /** Adds samples. Rows of the same figure are mostly consecutive. */
  #takeSamples({ series }: RecordedServer, { columns, length }: Pick<TableRows, 'columns' | 'length'>): void {
    const { key: keys = [], at_ticks: ticks = [], value: values = [] } = columns
    let key: unknown
    let samples: Samples | undefined
    for (let row = 0; row < length; row++) {
      if (keys[row] !== key) {
        key = keys[row]
        samples = this.#samplesOf(series, String(key))
      }
      samples?.add(Number(ticks[row] ?? Number.NaN), Number(values[row] ?? Number.NaN))
    }
  }

  #samplesOf(series: Map<string, Samples>, key: string): Samples | undefined {
    const info = series.has(key) ? null : this.#infoOf(key)
    if (info !== null) series.set(key, new Samples(info))
    return series.get(key)
  }

  #of(sources: readonly SourceId[]): RecordedServer[] {
    return [...this.#servers].flatMap(([place, server]) =>
      sources.some((source) => source.startsWith(place)) ? [server] : [],
    )
  }
}

/** Rule and link of a finding as the recorder wrote them; null: it wrote none. */
function notedIn(detail: string): RecordedFinding['noted'] {
  const { rule, link } = JSON.parse(detail) as Partial<NotedFinding>
  return rule === undefined || link === undefined ? null : { rule, link }
}

export function extentOf(series: readonly Samples[]): TimeRange | null {
  const extents = series.flatMap(({ extent }) => extent ?? [])
  if (extents.length === 0) return null
  return {
    startTicks: Math.min(...extents.map(({ startTicks }) => startTicks)) as Ticks,
    endTicks: Math.max(...extents.map(({ endTicks }) => endTicks)) as Ticks,
  }
}

const newServer = (place: string): RecordedServer => ({
  node: place.split('/').at(-2) ?? '',
  gaps: new Map(),
  lost: new Map(),
  findings: new Kept(({ startTicks }) => startTicks),
  notifications: new Kept(({ createdTicks }) => createdTicks),
  queries: new Kept(({ lastTicks }) => lastTicks),
  settings: new Kept(({ atTicks }) => atTicks),
  log: new Kept(({ atTicks }) => atTicks),
  series: new Map(),
})

/** Adds changes of settings. Changes found at the start of a recording are only available by SQL. */
function takeSettings(
  { node, settings }: RecordedServer,
  { columns, length }: Pick<TableRows, 'columns' | 'length'>,
): void {
  const text = (name: string, row: number): string | null => {
    const value = columns[name]?.[row] ?? null
    return value === null ? null : String(value)
  }
  for (let row = 0; row < length; row++) {
    if (columns['kind']?.[row] !== 'changed') continue
    const key = text('key', row) ?? ''
    const atTicks = Number(columns['at_ticks']?.[row]) as Ticks
    const change = { node, key, atTicks, value: text('value', row), before: text('before', row) }
    settings.add(`${key} ${String(atTicks)}`, change)
  }
}

/** Adds log lines. Lines of the same moment are distinguished by their text. */
function takeLog({ node, log }: RecordedServer, { columns, length }: Pick<TableRows, 'columns' | 'length'>): void {
  const text = (name: string, row: number): string => String(columns[name]?.[row] ?? '')
  for (let row = 0; row < length; row++) {
    const atTicks = Number(columns['at_ticks']?.[row]) as Ticks
    const [level, resource, logger, message] = ['level', 'resource', 'logger', 'message'].map((name) =>
      text(name, row),
    ) as [string, string, string, string]
    log.add(`${String(atTicks)} ${logger} ${message}`, { node, atTicks, level, resource, logger, message })
  }
}

const factsOf = (servers: readonly RecordedServer[]): RecordedFacts => ({
  findings: servers
    .flatMap(({ findings }) => [...findings.rows.values()])
    .toSorted((a, b) => a.startTicks - b.startTicks || b.endTicks - a.endTicks),
  notifications: servers.flatMap(({ notifications }) => [...notifications.rows.values()]),
  queries: servers.flatMap(({ queries }) => [...queries.rows.values()]).toSorted((a, b) => a.lastTicks - b.lastTicks),
  settings: servers.flatMap(({ settings }) => [...settings.rows.values()]).toSorted((a, b) => a.atTicks - b.atTicks),
  log: servers.flatMap(({ log }) => [...log.rows.values()]).toSorted((a, b) => a.atTicks - b.atTicks),
})
