import { quickselect } from 'd3'

/** Means of more values than this are not drawn. */
const RESAMPLED = 1000

/** Middle of the values; NaN for none. */
export const medianOf = (values: Iterable<number>): number => quantileOf(values, 0.5)

/** NaN for none. */
export function quantileOf(values: Iterable<number>, share: number): number {
  // Without what is unknown; d3's own walks them by an iterator, which takes most of its time.
  const known = Float64Array.from(values).filter((value) => !Number.isNaN(value))
  if (known.length === 0) return Number.NaN
  const position = (known.length - 1) * Math.min(1, Math.max(0, share))
  const at = Math.floor(position)
  quickselect(known, at)
  const low = known[at] as number
  if (at === position) return low
  let next = Number.POSITIVE_INFINITY
  for (let i = at + 1; i < known.length; i++) next = Math.min(next, known[i] as number)
  return low + (next - low) * (position - at)
}

/** Median deviation of the logarithms of those that are known; NaN for none. */
export function spreadOf(rates: readonly number[]): number {
  const logs = rates.filter((rate) => !Number.isNaN(rate)).map((rate) => Math.log(rate))
  const middle = medianOf(logs)
  return medianOf(logs.map((log) => Math.abs(log - middle)))
}

/** Chance of `count` or more where `mean` are expected, if they fall independently. */
export function poissonTail(count: number, mean: number): number {
  if (count <= 0) return 1
  if (mean > 500) return normalTail((count - 0.5 - mean) / Math.sqrt(mean))
  let term = Math.exp(-mean)
  let below = 0
  for (let k = 0; k < count; k++) {
    below += term
    term *= mean / (k + 1)
  }
  return Math.max(term, 1 - below)
}

/** Chance of `hits` or more of `tries`, each with `chance`. */
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

/** Upper tail of the normal distribution (Abramowitz and Stegun 26.2.17; error below 1e-7). */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

/** Difference of means with the bounds of its 95 % interval, by resampling; null: fewer than five on a side. */
export function differenceOfMeans(
  a: readonly number[],
  b: readonly number[],
  random: () => number,
): readonly [mean: number, low: number, high: number] | null {
  if (a.length < 5 || b.length < 5) return null
  const [ofA, ofB] = [drawsOf(a, random), drawsOf(b, random)]
  const differences = Array.from({ length: 100 }, () => ofA() - ofB())
  return [meanOf(a) - meanOf(b), quantileOf(differences, 0.025), quantileOf(differences, 0.975)]
}

/** Means of samples. Of many values they are normal, whatever the values are. */
function drawsOf(from: readonly number[], random: () => number): () => number {
  if (from.length > RESAMPLED) {
    const mean = meanOf(from)
    const variance = from.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (from.length - 1)
    const error = Math.sqrt(variance / from.length)
    return () => mean + error * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  }
  return () => {
    let sum = 0
    for (let i = 0; i < from.length; i++) sum += from[Math.floor(random() * from.length)] as number
    return sum / from.length
  }
}

const meanOf = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length
