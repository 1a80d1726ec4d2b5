import { formatPerSecond } from './figures.ts'

/** Share of requests below which ours are not named. */
const LEAST_SHARE = 0.01

/** Whether requests are all ours, or which of them; null: ours are not known, or too few to matter. */
export function oursAmong(perSecond: number, oursPerSecond: number | null): 'all' | 'some' | null {
  if (oursPerSecond === null || oursPerSecond === 0 || oursPerSecond < LEAST_SHARE * perSecond) return null
  return oursPerSecond >= perSecond ? 'all' : 'some'
}

/** Describes a rate of requests: `12.9 requests a second (5.05 of them ours)`, `no requests but ours (12.9 a second)`. */
export function describeRequests(perSecond: number, oursPerSecond: number | null): string {
  const ours = oursAmong(perSecond, oursPerSecond)
  const rate = formatPerSecond(perSecond)
  if (ours === 'all') return `no requests but ours (${rate} a second)`
  return `${rate} requests a second${ours === null ? '' : ` (${formatPerSecond(oursPerSecond ?? 0)} of them ours)`}`
}
