/** A figure as a page shows it. */
export interface Quantity {
  /** Bytes, milliseconds, shares of one, or a count; of rates a second. */
  readonly value: number
  /** Value of the last digit shown: the figure was rounded to it. */
  readonly step: number
  readonly unit: Unit
}
type Unit = 'B' | 'ms' | '%' | '' | 'B/s' | '/s'

const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
const SPANS: Readonly<Record<string, number>> = {
  µs: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const NUMBER = String.raw`(−?)([\d,]+(?:\.\d+)?)`
const SPAN = new RegExp(`^${NUMBER} ?(µs|ms|s|min|h|d)(?: (\\d+) (s|min|h))?(?![\\w/])`)
const PLAIN = new RegExp(`^${NUMBER}(?: ?(%|[KMGTP]iB|B))?( ?/s)?`)

/** The figure that a text begins with, such as `1.23 MiB/s`, `2 min 3 s`, `12.3 %`, `1,204`; undefined: it begins with none. */
export function quantityOf(text: string): Quantity | undefined {
  const shown = text.trim()
  if (shown.startsWith('<')) {
    // Anything between nothing and the least that is shown.
    const least = quantityOf(shown.slice(1))
    return least && { ...least, value: least.value / 2, step: least.value }
  }
  return exactOf(shown.replace(/^[≈≥] ?/, ''))
}

function exactOf(shown: string): Quantity | undefined {
  const span = SPAN.exec(shown)
  if (span !== null) {
    const [, sign = '', digits = '', unit = '', moreDigits, moreUnit = ''] = span
    const scale = SPANS[unit] ?? 1
    const more = moreDigits === undefined ? 0 : Number(moreDigits) * (SPANS[moreUnit] ?? 1)
    const step = moreDigits === undefined ? lastDigit(digits) * scale : (SPANS[moreUnit] ?? 1)
    return { value: (sign === '' ? 1 : -1) * (numberOf(digits) * scale + more), step, unit: 'ms' }
  }
  const plain = PLAIN.exec(shown)
  if (plain === null) return undefined
  const [, sign = '', digits = '', unit = '', rate = ''] = plain
  const power = BYTES.indexOf(unit as (typeof BYTES)[number])
  const scale = unit === '%' ? 0.01 : power < 0 ? 1 : 1024 ** power
  const of = unit === '%' ? '%' : power < 0 ? '' : 'B'
  return {
    value: (sign === '' ? 1 : -1) * numberOf(digits) * scale,
    step: lastDigit(digits) * scale,
    unit: `${of}${rate === '' ? '' : '/s'}` as Unit,
  }
}

const numberOf = (digits: string): number => Number(digits.replaceAll(',', ''))
const lastDigit = (digits: string): number => 10 ** -(digits.split('.')[1]?.length ?? 0)

/** A figure of the audit itself, in the unit of the one that it is held against. */
export function inUnit(value: number, unit: Unit): string {
  switch (unit) {
    case 'B':
    case 'B/s':
      return `${(value / 2 ** 20).toFixed(Math.abs(value) < 2 ** 20 ? 4 : 2)} MiB${unit === 'B' ? '' : '/s'}`
    case 'ms':
      return `${value.toFixed(Math.abs(value) < 1000 ? 3 : 0)} ms`
    case '%':
      return `${(value * 100).toFixed(2)} %`
    case '/s':
      return `${value.toFixed(2)} /s`
    case '':
      return Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2)
  }
}
