import { formatPerSecond } from './figures.ts'

/** Share of requests below which ours are not named. */
const LEAST_SHARE = 0.01

/**
 * Whether all requests are ours, or some of them; null: none, or too few to matter. Unknown: our requests of the time before
 * a page was opened are not counted.
 */
export function oursAmong(perSecond: number, oursPerSecond: number | null): 'all' | 'some' | 'unknown' | null {
  if (perSecond === 0) return null
  if (oursPerSecond === null) return 'unknown'
  if (oursPerSecond === 0 || oursPerSecond < LEAST_SHARE * perSecond) return null
  return oursPerSecond >= perSecond ? 'all' : 'some'
}

/** Describes a rate of requests: `12.9 requests a second (5.05 of them ours)`, `no requests but ours (12.9 a second)`. */
export function describeRequests(perSecond: number, oursPerSecond: number | null): string {
  const ours = oursAmong(perSecond, oursPerSecond)
  const rate = formatPerSecond(perSecond)
  if (ours === 'all') return `no requests but ours (${rate} a second)`
  return `${rate} requests a second${ours === null ? '' : ` (${oursWords(ours, oursPerSecond)})`}`
}

const oursWords = (ours: 'some' | 'unknown', oursPerSecond: number | null): string =>
  ours === 'unknown' ? 'ours included' : `${formatPerSecond(oursPerSecond ?? 0)} of them ours`
