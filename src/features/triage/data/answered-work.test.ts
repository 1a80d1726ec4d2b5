import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import type { DatabaseAnswers } from '../../../ravendb/answers/answers.ts'
import { answeredWork, withCheck } from './answered-work.ts'
import type { ServerAnswers, TriageFacts } from './facts.ts'
import { serverAlerts } from './rules/server.ts'

const AT = 1e15 as Ticks
const index = { name: 'ByName', state: 'Normal', status: null, isStale: true, behind: 7, deletionLag: 0 }
const answers = (parts: Partial<Record<keyof typeof index, unknown>>): DatabaseAnswers =>
  ({
    indexes: { kind: 'answered', value: [{ ...index, indexedTicks: null, ...parts }] },
    counts: { kind: 'absent' },
    notices: { kind: 'absent' },
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
      alerts: [],
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

it('reports an alert that only a database has beside those of the server, with the page that has it', () => {
  const failed = {
    id: 'AlertRaised/PeriodicBackup',
    type: 'AlertRaised',
    severity: 'Error',
    title: 'Backup: it failed',
    message: null,
  }
  const notices = [failed, { ...failed, id: 'hint', type: 'PerformanceHint' }]
  const of = { ...answers({}), notices: { kind: 'answered', value: { notices, total: 2 } } }
  const check = { atTicks: AT, databases: [{ name: 'orders', answers: of }] } as unknown as ServerAnswers
  const own = { id: 'own', severity: 'Error', title: 'Of the server', message: null, database: 'orders' }
  const facts = { work: null, alerts: [own], failures: new Map(), nowTicks: AT } as unknown as TriageFacts
  expect(serverAlerts.find(withCheck(facts, check)).map(({ title, link: { panel } }) => [title, panel])).toEqual([
    ['Of the server.', 'server'],
    ['Backup: it failed.', 'database'],
  ])
  expect(serverAlerts.find(facts)).toHaveLength(1)
})
