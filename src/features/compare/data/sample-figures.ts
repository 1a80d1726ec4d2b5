import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan } from '../../../base/ticks.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import {
  blockOf,
  estimateMean,
  estimateQuantiles,
  type EventSeries,
} from '../../../base/statistics/quantile-estimates.ts'
import { SHARES, type LineFigures, type LineSamples } from '../contract.ts'
import { scaled } from './scaled.ts'

/** Quantiles need integers: values are scaled so that the largest is about this. */
const FINE = 1e6

/** Mean over time and quantiles of a line of samples. */
export async function sampleFigures(line: LineSamples, tests: number): Promise<LineFigures> {
  const { path, name, kind, unit, role, startTicks, values, counts, max, sampleTicks } = line
  const largest = values.reduce((most, value) => Math.max(most, value), 0)
  const scale = largest > 0 ? FINE / largest : 1
  const series: EventSeries = {
    count: values.length,
    firstTicks: startTicks[0] ?? Number.NaN,
    lastTicks: startTicks.at(-1) ?? Number.NaN,
    visit: (each, least) => {
      for (const [i, value] of values.entries()) {
        const whole = Math.round(value * scale)
        if (whole >= least) each(startTicks[i] as number, whole)
      }
      return Promise.resolve()
    },
  }
  const sums = new Float64Array(BLOCKS)
  const of = new Float64Array(BLOCKS)
  const inBlock = blockOf(series)
  for (const [i, value] of values.entries()) {
    const [block, count] = [inBlock(startTicks[i] as number), counts[i] as number]
    sums[block] = (sums[block] as number) + value * count
    of[block] = (of[block] as number) + count
  }
  const found = await estimateQuantiles(series, SHARES, tests)
  return {
    path,
    name,
    kind,
    count: values.length,
    bytes: 0 as Bytes,
    knownTicks: (values.length * sampleTicks) as TickSpan,
    unit,
    role,
    rate: null,
    mean: estimateMean(sums, of, tests),
    quantiles: found.map((each) => scaled(each, 1 / scale)),
    atLoad: null,
    max,
    sampleTicks,
    rollUps: 0,
  }
}
