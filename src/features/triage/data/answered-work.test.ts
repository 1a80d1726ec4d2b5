import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import type { DatabaseAnswers } from '../../../ravendb/answers/answers.ts'
import { answeredWork, withCheck } from './answered-work.ts'
import type { ServerAnswers, TriageFacts } from './facts.ts'

const AT = 1e15 as Ticks
const index = { name: 'ByName', state: 'Normal', status: null, isStale: true, behind: 7, deletionLag: 0 }
const answers = (parts: Partial<Record<keyof typeof index, unknown>>): DatabaseAnswers =>
  ({
    indexes: { kind: 'answered', value: [{ ...index, indexedTicks: null, ...parts }] },
    counts: { kind: 'absent' },
  }) as unknown as DatabaseAnswers

it('calls an index disabled whose state alone says so', () => {
  const statusOf = (parts: Parameters<typeof answers>[0]) =>
    answeredWork('demo', answers(parts), AT).flatMap(({ indexes }) => indexes?.map(({ status }) => status))
  expect(statusOf({ state: 'Disabled' })).toEqual(['Disabled'])
  expect(statusOf({ status: 'Paused' })).toEqual(['Paused'])
  expect(statusOf({ status: 'Running' })).toEqual([])
})

it('takes no checked database for a loaded one once it is unloaded', () => {
  const check = { atTicks: AT, databases: ['a', 'b'].map((name) => ({ name, answers: answers({}) })) }
  const facts = (state: string) =>
    ({
      work: [],
      unpolled: { waiting: 0, resting: 2, unloaded: 0 },
      states: new Map([
        ['a', { state }],
        ['b', { state: 'online' }],
      ]),
    }) as unknown as TriageFacts
  const resting = (state: string) => withCheck(facts(state), check as unknown as ServerAnswers).unpolled?.resting
  expect(resting('online')).toBe(0)
  expect(resting('offline')).toBe(1)
})
