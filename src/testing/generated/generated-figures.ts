import { seededRandom } from '../../base/random.ts'

/** A sample each second, by the second. */
export interface FigureSamples {
  readonly latencyMs: Float64Array
  readonly requests: Float64Array
  readonly cpuPercent: Float64Array
}

export interface FigureEffect {
  /** Factor of each figure. */
  readonly latency?: number
  readonly requests?: number
  readonly cpu?: number
}

/**
 * Figures of a server that share a load which forgets itself in `memorySeconds`, before and after a change. The latency is
 * smoothed over some 10 s, as the server smooths it.
 */
export function generateFigures(
  seed: number,
  seconds: number,
  memorySeconds: number,
  effect: FigureEffect,
): [FigureSamples, FigureSamples] {
  const random = seededRandom(seed * 7919 + memorySeconds)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const keep = Math.exp(-1 / memorySeconds)
  const record = ({ latency = 1, requests = 1, cpu = 1 }: FigureEffect): FigureSamples => {
    const samples = {
      latencyMs: new Float64Array(seconds),
      requests: new Float64Array(seconds),
      cpuPercent: new Float64Array(seconds),
    }
    let [load, smooth] = [normal(), 12]
    for (let i = 0; i < seconds; i++) {
      load = keep * load + Math.sqrt(1 - keep * keep) * normal()
      smooth += 0.1 * (12 * Math.exp(0.3 * load + 0.3 * normal()) - smooth)
      samples.latencyMs[i] = smooth * latency
      samples.requests[i] = 200 * Math.exp(0.3 * load + 0.1 * normal()) * requests
      samples.cpuPercent[i] = Math.min(100, Math.floor(25 * Math.exp(0.2 * load + 0.2 * normal()) * cpu))
    }
    return samples
  }
  return [record({}), record(effect)]
}
