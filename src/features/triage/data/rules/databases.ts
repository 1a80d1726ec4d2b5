import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { Finding, TriageRule } from '../facts.ts'
import { MINUTE_MS, asOf, toDatabase, span, between, firstLine, awaited } from './helpers.ts'

/* Databases that cannot be used. */

/** Text of an error without its stack trace. */
const firstWords = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(at\b|@)/.test(line))
    .slice(0, 2)
    .map(firstLine)

export const databaseFaulted: TriageRule = {
  rule: 'database-faulted',
  title: 'A database failed to load',
  reason:
    'No client can read or write it until the cause is removed: often a damaged or missing file, or a directory without rights.',
  unknown: (facts) =>
    facts.states.size === 0 && facts.now.databases?.total !== 0 ? awaited('No list received yet.') : null,
  find: ({ states, statesTicks, failures }) =>
    [...states].flatMap(([name, { state, error, sinceTicks, sinceIsBound }]): Finding[] => {
      const failure = failures.get(name)
      if (state !== 'faulted' && (state !== 'unloaded' || failure === undefined)) return []
      const words = failure?.message ?? error
      return [
        {
          about: name,
          level: 'critical',
          weight: 0.95,
          title: `The database “${name}” failed to load.`,
          evidence: words === null ? ['The server does not say why.'] : firstWords(words),
          sinceTicks: failure?.atTicks ?? (sinceIsBound ? null : sinceTicks),
          held: asOf(statesTicks),
          link: toDatabase(name),
          actsOn: { kind: 'database', database: name, names: [] },
        },
      ]
    }),
}

export const databaseLoading: TriageRule = {
  rule: 'database-loading',
  title: 'A database takes long to load',
  reason:
    'Requests to it wait up to 30 s and then fail (503). A long load replays a long journal, or waits its turn: by default 8 load at once.',
  when: 'Said from 30 s on.',
  unknown: databaseFaulted.unknown,
  find: ({ states, statesTicks, nowTicks }) =>
    [...states].flatMap(([name, { state, sinceTicks }]): Finding[] => {
      const ms = (nowTicks - sinceTicks) / TICKS_PER_MS
      if (state !== 'loading' || ms < 30_000) return []
      return [
        {
          about: name,
          level: ms > 5 * MINUTE_MS ? 'critical' : 'warning',
          weight: between(ms, 0, 10 * MINUTE_MS),
          title: `The database “${name}” has been loading for ${span(ms)}.`,
          past: `The database “${name}” took long to load.`,
          evidence: ['Requests to it wait, and fail after 30 s.'],
          sinceTicks,
          held: asOf(statesTicks),
          link: toDatabase(name),
        },
      ]
    }),
}
