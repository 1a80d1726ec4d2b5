const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const PASSES = 6
/** Number of items moved between two yields. */
const SLICE = 1 << 18

/**
 * Order of doubles: index of the smallest item, the next one, … Equal items keep their order; NaN comes last. Radix
 * sort over the bits of the doubles: O(n), no comparisons, 20 bytes an item while it runs, 4 in the result. A generator
 * that yields every quarter million steps, so that its caller can do other work or stop.
 */
export function* radixOrder(keys: Float64Array, length: number): Generator<void, Uint32Array> {
  const words = new Uint32Array(2 * length)
  const counts = new Uint32Array(PASSES * DIGITS)
  const double = new Float64Array(1)
  const bits = new Uint32Array(double.buffer)
  for (let i = 0; i < length; i++) {
    // Adding 0 turns −0 into 0, so that both have the same bits.
    double[0] = (keys[i] as number) + 0
    let low = bits[0] as number
    let high = bits[1] as number
    // The bits of negative numbers sort in descending order and after the positive ones: invert them.
    if (high >>> 31 === 1 && !Number.isNaN(double[0])) {
      low = ~low >>> 0
      high = ~high >>> 0
    } else high = (high | 0x8000_0000) >>> 0
    words[2 * i] = low
    words[2 * i + 1] = high
    for (let pass = 0; pass < PASSES; pass++) {
      const at = pass * DIGITS + digitOf(low, high, pass)
      counts[at] = (counts[at] as number) + 1
    }
    if (i % SLICE === SLICE - 1) yield
  }
  let order = Uint32Array.from({ length }, (_, i) => i)
  let next = new Uint32Array(length)
  for (let pass = 0; pass < PASSES; pass++) {
    const starts = startsOf(counts.subarray(pass * DIGITS, (pass + 1) * DIGITS), length)
    if (starts === null) continue
    for (let i = 0; i < length; i++) {
      const item = order[i] as number
      const digit = digitOf(words[2 * item] as number, words[2 * item + 1] as number, pass)
      const to = starts[digit] as number
      starts[digit] = to + 1
      next[to] = item
      if (i % SLICE === SLICE - 1) yield
    }
    ;[order, next] = [next, order]
    yield
  }
  return order
}

function digitOf(low: number, high: number, pass: number): number {
  const shift = pass * DIGIT_BITS
  if (shift + DIGIT_BITS <= 32) return (low >>> shift) & (DIGITS - 1)
  if (shift >= 32) return (high >>> (shift - 32)) & (DIGITS - 1)
  return ((low >>> shift) | (high << (32 - shift))) & (DIGITS - 1)
}

/** First position of each digit's items; null if all items have the same digit and the pass can be skipped. */
function startsOf(counts: Uint32Array, length: number): Uint32Array | null {
  const starts = new Uint32Array(DIGITS)
  let sum = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit] as number
    if (count === length) return null
    starts[digit] = sum
    sum += count
  }
  return starts
}
