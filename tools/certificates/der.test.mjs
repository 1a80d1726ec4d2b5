// @ts-check
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { element, integer, oid, time } from './der.mjs'

const hex = (/** @type {Buffer} */ der) => der.toString('hex')

test('lengths are as short as can be', () => {
  expect(hex(element(0x04, Buffer.alloc(127)).subarray(0, 2))).toBe('047f')
  expect(hex(element(0x04, Buffer.alloc(128)).subarray(0, 3))).toBe('048180')
  expect(hex(element(0x04, Buffer.alloc(256)).subarray(0, 4))).toBe('04820100')
  expect(() => element(0x04, Buffer.alloc(65_536))).toThrow('longer than is written here')
})

test('an integer keeps its value, is not negative, and has no byte too many', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (bytes) => {
      const [, size = 0, ...body] = integer(bytes)
      expect(body).toHaveLength(size)
      expect(BigInt(`0x${Buffer.from(body).toString('hex')}`)).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
      const [first = 0, second = 0] = body
      expect(first).toBeLessThan(0x80)
      expect(first === 0 && size > 1 && second < 0x80).toBe(false)
    }),
  )
  expect([0, 1, 127, 128, 2048].map((number) => hex(integer(number)))).toEqual([
    '020100',
    '020101',
    '02017f',
    '02020080',
    '02020800',
  ])
})

test('identifiers and times are those of the standards', () => {
  expect(hex(oid('2.5.4.3'))).toBe('0603550403')
  expect(hex(oid('1.2.840.113549.1.1.11'))).toBe('06092a864886f70d01010b')
  expect(time(new Date('2049-12-31T23:59:59Z')).toString('latin1').slice(2)).toBe('491231235959Z')
  expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1').slice(2)).toBe('20500101000000Z')
})
