import { describe, expect, it } from 'vitest'
import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asString,
  describe as describeValue,
  orNull,
  ParseError,
} from './check.ts'

describe('checks', () => {
  it('give back what is right', () => {
    expect(asObject({ a: 1 }, '$')).toEqual({ a: 1 })
    expect(asArray([1], '$')).toEqual([1])
    expect(asString('', '$')).toBe('')
    expect(asNumber(0, '$')).toBe(0)
    expect(asBoolean(false, '$')).toBe(false)
  })

  it.each<[(value: unknown, path: string) => unknown, unknown, string]>([
    [asObject, null, 'At $.a: expected an object, got null.'],
    [asObject, [1, 2], 'At $.a: expected an object, got an array of 2.'],
    [asArray, {}, 'At $.a: expected an array, got an object.'],
    [asString, 5, 'At $.a: expected a string, got 5.'],
    [asNumber, '5', 'At $.a: expected a number, got "5".'],
    [asNumber, Number.POSITIVE_INFINITY, 'At $.a: expected a number, got Infinity.'],
    [asBoolean, undefined, 'At $.a: expected true or false, got nothing.'],
  ])('%o of %j says where, what was expected and what came', (check, value, message) => {
    expect(() => check(value, '$.a')).toThrow(ParseError)
    expect(() => check(value, '$.a')).toThrow(message)
  })

  it('keeps unknown apart from zero', () => {
    expect(orNull(asNumber, undefined, '$')).toBeNull()
    expect(orNull(asNumber, null, '$')).toBeNull()
    expect(orNull(asNumber, 0, '$')).toBe(0)
    expect(() => orNull(asNumber, 'x', '$')).toThrow(ParseError)
  })

  it('never quotes a long text whole', () => {
    expect(describeValue('x'.repeat(1000)).length).toBeLessThan(60)
  })
})
