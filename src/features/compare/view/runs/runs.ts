import { FIGURE_UNITS } from '../../../../base/text/format-unit.ts'
import { isFileSource } from '../../../../capture/client/state.ts'
import { COMPARED_FEEDS, LINE_ROLES, SHARES, type LineFigures, type SideFigures } from '../../contract.ts'

/** Machine as reported by its server, or typed; unknown parts are null or empty. */
export interface MachineFacts {
  readonly cores: number | null
  readonly memoryGib: number | null
  readonly volumes: string
}

/** A side of a comparison, stored under a name. */
export interface Run {
  readonly id: string
  readonly name: string
  /** Wall clock of this browser, ms since 1970. */
  readonly savedMs: number
  /** Names of its sources, and version of the server. */
  readonly from: string
  readonly machine: MachineFacts
  readonly workload: string
  /** Bottleneck for most of the time, as reported or typed; empty: not known. */
  readonly bottleneck: string
  readonly figures: SideFigures
}

/** Maximum number of lines of a run: those with the most events. */
const MOST_LINES = 60
const MOST_NAME = 200

/** A side as stored: without lines that have no single events, and at most `MOST_LINES`. */
export function keptFigures({ feed, startTicks, endTicks, lines, left }: SideFigures): SideFigures {
  const counted = lines.filter(({ count }) => count > 0)
  const kept = counted.slice(0, MOST_LINES)
  return { feed, startTicks, endTicks, lines: kept, left: left + counted.length - kept.length }
}

const FORMAT = 'rookery-runs'
/**
 * Version of the format. In version 1, load was a number of events by part of the range, which cannot be compared
 * between ranges of different lengths.
 */
const VERSION = 2

/** Text of a file with runs. */
export const formatRuns = (runs: readonly Run[]): string => JSON.stringify({ format: FORMAT, version: VERSION, runs })

/** Parses runs from a file or the storage; null: not such a text. Leaves out invalid runs. */
export function parseRuns(text: string): readonly Run[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(parsed) || parsed['format'] !== FORMAT || !Array.isArray(parsed['runs'])) return null
  const hasLoad = parsed['version'] === VERSION
  return parsed['runs'].flatMap((each: unknown) => readRun(each, hasLoad) ?? [])
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_NAME) : '')
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const numberOf = (value: unknown): number | null => (isNumber(value) && value >= 0 ? value : null)

function readRun(value: unknown, hasLoad: boolean): Run | null {
  if (!isObject(value) || textOf(value['id']) === '' || textOf(value['name']) === '') return null
  const { machine } = value
  const figures = readFigures(value['figures'], hasLoad)
  if (figures === null || !isNumber(value['savedMs'])) return null
  const facts = isObject(machine) ? machine : {}
  return {
    id: textOf(value['id']),
    name: textOf(value['name']),
    savedMs: value['savedMs'],
    from: textOf(value['from']),
    machine: {
      cores: numberOf(facts['cores']),
      memoryGib: numberOf(facts['memoryGib']),
      volumes: textOf(facts['volumes']),
    },
    workload: textOf(value['workload']),
    bottleneck: textOf(value['bottleneck']),
    figures: keptFigures(figures),
  }
}

/** Parses the figures of a run; null: invalid. */
function readFigures(value: unknown, hasLoad: boolean): SideFigures | null {
  if (!isObject(value) || !isOneOf(value['feed'], COMPARED_FEEDS) || !Array.isArray(value['lines'])) return null
  if (![value['startTicks'], value['endTicks'], value['left']].every(isNumber)) return null
  const lines = value['lines'].map((line) => readLine(line, hasLoad))
  return lines.includes(null) ? null : ({ ...value, lines } as unknown as SideFigures)
}

/** Parses a line. Older lines lack the fields that only figures of the server have. */
function readLine(value: unknown, hasLoad: boolean): LineFigures | null {
  if (!isObject(value)) return null
  const line: Fields = {
    unit: 'ticks',
    role: 'duration',
    mean: null,
    atLoad: null,
    sampleTicks: 0,
    max: value['maxTicks'],
    ...value,
    ...(hasLoad ? {} : { atLoad: null }),
  }
  const { unit, role, rate, mean, quantiles, atLoad } = line
  const isLine =
    [line['path'], line['name'], line['kind']].every((text) => typeof text === 'string') &&
    [line['count'], line['bytes'], line['knownTicks'], line['max'], line['sampleTicks'], line['rollUps']].every(
      isNumber,
    ) &&
    isOneOf(unit, FIGURE_UNITS) &&
    isOneOf(role, LINE_ROLES) &&
    (rate === null || isEstimate(rate)) &&
    (mean === null || isEstimate(mean)) &&
    (atLoad === null || isAtLoad(atLoad)) &&
    (line['slow'] === undefined || areSlow(line['slow'])) &&
    areQuantiles(quantiles)
  return isLine ? (line as unknown as LineFigures) : null
}

const areQuantiles = (value: unknown): boolean =>
  Array.isArray(value) && value.length === SHARES.length && value.every(isEstimate)

const areNumbers = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isNumber)

const areSlow = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value['count']) &&
  areNumbers(value['sinceTicks']) &&
  areNumbers(value['durationTicks']) &&
  value['sinceTicks'].length === value['durationTicks'].length

const isAtLoad = (value: unknown): boolean =>
  isObject(value) &&
  [value['load'], value['spread'], value['slope'], value['slopeError']].every(isNumber) &&
  areQuantiles(value['quantiles'])

const isOneOf = (value: unknown, of: readonly string[]): boolean => typeof value === 'string' && of.includes(value)

const isEstimate = (value: unknown): boolean =>
  isObject(value) &&
  [value['value'], value['low'], value['lowest']].every(isNumber) &&
  [value['high'], value['highest']].every((bound) => bound === null || isNumber(bound))

/** Prefix of a run's id as a source in links. */
const PREFIX = 'run:'
export const sourceOfRun = (id: string): string => PREFIX + id
export const runOfSource = (source: string | undefined): string | null =>
  source?.startsWith(PREFIX) === true ? source.slice(PREFIX.length) : null

/** Whether a side has only sources of the watched server; a file or a run may belong to another one. */
export const isOfServer = (sources: readonly string[]): boolean =>
  sources.length > 0 && sources.every((source) => !isFileSource(source) && runOfSource(source) === null)
