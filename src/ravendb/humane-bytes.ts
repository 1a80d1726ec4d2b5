const HUMANE = /^(\d[\d,]*(?:\.\d+)?) ([KMGTP]?)Bytes$/

/** `1.859 GBytes` in bytes, as exact as its digits; NaN for another text and the unknown (`-2 Bytes`). */
export function humaneBytes(value: unknown): number {
  const match = typeof value === 'string' ? HUMANE.exec(value) : null
  if (match === null) return Number.NaN
  const [, digits = '', unit = ''] = match
  return Math.round(Number(digits.replaceAll(',', '')) * 1024 ** ' KMGTP'.indexOf(unit || ' '))
}
