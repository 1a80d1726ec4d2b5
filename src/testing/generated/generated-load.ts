import { seededRandom } from '../../base/random.ts'

/** Durations of one lane, ms, by start. */
export interface LoadLane {
  readonly start: Float64Array
  readonly duration: Float64Array
}

export const LOADS = ['steady', 'bursts', 'waves', 'stalls', 'rare', 'device waves'] as const
export type Load = (typeof LOADS)[number]

/** Duration after the change; `p99`: of its lane without the change. */
export type LoadEffect = (duration: number, p99: number) => number

/**
 * Two captures of the same lanes, before and after a change. Lanes share the load: bursts and waves make events frequent and
 * slow together in all of them, so that neighbours in time are alike. `device waves`: slow alone, as where the device gets
 * slower and faster by itself. `lasts`: of each, ms.
 */
export function generateLoad(
  load: Load,
  seed: number,
  lasts: number,
  lanes: number,
  effect: LoadEffect,
): [LoadLane[], LoadLane[]] {
  const random = seededRandom(seed * 7919 + LOADS.indexOf(load))
  const isWaves = load === 'waves' || load === 'device waves'
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const shapes = Array.from({ length: lanes }, (_, i) => ({
    meanMs: (load === 'rare' ? 400 : 60) * (1 + 2 * random() * i),
    medianMs: 0.5 * 20 ** random(),
    sigma: 0.3 + 0.5 * random(),
    stallShare: load === 'stalls' ? 0.002 + 0.003 * random() : 0.0002,
  }))
  /** Load by step of `STEP_MS`, as a logarithm around 0. */
  const loadOf = (): Float64Array => {
    const steps = new Float64Array(Math.ceil(lasts / STEP_MS) + 1)
    let [wave, noise, until, isBurst] = [normal(), 0, 0, false]
    const slow = isWaves ? Math.exp(-STEP_MS / 90_000) : Math.exp(-STEP_MS / 15_000)
    const height = isWaves ? 0.5 : load === 'steady' ? 0.1 : 0.3
    for (let i = 0; i < steps.length; i++) {
      if ((load === 'bursts' || load === 'stalls') && i * STEP_MS >= until) {
        isBurst = !isBurst
        until = i * STEP_MS + (isBurst ? 2000 + exponential(8000) : 5000 + exponential(20_000))
      }
      wave = slow * wave + Math.sqrt(1 - slow * slow) * normal()
      noise = 0.9 * noise + Math.sqrt(0.19) * normal()
      steps[i] = height * wave + 0.1 * noise + (isBurst ? 1 : 0)
    }
    return steps
  }
  const record = (change: LoadEffect | null): LoadLane[] => {
    const level = loadOf()
    return shapes.map(({ meanMs, medianMs, sigma, stallShare }) => {
      const starts: number[] = []
      const durations: number[] = []
      const p99 = medianMs * Math.exp(2.326 * sigma)
      for (let at = exponential(meanMs); at < lasts;) {
        const now = level[Math.floor(at / STEP_MS)] as number
        let duration = medianMs * Math.exp(sigma * normal() + 0.4 * now)
        if (random() < stallShare * Math.exp(now)) duration += 60 * Math.exp(normal())
        starts.push(at)
        durations.push(change === null ? duration : change(duration, p99))
        at += exponential(meanMs / (load === 'device waves' ? 1 : Math.exp(now)))
      }
      return { start: Float64Array.from(starts), duration: Float64Array.from(durations) }
    })
  }
  return [record(null), record(effect)]
}

const STEP_MS = 500
