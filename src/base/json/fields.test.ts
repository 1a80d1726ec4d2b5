import { describe, expect, it } from 'vitest'
import { asString, ParseError } from './check.ts'
import { Fields } from './fields.ts'

const fields = new Fields({
  count: 3,
  none: null,
  unknown: -1,
  at: '2026-11-20T04:01:30Z',
  never: '0001-01-01T00:00:00',
  is: true,
  inner: { name: 'x' },
  rows: [{ id: 1 }, { id: 'two' }],
  words: ['a', 7],
  'with space': {},
})

describe('fields', () => {
  it('give back what is right, and keep unknown apart from zero', () => {
    expect([fields.number('count'), fields.numberOrNull('none'), fields.numberOrNull('missing')]).toEqual([
      3,
      null,
      null,
    ])
    expect([fields.quantityOrNull('count'), fields.quantityOrNull('unknown')]).toEqual([3, null])
    expect([fields.isTrue('is'), fields.isTrue('count'), fields.flagOrNull('none')]).toEqual([true, false, null])
    expect([fields.ticksOrNull('at'), fields.ticksOrNull('never'), fields.ticksOrNull('none')]).toEqual([
      expect.any(Number),
      null,
      null,
    ])
    expect([fields.in('inner').text('name'), fields.inOrNull('none')]).toEqual(['x', null])
    expect([fields.eachOrNone('missing'), fields.listOrNone('none', asString)]).toEqual([[], []])
  })

  it.each<[() => unknown, string]>([
    [() => new Fields([]), 'At $: expected an object, got an array of 0.'],
    [() => fields.number('missing'), 'At $.missing: expected a number, got nothing.'],
    [() => fields.flagOrNull('count'), 'At $.count: expected true or false, got 3.'],
    [() => fields.in('inner').number('name'), 'At $.inner.name: expected a number, got "x".'],
    [() => fields.each('rows')[1]?.number('id'), 'At $.rows[1].id: expected a number, got "two".'],
    [() => fields.list('words', asString), 'At $.words[1]: expected a string, got 7.'],
    [() => fields.in('with space').text('x'), 'At $["with space"].x: expected a string, got nothing.'],
  ])('%o names the place', (read, message) => {
    expect(read).toThrow(ParseError)
    expect(read).toThrow(message)
  })
})
