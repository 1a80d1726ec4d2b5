import { formatPlural } from '../../../../../base/text/format.ts'
import { ABSENT, entryOf, valueOf, type Answer } from '../../../../../ravendb/entry-names.ts'
import {
  DATABASE_QUESTIONS,
  SERVER_QUESTIONS,
  type DatabaseAnswers,
  type OwnAnswers,
} from '../../../../../ravendb/answers/answers.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import type { Finding, TriageFacts, TriageRule } from '../../facts.ts'

export const NO_DATABASE = 'There is no database here.'

/** Returns why a rule cannot judge by a response of the server itself. Null: it can. */
export const unlessOwn =
  (name: keyof OwnAnswers) =>
  ({ answers }: TriageFacts): string | null =>
    answers === null ? 'It was not requested.' : whyNot(answers.own[name], SERVER_QUESTIONS[name].route)

/** Returns why a rule cannot judge by a response of each database. Null: at least one database responded. */
export const unlessSome =
  (name: keyof DatabaseAnswers) =>
  ({ answers }: TriageFacts): string | null => {
    if (answers === null) return 'It was not requested.'
    const all = answers.databases.map(({ answers: of }) => of[name])
    if (all.length === 0) return NO_DATABASE
    if (all.some(({ kind }) => kind === 'answered')) return null
    return whyNot(all.find(({ kind }) => kind === 'failed') ?? ABSENT, DATABASE_QUESTIONS[name].route)
  }

/** Returns why a response is not known. Null: it is. */
export function whyNot(answer: Answer<unknown>, route: string): string | null {
  if (answer.kind === 'answered') return null
  return answer.kind === 'failed' ? answer.message : `There is no response “${entryOf(route)}”.`
}

/**
 * Names the databases of which one of the responses is not known, and counts those that were left out, for a rule that
 * judged others. Null: all were judged. A disabled database has no responses, which is a finding of its own.
 */
export const exceptSome =
  (...names: readonly (keyof DatabaseAnswers)[]): NonNullable<TriageRule['partly']> =>
  ({ answers }) => {
    const isUnknown = ({ kind }: Answer<unknown>): boolean =>
      kind === 'failed' || (kind === 'absent' && answers?.isPackage === true)
    const unknown = (answers?.databases ?? []).filter(
      ({ answers: of }) => valueOf(of.record)?.isDisabled !== true && names.some((name) => isUnknown(of[name])),
    )
    const unchecked = answers?.unchecked ?? 0
    const words = [
      ...(unknown.length === 0 ? [] : [`Not known of ${unknown.map((each) => `“${each.name}”`).join(', ')}.`]),
      ...(unchecked === 0
        ? []
        : [`${formatPlural(unchecked, 'more loaded database was', 'more loaded databases were')} not checked.`]),
    ]
    return words.length === 0 ? null : words.join(' ')
  }

/** Time by which rules judge how long something has lasted: the responses do not show whether it lasts on. */
export const answeredAt = ({ answers, nowTicks }: TriageFacts): Ticks => answers?.atTicks ?? nowTicks

/** Findings from a response of the server itself. */
export function ofOwn<Name extends keyof OwnAnswers>(
  { answers }: TriageFacts,
  name: Name,
  find: (value: ValueOf<OwnAnswers[Name]>) => readonly Finding[],
): Finding[] {
  const answer = answers?.own[name]
  if (answer?.kind !== 'answered') return []
  const value = answer.value as ValueOf<OwnAnswers[Name]>
  return find(value).map((finding) => Object.assign({ entry: answer.entry }, finding))
}

type ValueOf<A> = A extends { readonly kind: 'answered'; readonly value: infer Value } ? Value : never

/** Findings from a response of each database. */
export function ofEach<Name extends keyof DatabaseAnswers>(
  { answers }: TriageFacts,
  name: Name,
  find: (value: ValueOf<DatabaseAnswers[Name]>, database: string, answers: DatabaseAnswers) => readonly Finding[],
): Finding[] {
  return (answers?.databases ?? []).flatMap(({ name: database, answers: of }) => {
    const answer = of[name]
    if (answer.kind !== 'answered') return []
    const value = answer.value as ValueOf<DatabaseAnswers[Name]>
    return find(value, database, of).map((finding) => Object.assign({ entry: answer.entry, database }, finding))
  })
}

const MOST_NAMED = 3

/** The first facts, and the number of the others. */
export const someOf = (facts: readonly string[]): string[] =>
  facts.length <= MOST_NAMED
    ? [...facts]
    : [...facts.slice(0, MOST_NAMED), `And ${(facts.length - MOST_NAMED).toLocaleString('en-US')} more.`]
