import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asString,
  orNull,
  ParseError,
  type JsonObject,
} from '../../base/json/check.ts'
import { readStored, removeStored, storedUnder, writeStored } from '../../ui/storage.ts'
import type { Figure } from '../figures.ts'
import type { ActionCall, ActionFacts, ActionTarget } from '../model.ts'
import type { ActivityEntry, ActivityState, EffectSide } from './activity-entry.ts'

/* Entries of the activity as the browser has stored them, checked whole: another version, or something else, may have. */

/** Prefix of an entry's key, before its id. */
export const ENTRY_KEY = 'activity.'
/** Key of the list in which an older version stored all entries. */
const LIST_KEY = 'activity'

interface LoadedEntries {
  /** Not sorted. */
  readonly entries: readonly ActivityEntry[]
  /** Stored texts by id, without entries for which there is no space. */
  readonly texts: ReadonlyMap<string, string>
  /** Number of entries that could not be read. */
  readonly dropped: number
}

/** Reads the stored entries and removes those that cannot be read. `most`: maximum number that is taken from a list. */
export function loadEntries(most: number): LoadedEntries {
  const list = splitList(most)
  let { dropped } = list
  const texts = new Map<string, string>()
  const entries = [...list.unstored]
  for (const id of storedUnder(ENTRY_KEY)) {
    const text = readStored(ENTRY_KEY + id) ?? ''
    const entry = parseEntry(text, id)
    if (entry === null) {
      removeStored(ENTRY_KEY + id)
      dropped += 1
    } else {
      texts.set(id, text)
      entries.push(entry)
    }
  }
  return { entries, texts, dropped }
}

/** Stores each entry of the list separately, and returns those for which there is no space. */
function splitList(most: number): { readonly unstored: readonly ActivityEntry[]; readonly dropped: number } {
  const text = readStored(LIST_KEY)
  if (text === null) return { unstored: [], dropped: 0 }
  // The list itself may take the space that its entries need.
  removeStored(LIST_KEY)
  const values = parseList(text)
  const read = values.map(readEntry)
  const newest = read.filter((entry) => entry !== null).toSorted((a, b) => b.startedMs - a.startedMs)
  return {
    unstored: newest.slice(0, most).filter((entry) => !writeStored(ENTRY_KEY + entry.id, JSON.stringify(entry))),
    dropped: read.filter((entry) => entry === null).length,
  }
}

/** Values of the list. A text that is not a list counts as one unreadable value. */
function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : [null]
  } catch {
    return [null]
  }
}

/** Entry with that id; null: the text has another form. */
export function parseEntry(text: string, id: string): ActivityEntry | null {
  try {
    const entry = readEntry(JSON.parse(text))
    return entry?.id === id ? entry : null
  } catch {
    return null
  }
}

/** Throws `ParseError` for an invalid value. */
type Check = (value: unknown, path: string) => unknown
/** A check for each field of a shape; a new field must be added here to compile. */
type Fields<Shape> = { readonly [Name in keyof Required<Shape>]: Check }

const orNothing =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path)
const nullable =
  (check: Check): Check =>
  (value, path) => {
    if (value === undefined) throw new ParseError(path, 'a value or null', 'nothing')
    return orNull(check, value, path)
  }
const oneOf =
  (...names: readonly string[]): Check =>
  (value, path) => {
    if (!names.includes(asString(value, path))) throw new ParseError(path, names.join(', '), String(value))
  }
const between =
  (from: number, to: number): Check =>
  (value, path) => {
    const number = asNumber(value, path)
    if (number < from || number > to) throw new ParseError(path, `${from} to ${to}`, String(number))
  }
const shaped =
  <Shape>(fields: Fields<Shape>): Check =>
  (value, path) => {
    const object = asObject(value, path)
    for (const [name, check] of Object.entries<Check>(fields)) check(object[name], `${path}.${name}`)
  }
const listOf =
  (check: Check): Check =>
  (value, path) =>
    asArray(value, path).map((each, i) => check(each, `${path}[${i}]`))
const anything: Check = () => undefined

/** Latest time that a Date can have, ms since 1970, and in ticks. */
const MOST_MS = 8.64e15
const millis = between(-MOST_MS, MOST_MS)
const ticks = between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

const text: Check = asString
const number: Check = asNumber
const flag: Check = asBoolean
const optional = { text: orNothing(text), number: orNothing(number), flag: orNothing(flag) }

const inputs: Check = (value, path) => Object.values(asObject(value, path)).map((each) => asString(each, path))

const KINDS: Readonly<Record<ActionTarget['kind'], true>> = {
  server: true,
  node: true,
  database: true,
  document: true,
  index: true,
  query: true,
  operation: true,
  notification: true,
  environment: true,
}
const STATES: Readonly<Record<ActivityState, true>> = {
  sending: true,
  running: true,
  checking: true,
  done: true,
  nothing: true,
  gone: true,
  failed: true,
  unknown: true,
}
const UNITS: Readonly<Record<Figure['unit'], true>> = {
  bytes: true,
  count: true,
  ms: true,
  ticks: true,
  text: true,
  percent: true,
}

const FACTS: Fields<ActionFacts> = {
  state: optional.text,
  status: optional.text,
  isAuto: optional.flag,
  isInvalid: optional.flag,
  priority: optional.text,
  lock: optional.text,
  entries: optional.number,
  errors: optional.number,
  documents: optional.number,
  perSecond: optional.number,
  sizeBytes: optional.number,
  hasReplacement: optional.flag,
  replacementDone: optional.number,
  rebuilding: optional.number,
  createdAt: optional.text,
  volumeFreeBytes: optional.number,
  lastBackupTicks: orNothing(nullable(ticks)),
  isOfServer: optional.flag,
  changeVector: optional.text,
  task: optional.text,
  processed: optional.number,
  total: optional.number,
}

const call = shaped<ActionCall>({
  action: text,
  target: shaped<ActionTarget>({
    kind: oneOf(...Object.keys(KINDS)),
    database: nullable(text),
    name: nullable(text),
  }),
  inputs,
  facts: shaped(FACTS),
})

const error = shaped<NonNullable<ActivityEntry['error']>>({
  kind: optional.text,
  endpoint: text,
  status: nullable(number),
  message: text,
  serverMessage: nullable(text),
  hint: text,
})

const figure: Check = (value, path) => {
  shaped<Figure>({
    label: text,
    unit: oneOf(...Object.keys(UNITS)),
    value: nullable((each, at) => (typeof each === 'string' ? each : asNumber(each, at))),
    range: orNothing((each, at) => {
      if (asArray(each, at).length !== 2) throw new ParseError(at, 'two numbers', 'others')
      listOf(number)(each, at)
    }),
    aim: orNothing(oneOf('less', 'more')),
  })(value, path)
  const { unit, value: of } = value as Figure
  if (unit === 'ticks' && typeof of === 'number') ticks(of, `${path}.value`)
}
const figures = shaped<NonNullable<ActivityEntry['figures']>>({
  before: nullable(listOf(figure)),
  after: nullable(listOf(figure)),
})

const side = shaped<EffectSide>({
  startTicks: ticks,
  endTicks: ticks,
  batches: number,
  documents: number,
  medianTicks: nullable(number),
  median: orNothing(
    nullable(
      shaped<NonNullable<EffectSide['median']>>({
        value: number,
        low: number,
        high: nullable(number),
        lowest: number,
        highest: nullable(number),
        drifts: optional.flag,
      }),
    ),
  ),
  busyShare: number,
  isPartial: flag,
})

const mark = shaped<NonNullable<ActivityEntry['mark']>>({
  newestTicks: nullable(number),
  ofServer: nullable(shaped<NonNullable<NonNullable<ActivityEntry['mark']>['ofServer']>>({ number, startedAt: text })),
  failedTicks: orNothing(nullable(number)),
})

const ENTRY: Fields<ActivityEntry> = {
  id: text,
  server: text,
  call,
  title: text,
  startedTicks: ticks,
  endedTicks: nullable(ticks),
  startedMs: millis,
  endedMs: nullable(millis),
  state: oneOf(...Object.keys(STATES)),
  text,
  detail: optional.text,
  progress: nullable(number),
  error: nullable(error),
  accepted: anything,
  attempts: number,
  undoneBy: nullable(text),
  isOver: optional.flag,
  mark: orNothing(mark),
  made: optional.text,
  figures: orNothing(figures),
  beside: orNothing(figures),
  before: orNothing(nullable(side)),
  after: orNothing(nullable(side)),
  rebuild: orNothing(nullable(side)),
}

/** Parses an entry; null: not in the form of this version. */
function readEntry(value: unknown): ActivityEntry | null {
  try {
    const entry: JsonObject = asObject(value, '$')
    shaped(ENTRY)(entry, '$')
    return entry as unknown as ActivityEntry
  } catch {
    return null
  }
}
