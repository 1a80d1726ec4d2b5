import fc from 'fast-check'
import { expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import { mergeBoth } from './merge.ts'

const base = ['{', '    "A": 1,', '    "B": 2,', '    "C": 3,', '    "D": 4', '}'].join('\n')

it('takes changes of both where they are apart', () => {
  expect(mergeBoth(base, base.replace('1', '10'), base.replace('4', '40'))).toBe(
    base.replace('1', '10').replace('4', '40'),
  )
  expect(mergeBoth(base, base.replace('    "B": 2,\n', ''), base.replace('4', '4,\n    "E": 5'))).toBe(
    base.replace('    "B": 2,\n', '').replace('4', '4,\n    "E": 5'),
  )
})

it('takes the same change once, and refuses two of the same place', () => {
  const both = base.replace('2', '20')
  expect(mergeBoth(base, both, both)).toBe(both)
  expect(mergeBoth(base, both, base.replace('2', '21'))).toBeNull()
  expect(mergeBoth(base, both, base.replace('    "B": 2,\n', ''))).toBeNull()
})

law('one who changed nothing loses nothing', [fc.array(fc.nat(9)), fc.array(fc.nat(9))], (before, after) => {
  const [a, b] = [before.join('\n'), after.join('\n')]
  expect(mergeBoth(a, b, a)).toBe(b)
  expect(mergeBoth(a, a, b)).toBe(b)
})
