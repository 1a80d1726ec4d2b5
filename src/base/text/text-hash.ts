const LOW = 0x0100_0193
const HIGH = 0x85eb_ca6b

/**
 * A number of 52 bits for these texts in this order: two of a million are equal with a chance of one in ten thousand.
 * Not for what an attacker gains from by making two equal.
 */
export function textHash(...texts: readonly string[]): number {
  let low = 0x811c_9dc5 | 0
  let high = 0x9e37_79b9 | 0
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      low = Math.imul(low ^ code, LOW)
      high = Math.imul(high ^ code, HIGH) ^ (high >>> 13)
    }
    // So that ['a', 'b'] is not ['ab'].
    low = Math.imul(low ^ 0x1_0000, LOW)
    high = Math.imul(high ^ 0x1_0000, HIGH) ^ (high >>> 13)
  }
  low ^= low >>> 15
  return ((high ^ (low << 7)) >>> 12) * 0x1_0000_0000 + (low >>> 0)
}
