import { exactRange, type Ticks, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import { scopeAfter } from '../../capture/client/database-scope.ts'
import { MAX_SOURCES, parseSourceId, sourceKey } from '../../capture/client/state.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { View } from '../../capture/client/view.ts'
import { readStudioLink } from './studio-links.ts'
import { CURRENT_VERSION, UPGRADERS, upgrade } from './url-versions.ts'
import type { UrlPair } from './url-versions.ts'

/**
 * The address of a picture: `#/io?v=2&s=db:Orders&s=server&range=2173410906364827..2173410966364827&io.kinds=DataSync`.
 *
 * | key        | holds                                                                | left out when        |
 * |------------|----------------------------------------------------------------------|----------------------|
 * | `v`        | version of this table                                                | never                |
 * | `s`        | a source, as often as there are sources                              | none is chosen       |
 * | `db`       | the database in scope                                                | sources imply it     |
 * | `range`    | first and end tick, whole, exact                                     | live                 |
 * | `live`     | ticks that live shows                                                | 60 s                 |
 * | `sel`      | what is pinned, in its panel's own form                              | nothing is           |
 * | `clock`    | `utc`                                                                | local                |
 * | `<id>.…`   | a setting of the panel with this id (any key with a dot)             | the panel's default  |
 *
 * `#open` is short for the panel of files with its drop area in focus. Links of the official Studio
 * (`#databases/indexes?&database=Orders`) are read, and written as ours.
 */
export interface Address {
  readonly panel: string
  readonly view: View
}

export interface Decoded extends Address {
  /** Sentences, one for each part that could not be read and has its default. */
  readonly notes: readonly string[]
  /** Hash of a page of the official Studio without an equivalent here. */
  readonly onlyInStudio?: string
  readonly unshown?: UnshownPicture
}

/** A saved capture whose picture could not be shown, and the reason. */
export interface UnshownPicture {
  readonly file: string
  readonly message: string
}

export const DEFAULT_VIEW: View = {
  sources: [],
  database: null,
  range: null,
  liveSpan: 600_000_000 as TickSpan,
  selection: null,
  clock: 'local',
  params: {},
}

/** Whether a key belongs to a panel's setting, which always has a dot. */
const isParamKey = (key: string): boolean => /^[^.]+\../su.test(key)

/** Percent-encodes a text but for readable, harmless characters. An unpaired surrogate becomes U+FFFD. */
function encodeText(text: string): string {
  const wellFormed = text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
  return encodeURIComponent(wellFormed).replace(/%(?:3A|2C|2F|40|24|7C)/g, decodeURIComponent)
}

/** Decodes a text; null: invalid percent-encoding. */
function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Hash of an address, `#` included. Edges of a range between two ticks move outwards. */
export function encodeAddress({ panel, view }: Address): string {
  const pairs: UrlPair[] = [['v', String(CURRENT_VERSION)]]
  for (const source of view.sources) pairs.push(['s', source])
  if (view.database !== null) pairs.push(['db', view.database])
  if (view.range !== null) {
    const { startTicks, endTicks } = exactRange(view.range)
    pairs.push(['range', `${String(startTicks)}..${String(endTicks)}`])
  }
  if (view.liveSpan !== DEFAULT_VIEW.liveSpan) pairs.push(['live', String(Math.round(view.liveSpan))])
  if (view.selection !== null) pairs.push(['sel', view.selection])
  if (view.clock !== DEFAULT_VIEW.clock) pairs.push(['clock', view.clock])
  for (const [key, value] of Object.entries(view.params)) pairs.push([key, value])
  const query = pairs.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join('&')
  return `#/${encodeText(panel)}?${query}`
}

/** `#open`: short link to the drop area for files. */
const OPEN = 'open'

/** Decodes any text to an address that can be shown. Never throws; an unknown panel becomes the first of `panels`. */
export function decodeAddress(hash: string, panels: readonly string[]): Decoded {
  const notes: string[] = []
  const [path, query] = splitOnce(hash.replace(/^#?\/?/, ''), '?')
  if (path === OPEN && panels.includes('files')) return decodeAddress(`#/files?files.focus=drop&${query}`, panels)
  const named = decodeText(path) ?? path
  const pairs = readPairs(query, notes)
  const studio = readStudioLink(named, pairs.find(([key]) => key === 'database')?.[1] ?? null)
  if (studio !== null) {
    const { panel, sources, database, params, isOnlyThere } = studio
    const view = { ...DEFAULT_VIEW, sources, database, params }
    const only = isOnlyThere ? { onlyInStudio: `#${hash.replace(/^#?\/?/, '')}` } : {}
    return { panel: panels.includes(panel) ? panel : (panels[0] ?? ''), view, notes: [], ...only }
  }
  const link = upgrade({ panel: named, pairs }, UPGRADERS, notes)
  const panel = panels.includes(link.panel) ? link.panel : (panels[0] ?? '')
  if (link.panel !== '' && link.panel !== panel) notes.push(`There is no panel “${link.panel}”.`)
  return { panel, view: readView(link.pairs, notes), notes }
}

function readPairs(query: string, notes: string[]): UrlPair[] {
  const pairs: UrlPair[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const [rawKey, rawValue] = splitOnce(part, '=')
    const key = decodeText(rawKey)
    const value = decodeText(rawValue)
    if (key === null || value === null) notes.push(`“${part}” is not a readable part of a link.`)
    else pairs.push([key, value])
  }
  return pairs
}

function readView(pairs: readonly UrlPair[], notes: string[]): View {
  const last = (key: string): string | null => pairs.findLast(([each]) => each === key)?.[1] ?? null
  const sources = readSources(pairs, notes)
  return {
    sources,
    database: scopeAfter(sources, last('db') === '' ? null : last('db')),
    range: readRange(last('range'), notes),
    liveSpan: readLiveSpan(last('live'), notes),
    selection: last('sel'),
    clock: readClock(last('clock'), notes),
    params: Object.fromEntries(pairs.filter(([key]) => isParamKey(key))),
  }
}

function readSources(pairs: readonly UrlPair[], notes: string[]): readonly SourceId[] {
  const sources = new Map<string, SourceId>()
  let over = 0
  for (const [key, id] of pairs) {
    if (key !== 's' || sources.has(sourceKey(id))) continue
    if (parseSourceId(id) === null) notes.push(`“${id}” is not a source.`)
    else if (sources.size >= MAX_SOURCES) over++
    else sources.set(sourceKey(id), id)
  }
  if (over > 0) notes.push(`At most ${String(MAX_SOURCES)} sources are watched at once; ${String(over)} were left out.`)
  return [...sources.values()]
}

function readRange(text: string | null, notes: string[]): TimeRange | null {
  if (text === null) return null
  const match = /^(-?\d{1,16})\.\.(-?\d{1,16})$/.exec(text)
  const startTicks = Number(match?.[1])
  const endTicks = Number(match?.[2])
  if (Number.isSafeInteger(startTicks) && Number.isSafeInteger(endTicks) && startTicks < endTicks)
    return { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
  notes.push(`“${text}” is not a range of time; live is shown.`)
  return null
}

function readLiveSpan(text: string | null, notes: string[]): TickSpan {
  if (text === null) return DEFAULT_VIEW.liveSpan
  const span = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (span > 0 && Number.isSafeInteger(span)) return span as TickSpan
  notes.push(`“${text}” is not a length of time; the newest 60 s are shown.`)
  return DEFAULT_VIEW.liveSpan
}

function readClock(text: string | null, notes: string[]): View['clock'] {
  if (text === 'utc' || text === 'local') return text
  if (text !== null) notes.push(`“${text}” is not a clock; local time is shown.`)
  return DEFAULT_VIEW.clock
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
