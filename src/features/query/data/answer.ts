import { asArray, asObject, asString, ParseError } from '../../../base/json/check.ts'
import { itemsOf, kindOf, membersOf, plainText } from '../../../base/json/exact.ts'
import type { QueryResponse } from '../../../ravendb/http/query.ts'
import type { Considered, QueryPage, TimingNode } from '../contract.ts'

/** Members of a response that are known by name. All others are shown as received. */
const KNOWN: ReadonlySet<string> = new Set([
  'TotalResults',
  'LongTotalResults',
  'CappedMaxResults',
  'SkippedResults',
  'ScannedResults',
  'LongSkippedResults',
  'DurationInMs',
  'IncludedPaths',
  'IndexName',
  'Results',
  'Includes',
  'IndexTimestamp',
  'LastQueryTime',
  'IsStale',
  'ResultEtag',
  'NodeTag',
  'IndexDefinitionRaftIndex',
])

/** Prefix of a time in year 1, which the server sends if no index was used. */
const NO_TIME = '0001-'

/** Reads a page. Only counts become numbers, other values stay text. Errors: `ParseError`, `ExactError`. */
export function readPage({ text, etag, tookMs, bytes }: QueryResponse, start: number): QueryPage {
  const members = new Map(membersOf(text).map(({ key, value }) => [key, value]))
  const textOf = (name: string): string | null => {
    const value = members.get(name)
    return value === undefined || value === 'null' ? null : plainText(value)
  }
  const results = members.get('Results')
  if (results === undefined) throw new ParseError('$.Results', 'an array', 'nothing')
  const includes = members.get('Includes')
  const indexedAt = textOf('IndexTimestamp')
  const timings = members.get('Timings')
  const plan = timings === undefined || timings === 'null' ? null : planOf(timings)
  return {
    start,
    rows: itemsOf(results),
    total: countOf(textOf('CappedMaxResults')) ?? countOf(textOf('TotalResults')),
    leavesOut: false,
    hasLists: false,
    skipped: countOf(textOf('SkippedResults')) ?? 0,
    scanned: countOf(textOf('ScannedResults')) ?? 0,
    included:
      includes === undefined || includes === 'null'
        ? []
        : membersOf(includes).map(({ key, value }) => ({ id: key, text: value })),
    index: textOf('IndexName') ?? '',
    isStale: members.get('IsStale') === 'true',
    indexedAt: indexedAt === null || indexedAt.startsWith(NO_TIME) ? null : indexedAt,
    serverMs: countOf(textOf('DurationInMs')),
    tookMs,
    bytes,
    etag,
    node: textOf('NodeTag'),
    timings: timings === undefined || timings === 'null' ? null : timingOf('Query', timings),
    more: [
      ...(plan === null ? [] : [{ name: 'Query plan', text: plan }]),
      ...[...members].flatMap(([name, value]) =>
        KNOWN.has(name) || name === 'Timings' || isEmpty(value) ? [] : [{ name: spaced(name), text: value }],
      ),
    ],
  }
}

const isEmpty = (value: string): boolean => value === 'null' || value === '{}' || value === '[]'

/** `CounterIncludes` → `Counter includes`. */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

/** A count of results or of ms, far below the range in which doubles lose digits. −1: unknown. */
function countOf(text: string | null): number | null {
  const count = Number(text ?? Number.NaN)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

function planOf(timings: string): string | null {
  const plan = membersOf(timings).find(({ key }) => key === 'QueryPlan')?.value
  return plan === undefined || isEmpty(plan) ? null : plan
}

function timingOf(name: string, text: string): TimingNode {
  if (kindOf(text) !== 'object') return { name, ms: 0, parts: [] }
  const members = new Map(membersOf(text).map(({ key, value }) => [key, value]))
  const parts = members.get('Timings')
  return {
    name,
    ms: countOf(members.get('DurationInMs') ?? null) ?? 0,
    parts:
      parts === undefined || kindOf(parts) !== 'object'
        ? []
        : membersOf(parts).map(({ key, value }) => timingOf(key, value)),
  }
}

/** Reads the response of `debug=explain`. Errors: `ParseError`, and the error of `JSON.parse`. */
export const readConsidered = (text: string): readonly Considered[] =>
  asArray(asObject(JSON.parse(text), '$')['Results'], '$.Results').map((item, i) => {
    const entry = asObject(item, `$.Results[${i}]`)
    return {
      index: asString(entry['Index'], `$.Results[${i}].Index`),
      reason: asString(entry['Reason'], `$.Results[${i}].Reason`),
    }
  })

/** Reads `entries-fields`: a list of objects in 7.1, lists by kind in earlier versions. Errors: `ParseError`. */
export function readIndexFields(response: unknown): readonly string[] {
  const names = Array.isArray(response)
    ? response.map((item, i) => asString(asObject(item, `$[${i}]`)['Name'], `$[${i}].Name`))
    : Object.entries(asObject(response, '$')).flatMap(([kind, list]) =>
        Array.isArray(list) ? list.map((name, i) => asString(name, `$.${kind}[${i}]`)) : [],
      )
  return names.filter((name) => name !== 'id()')
}
