/** Probability of at least `hits` successes in `tries` trials that succeed with probability `chance` each. */
export function binomialTail(hits: number, tries: number, chance: number): number {
  if (hits <= 0) return 1
  let tail = 0
  let logTerm = tries * Math.log1p(-chance)
  for (let k = 0; k <= tries; k++) {
    if (k >= hits) tail += Math.exp(logTerm)
    logTerm += Math.log((tries - k) / (k + 1)) + Math.log(chance / (1 - chance))
  }
  return Math.min(1, tail)
}
