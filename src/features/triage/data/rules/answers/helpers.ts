import { formatPlural } from '../../../../../base/text/format.ts'
import type { Answer } from '../../../../../ravendb/entry-names.ts'
import type { DatabaseAnswers, OwnAnswers } from '../../../../../ravendb/answers/answers.ts'
import type { Ticks } from '../../../../../base/ticks.ts'
import type { Finding, TriageFacts, TriageRule } from '../../facts.ts'

/** Returns why a rule cannot judge by a response of the server itself. Null: it can. */
export const unlessOwn =
  (name: keyof OwnAnswers) =>
  ({ answers }: TriageFacts): string | null =>
    answers === null ? 'It was not requested.' : whyNot(answers.own[name])

/** Returns why a rule cannot judge by a response of each database. Null: at least one database responded. */
export const unlessSome =
  (name: keyof DatabaseAnswers) =>
  ({ answers }: TriageFacts): string | null => {
    if (answers === null) return 'It was not requested.'
    const all = answers.databases.map(({ answers: of }) => of[name])
    if (all.length === 0) return 'There is no database here.'
    if (all.some(({ kind }) => kind === 'answered')) return null
    return whyNot(all.find(({ kind }) => kind === 'failed') ?? all[0] ?? { kind: 'absent' })
  }

const whyNot = (answer: Answer<unknown>): string | null =>
  answer.kind === 'answered' ? null : answer.kind === 'failed' ? answer.message : 'It is not in this source.'

/**
 * Names the databases whose response failed, and counts those that were left out, for a rule that judged others. Null:
 * all were judged.
 */
export const exceptSome =
  (name: keyof DatabaseAnswers): NonNullable<TriageRule['partly']> =>
  ({ answers }) => {
    const failed = (answers?.databases ?? []).filter(({ answers: of }) => of[name].kind === 'failed')
    const unchecked = answers?.unchecked ?? 0
    const words = [
      ...(failed.length === 0 ? [] : [`Not known of ${failed.map((each) => `“${each.name}”`).join(', ')}.`]),
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
