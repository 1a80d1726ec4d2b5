/** Natural logarithm of n! by Stirling's series, exact to nine digits. */
function logFactorial(n: number): number {
  if (n < 2) return 0
  if (n < 16) return Math.log(n) + logFactorial(n - 1)
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3)
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/**
 * Probability of a difference at least as large as that between `hits` of `tries` and `otherHits` of `otherTries`, in
 * either direction, if both have the same share (Fisher's exact test, twice the smaller tail).
 */
export function fisherChance(hits: number, tries: number, otherHits: number, otherTries: number): number {
  const all = hits + otherHits
  const most = Math.min(all, tries)
  const least = Math.max(0, all - otherTries)
  let [atLeast, atMost] = [0, 0]
  for (let k = least; k <= most; k++) {
    const chance = Math.exp(logChoose(tries, k) + logChoose(otherTries, all - k) - logChoose(tries + otherTries, all))
    if (k >= hits) atLeast += chance
    if (k <= hits) atMost += chance
  }
  return Math.min(1, 2 * Math.min(atLeast, atMost))
}
