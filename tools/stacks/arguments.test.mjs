// @ts-check
import { expect, test } from 'vitest'
import { Plain } from '../say.mjs'
import { parseArguments } from './arguments.mjs'

/** @param {string} line */
const parse = (line) => parseArguments(line.split(' '))

const all = { pid: 12, threads: [], boundMs: 30_000, addresses: false }

test.each([
  ['stack-traces --pid 12 --wait', all],
  ['stack-traces --pid 12 --wait --includeStackObjects', all],
  ['stack-traces --pid 12 --wait --tid 3 --tid -5 --tid +7 --tid 0', { ...all, threads: [3, -5, 7, 0] }],
  ['stack-traces --addresses --pid 12', { ...all, addresses: true }],
  ['stack-traces --pid 12 --bound 500', { ...all, boundMs: 500 }],
  ['stack-traces --pid 12 --bound 99999999', all],
])('%s', (line, expected) => {
  expect(parse(line)).toEqual(expected)
})

test.each([
  ['', 'only reads stack traces, not ""'],
  ['dump --pid 12 --output /tmp/x --output-owner root', 'only reads stack traces, not "dump"'],
  ['gcdump --pid 12', 'only reads stack traces, not "gcdump"'],
  ['stack-traces', '--pid is missing'],
  ['stack-traces --wait', '--pid is missing'],
  ['stack-traces --pid', '--pid takes a whole number, not ""'],
  ['stack-traces --pid --wait', '--pid takes a whole number, not "--wait"'],
  ['stack-traces --pid 0', '--pid is missing'],
  ['stack-traces --pid 1e3', 'not "1e3"'],
  ['stack-traces --pid 12 --tid ../../1', 'not "../../1"'],
  ['stack-traces --pid 12 --output /tmp/x', 'no option "--output"'],
  ['stack-traces 12', 'no option "12"'],
])('%j is refused in one sentence', (line, message) => {
  expect(() => parse(line)).toThrow(Plain)
  expect(() => parse(line)).toThrow(message)
})
