import type { Ticks } from '../../../base/brand.ts'
import { formatDuration, formatShare } from '../../../base/format.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { TriageLink } from '../queries.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const toServer = (view: string, range: TriageLink['range'] = null): TriageLink => ({
  panel: 'server',
  params: view === 'machine' ? {} : { 'server.view': view },
  sources: [],
  range,
})
export const toDatabase = (name: string): TriageLink => ({
  panel: 'databases',
  params: { 'databases.filter': name },
  sources: [],
  range: null,
})
/** The minutes around a moment. */
export const around = (ticks: number, minutes = 5): TriageLink['range'] => ({
  startTicks: (ticks - minutes * 60 * TICKS_PER_SECOND) as Ticks,
  endTicks: (ticks + minutes * 60 * TICKS_PER_SECOND) as Ticks,
})
export const span = (ms: number): string => formatDuration(ms * TICKS_PER_MS)
export const percent = (value: number): string => formatShare(value / 100)
/** 0 at `from`, 1 at `to`, in between in proportion. */
export const between = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

export const toIndexing = (database: string): TriageLink => ({
  panel: 'indexing',
  params: {},
  sources: [`db:${database}`],
  range: null,
})

export const always = (): null => null
export const arrived = (part: unknown): string | null => (part === null ? 'It was not told yet.' : null)

export const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300)

/** Texts of the server as one sentence. */
export const sentence = (text: string): string => {
  const line = firstLine(text).trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}
