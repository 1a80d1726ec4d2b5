import { expect, it } from 'vitest'
import { actionById } from '../table.ts'
import { ExactJson } from '../../base/json/exact.ts'
import { parseVersion } from '../../ravendb/versions.ts'
import type { ActionCall, Beforehand } from '../model.ts'

const target = { kind: 'document', database: 'Shop', name: 'rooms/1' } as const
const version = parseVersion({ FullVersion: '7.1.5' })

it.each([
  ['1.7e308, -1.7e308', null],
  ['1, x', 'Values are numbers, with commas between them.'],
  ['1, 1e400', 'A time series holds doubles, up to 1.8e308: 1e400 is beyond.'],
])('values %j of an entry: %s', async (values, problem) => {
  const inputs = { series: 'Air', at: '2026-11-27T02:00:00Z', values, tag: '' }
  const call = { action: 'document.append', target, inputs, facts: {} }
  expect(await actionById('document.append')?.refuses?.read({ call } as unknown as Beforehand)).toBe(problem)
})

const problemOf = (action: string, inputs: ActionCall['inputs']) => {
  const call = { action, target, inputs, facts: {} }
  return actionById(action)?.refuses?.read({ call } as unknown as Beforehand)
}
const BITS = 'A counter has 64 bits: the increment is at most 9223372036854775807, and at least -9223372036854775808.'

it.each([
  ['9223372036854775807', null],
  ['-9223372036854775808', null],
  ['9223372036854775808', BITS],
  ['-9223372036854775809', BITS],
  ['007', null],
  ['1.5', 'The increment is a whole number.'],
])('increment %j: %s', async (delta, problem) => {
  expect(await problemOf('document.count', { counter: 'likes', delta })).toBe(problem)
})

const TIME = 'A time is in UTC to the millisecond, such as 2026-11-27T02:00:00.000Z.'

it.each([
  ['2026-11-27T02:00Z', null],
  ['9999-12-31T23:59:59.9990000Z', null],
  ['0001-01-01T00:00:00Z', null],
  ['2026-02-30T00:00:00Z', TIME],
  ['2026-13-01T00:00:00Z', TIME],
  ['2026-11-27T02:00:00.1234567Z', TIME],
  ['2026-11-27 02:00', TIME],
])('time %j of an entry: %s', async (at, problem) => {
  expect(await problemOf('document.append', { series: 'Air', at, values: '1', tag: '' })).toBe(problem)
})

it.each([
  [{ series: 'a@b' }, 'The name of a time series has no @: the server keeps that for roll-ups.'],
  [{ values: Array.from({ length: 33 }, () => '1').join(',') }, 'An entry has at most 32 values, and not 33.'],
  [{ values: Array.from({ length: 32 }, () => '1').join(',') }, null],
  [{ tag: 'é'.repeat(128) }, 'A tag has at most 252 bytes, and not 256.'],
  [{ tag: 'é'.repeat(126) }, null],
])('an entry with %j: %s', async (inputs, problem) => {
  const given = { series: 'Air', at: '2026-11-27T02:00:00Z', values: '1', tag: '', ...inputs }
  expect(await problemOf('document.append', given)).toBe(problem)
})

const sent = (action: string, inputs: ActionCall['inputs']): string => {
  const body = actionById(action)?.request({ action, target, inputs, facts: {} }, version).body
  return body instanceof ExactJson ? body.text : ''
}

it('takes names of counters and time series with their spaces, and numbers with all their digits', () => {
  expect(sent('document.uncount', { counter: ' likes' })).toContain('"CounterName":" likes"')
  expect(sent('document.count', { counter: 'likes ', delta: '+007' })).toContain('"CounterName":"likes ","Delta":7}')
  expect(sent('document.count', { counter: 'a', delta: '-9007199254740993' })).toContain('"Delta":-9007199254740993}')
  expect(sent('document.delete-entries', { series: ' Air', from: '', to: '' })).toContain('"Name":" Air"')
})

it('says which values an entry gets, and which of them a double does not hold', () => {
  const call = { action: 'document.append', target, facts: {} }
  const consequence = (values: string): string | undefined =>
    actionById('document.append')?.consequence(
      { ...call, inputs: { series: 'Air', at: '2026-11-27T02:00Z', values, tag: '' } },
      version,
    )
  expect(consequence('1,5')).toContain('It has 2 values: 1; 5.')
  expect(consequence('1.10')).not.toContain('stored as')
  expect(consequence('9007199254740993')).toContain(
    '9007199254740993 is stored as 9007199254740992, the nearest double.',
  )
})
