import { asArray, asObject, asString } from '../../base/json/check.ts'
import { compareNumbers } from '../../base/json/compare-values.ts'
import { ExactJson } from '../../base/json/exact.ts'
import { formatPlural } from '../../base/text/format.ts'
import {
  AS_IT_WAS,
  targetWords,
  type Action,
  type ActionCall,
  type ActionRequest,
  type Beforehand,
  type CheckContext,
  type CheckResult,
} from '../model.ts'
import { checkReading } from './index-reading.ts'

/* Counters and time series of a document. Numbers are sent as they are typed: a counter has 64 bits. */

const WHOLE = /^[+-]?\d+$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** A time of a time series, which keeps milliseconds: the server drops what is below. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d{1,3}0{0,4})?)?Z$/

const COUNTER_BITS = 64

const input = ({ inputs }: Pick<ActionCall, 'inputs'>, name: string): string => (inputs[name] ?? '').trim()
/** Name of a counter or time series with its spaces: “ likes” and “likes” are two. */
const nameIn = ({ inputs }: Pick<ActionCall, 'inputs'>, name: 'counter' | 'series'): string => inputs[name] ?? ''
const quoted = (text: string): string => JSON.stringify(text)

/** A number as typed; any other text in quotes, which the server refuses. */
const numberText = (text: string): string => (NUMBER.test(text) ? text : quoted(text))

/** A whole number with all its digits; any other text in quotes, which the server refuses. */
const wholeText = (text: string): string => (WHOLE.test(text) ? String(BigInt(text.replace(/^\+/, ''))) : quoted(text))

/** The server stores an increment beyond 64 bits as the largest number. */
function incrementProblem(text: string): string | null {
  if (!WHOLE.test(text)) return 'The increment is a whole number.'
  const delta = BigInt(wholeText(text))
  return BigInt.asIntN(COUNTER_BITS, delta) === delta
    ? null
    : 'A counter has 64 bits: the increment is at most 9223372036854775807, and at least -9223372036854775808.'
}
const valuesOf = (call: Pick<ActionCall, 'inputs'>): readonly string[] =>
  input(call, 'values')
    .split(/[,;\s]+/)
    .filter((value) => value !== '')

const counterRequest = ({ target: { database, name } }: ActionCall, operation: string): ActionRequest => ({
  method: 'POST',
  path: ['databases', database ?? '', 'counters'],
  body: new ExactJson(`{"Documents":[{"DocumentId":${quoted(name ?? '')},"Operations":[${operation}]}]}`),
})

const seriesRequest = ({ target: { database, name }, inputs }: ActionCall, change: string): ActionRequest => ({
  method: 'POST',
  path: ['databases', database ?? '', 'timeseries'],
  query: { docId: name ?? '' },
  body: new ExactJson(`{"Name":${quoted(nameIn({ inputs }, 'series'))},${change}}`),
})

/** Names of the document's counters. Errors: `RavenError`. */
async function counterNames({ read, call }: CheckContext, database: string): Promise<readonly string[]> {
  const response = asObject(await read('counters', { database, docId: call.target.name ?? '' }), '$')
  return asArray(response['Counters'], '$.Counters').flatMap((item) =>
    item === null
      ? []
      : [asString(asObject(item, '$.Counters')['CounterName'], '$.Counters.CounterName').toLowerCase()],
  )
}

/** Number of entries of the series between two times. Errors: `RavenError`. */
async function entriesBetween(
  { read, call }: CheckContext,
  database: string,
  from: string,
  to: string,
): Promise<number> {
  const docId = call.target.name ?? ''
  const params = { database, docId, name: nameIn(call, 'series'), from, to, start: '0', pageSize: '1' }
  return asArray(asObject(await read('timeSeries', params), '$')['Entries'], '$.Entries').length
}

/** Whole numbers within the precision of a double are exact here. */
function totalOf(accepted: unknown): string {
  const [counter] =
    typeof accepted === 'object' && accepted !== null && 'Counters' in accepted && Array.isArray(accepted.Counters)
      ? (accepted.Counters as readonly unknown[])
      : []
  const total = typeof counter === 'object' && counter !== null && 'TotalValue' in counter ? counter.TotalValue : null
  return Number.isSafeInteger(total) ? ` Its value was ${String(total)} then.` : ''
}

const LOST: CheckResult = {
  state: 'unknown',
  text: 'The response was lost: whether the counter was incremented is not known. Look at its value.',
  isLast: true,
}

const refusing = (where: string, problem: (call: ActionCall) => string | null): NonNullable<Action['refuses']> => ({
  where,
  read: ({ call }: Beforehand) => Promise.resolve(problem(call)),
})

const isTime = (text: string): boolean => {
  const minute = TIME.exec(text)?.[1]
  const ms = Date.parse(text)
  // The 30th of February parses as the 2nd of March.
  return minute !== undefined && Number.isFinite(ms) && new Date(ms).toISOString().startsWith(minute)
}

/** Limits of the server, which reports them in words about its storage. */
const MOST_VALUES = 32
const MOST_TAG_BYTES = 252

function seriesProblem(call: ActionCall): string | null {
  if (nameIn(call, 'series').includes('@'))
    return 'The name of a time series has no @: the server keeps that for roll-ups.'
  const values = valuesOf(call).length
  if (values > MOST_VALUES) return `An entry has at most ${String(MOST_VALUES)} values, and not ${String(values)}.`
  const bytes = new TextEncoder().encode(input(call, 'tag')).length
  return bytes > MOST_TAG_BYTES ? `A tag has at most ${String(MOST_TAG_BYTES)} bytes, and not ${String(bytes)}.` : null
}

const timeProblem = (call: ActionCall, ...names: readonly string[]): string | null =>
  names.every((name) => isTime(input(call, name)))
    ? null
    : 'A time is in UTC to the millisecond, such as 2026-11-27T02:00:00.000Z.'

/** Names the values as the server reads them, and those that a double does not hold. */
function valueWords(call: ActionCall): string {
  const values = valuesOf(call)
  if (values.length === 0) return ''
  const rounded = values.filter(
    (value) =>
      NUMBER.test(value) && Number.isFinite(Number(value)) && compareNumbers(value, String(Number(value))) !== 0,
  )
  return [
    ` It has ${formatPlural(values.length, 'value')}: ${values.join('; ')}.`,
    ...rounded.map((value) => `${value} is stored as ${String(Number(value))}, the nearest double.`),
  ].join(' ')
}

const COMMON = { onFailure: AS_IT_WAS, target: 'document', right: 'DatabaseWrite', confirm: 'confirm' } as const
const SERIES = { name: 'series', label: 'Time series' }

export const DOCUMENT_PART_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'document.count',
    title: 'Increment counter',
    done: 'Counter incremented',
    fields: [
      { name: 'counter', label: 'Counter', hint: 'One that is not there yet is created.' },
      { name: 'delta', label: 'Increment by', initial: '1', hint: 'A whole number; a negative one decrements.' },
    ],
    applies: () => true,
    request: (call) =>
      counterRequest(
        call,
        `{"Type":"Increment","CounterName":${quoted(nameIn(call, 'counter'))},"Delta":${wholeText(input(call, 'delta'))}}`,
      ),
    refuses: refusing('the increment is no whole number of 64 bits', (call) => incrementProblem(input(call, 'delta'))),
    consequence: (call) =>
      `${input(call, 'delta')} is added to the counter “${nameIn(call, 'counter')}” of ${targetWords(call.target)}. Other clients may change it at the same time: nothing is overwritten.`,
    loss: () => null,
    read: 'that `counters` of the document lists it',
    check: (context) =>
      checkReading(context, async (database): Promise<CheckResult> => {
        if (context.accepted === null) return LOST
        const names = await counterNames(context, database)
        return names.includes(nameIn(context.call, 'counter').toLowerCase())
          ? { state: 'done', text: `The document has the counter.${totalOf(context.accepted)}` }
          : { state: 'unchanged', text: 'The document does not have the counter.' }
      }),
  },
  {
    ...COMMON,
    id: 'document.uncount',
    title: 'Delete counter',
    done: 'Counter deleted',
    applies: (_, inputs) => inputs['counter'] !== undefined,
    request: (call) => counterRequest(call, `{"Type":"Delete","CounterName":${quoted(nameIn(call, 'counter'))}}`),
    consequence: (call) => `The counter “${nameIn(call, 'counter')}” of ${targetWords(call.target)} is deleted.`,
    loss: () => 'The value of the counter.',
    removes: true,
    read: 'that `counters` of the document does not list it',
    check: (context) =>
      checkReading(context, async (database): Promise<CheckResult> => {
        const names = await counterNames(context, database)
        return names.includes(nameIn(context.call, 'counter').toLowerCase())
          ? { state: 'unchanged', text: 'The document still has the counter.' }
          : { state: 'done', text: 'The document does not have the counter.' }
      }),
  },
  {
    ...COMMON,
    id: 'document.append',
    title: 'Append entry',
    done: 'Entry appended',
    fields: [
      { ...SERIES, hint: 'One that is not there yet is created.' },
      { name: 'at', label: 'Time (UTC)', hint: 'Such as 2026-11-27T02:00:00.000Z' },
      { name: 'values', label: 'Values', hint: 'Numbers, with commas between them.' },
      { name: 'tag', label: 'Tag', optional: true },
    ],
    applies: () => true,
    request: (call) => {
      const tag = input(call, 'tag')
      const values = valuesOf(call).map(numberText)
      return seriesRequest(
        call,
        `"Appends":[{"Timestamp":${quoted(input(call, 'at'))},"Values":[${values.join(',')}],"Tag":${tag === '' ? 'null' : quoted(tag)}}]`,
      )
    },
    refuses: refusing(
      'the time or a value is none, or the server would refuse the name, the values or the tag',
      (call) => {
        const values = valuesOf(call)
        const isRight = values.length > 0 && values.every((value) => NUMBER.test(value))
        // The server would store Infinity in its place.
        const beyond = values.find((value) => !Number.isFinite(Number(value)))
        return (
          seriesProblem(call) ??
          timeProblem(call, 'at') ??
          (!isRight
            ? 'Values are numbers, with commas between them.'
            : beyond === undefined
              ? null
              : `A time series holds doubles, up to 1.8e308: ${beyond} is beyond.`)
        )
      },
    ),
    consequence: (call) =>
      `An entry is appended to the time series “${nameIn(call, 'series')}” of ${targetWords(call.target)}; an entry of the same time is replaced.${valueWords(call)}`,
    loss: () => 'The values and the tag of an entry of the same time.',
    read: 'that the time series has an entry of that time',
    check: (context) =>
      checkReading(context, async (database): Promise<CheckResult> => {
        const at = input(context.call, 'at')
        return (await entriesBetween(context, database, at, at)) > 0
          ? { state: 'done', text: 'The time series has an entry of that time.' }
          : { state: 'unchanged', text: 'The time series has no entry of that time.' }
      }),
  },
  {
    ...COMMON,
    id: 'document.delete-entries',
    title: 'Delete entries',
    done: 'Entries deleted',
    fields: [SERIES, { name: 'from', label: 'From (UTC)' }, { name: 'to', label: 'To (UTC), included' }],
    applies: () => true,
    request: (call) =>
      seriesRequest(call, `"Deletes":[{"From":${quoted(input(call, 'from'))},"To":${quoted(input(call, 'to'))}}]`),
    refuses: refusing('a time is none', (call) => timeProblem(call, 'from', 'to')),
    consequence: (call) =>
      `The entries of the time series “${nameIn(call, 'series')}” of ${targetWords(call.target)} from ${input(call, 'from')} to ${input(call, 'to')} are deleted.`,
    loss: () => 'Their values and tags.',
    read: 'that the time series has no entry between the times',
    check: (context) =>
      checkReading(context, async (database): Promise<CheckResult> => {
        const { call } = context
        return (await entriesBetween(context, database, input(call, 'from'), input(call, 'to'))) > 0
          ? { state: 'unchanged', text: 'The time series still has entries between the times.' }
          : { state: 'done', text: 'The time series has no entry between the times.' }
      }),
  },
]
