import { expect, it } from 'vitest'
import { databaseRow } from '../../../testing/stub-capture.ts'
import { LoadingTimes } from './loading-times.ts'

it('counts from when a database was first seen loading, and again after it had loaded', () => {
  const times = new LoadingTimes()
  const loading = [databaseRow('a', { state: 'loading' }), databaseRow('b')]
  expect([...times.note(loading, 1000)]).toEqual([['a', 0]])
  expect([...times.note(loading, 13_000)]).toEqual([['a', 12_000]])
  expect([...times.note([databaseRow('a'), databaseRow('b')], 18_000)]).toEqual([])
  expect([...times.note(loading, 60_000)]).toEqual([['a', 0]])
})
