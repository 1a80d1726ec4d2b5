import { compareNames } from '../text/compare-names.ts'
import { kindOf, plainText, type ExactKind } from './exact.ts'

/** Kinds in their order among each other. */
const ORDER: Record<ExactKind, number> = { word: 0, number: 1, string: 2, array: 3, object: 4 }

/** Order of two JSON values by their texts: numbers by all of their digits, strings by what they say. */
export function compareValues(a: string, b: string): number {
  const [kind, other] = [kindOf(a), kindOf(b)]
  if (kind !== other) return ORDER[kind] - ORDER[other]
  switch (kind) {
    case 'number':
      return compareNumbers(a, b)
    case 'string':
      return compareNames(plainText(a), plainText(b))
    default:
      return compareNames(a, b)
  }
}

interface Decimal {
  readonly sign: -1 | 0 | 1
  /** Power of ten of the place before the first digit. */
  readonly power: number
  /** Without zeros at either end. */
  readonly digits: string
}

function decimalOf(text: string): Decimal {
  const [, minus = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const written = whole + fraction
  const first = written.search(/[1-9]/)
  if (first < 0) return { sign: 0, power: 0, digits: '' }
  return {
    sign: minus === '' ? 1 : -1,
    power: whole.length - first + Number(exponent),
    digits: written.slice(first).replace(/0+$/, ''),
  }
}

/** Order of two numbers of any length, which are never rounded. */
export function compareNumbers(a: string, b: string): number {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (left.sign !== right.sign) return left.sign - right.sign
  if (left.power !== right.power) return left.sign * (left.power < right.power ? -1 : 1)
  return left.digits === right.digits ? 0 : left.sign * (left.digits < right.digits ? -1 : 1)
}
