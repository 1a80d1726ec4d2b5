const SPANS_MS = new Map([
  ['', 1],
  ['ms', 1],
  ['µs', 0.001],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
])

/** A comma parts thousands only where it cannot be a decimal comma: with another one, or before a point. */
const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3}){2,}|\d{1,3},\d{3}(?=\.))(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Number in a text, such as `12.5`; NaN for another text, and for one with two meanings, such as `1,234`. */
export const quotedNumber = (text: string): number =>
  NUMBER.test(text.trim()) ? Number(text.replaceAll(',', '')) : Number.NaN

/** Bytes in a text such as `12` or `124 KB`, which are of 1,024 as with RavenDB and Windows; NaN for another text. */
export function quotedBytes(text: string): number {
  const [, digits = text, unit = ''] = /^(.*?)\s*([KMGTP]?)(?:i?B|Bytes?)$/.exec(text.trim()) ?? []
  return Math.round(quotedNumber(digits) * 1024 ** ' KMGTP'.indexOf(unit || ' '))
}

/** Milliseconds in a text such as `12.5`, `12.5 ms` or `3 s`; NaN for another text. */
export function quotedMs(text: string): number {
  const [, digits = '', unit = ''] =
    /^([^a-zµμ]*)([a-zµμ]*)$/.exec(text.trim().replace(/(\d)e([+-]?\d)/i, '$1E$2')) ?? []
  return quotedNumber(digits) * (SPANS_MS.get(unit.replace('μ', 'µ')) ?? Number.NaN)
}
