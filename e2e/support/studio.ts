import type { Page } from '@playwright/test'
import { JOINED_MS } from '../../src/ravendb/health/witness.ts'

export interface SummaryRow {
  readonly feed: string
  readonly source: string
  readonly environment: string
  readonly environmentPath: string
  readonly kind: string
  readonly count: number
  readonly bytes: number
  readonly busyMs: number
  readonly slowestMs: number | null
  readonly lastMs: number | null
  readonly rollUps: { readonly count: number; readonly events: number | null; readonly bytes: number }
}
export interface Summary {
  readonly rows: readonly SummaryRow[]
  readonly gaps: readonly {
    readonly reason: string
    readonly source: string
    readonly startTicks: number
    readonly endTicks: number
    /** `<source>|<environment path>`, or of index batches their index; null: all of the source. */
    readonly lane: string | null
    /** Kind of the events that are missing; null: all kinds. */
    readonly kind: string | null
    /** Number of the missing events, and their bytes; null where unknown. */
    readonly missingCount: number | null
    readonly missingBytes: number | null
    readonly detail: string
  }[]
}

interface Handle {
  readonly version: string
  readonly idle: () => Promise<void>
  readonly summary: () => Summary
  readonly memory: () => { readonly tables: number; readonly other: number; readonly rows: number }
  readonly stalls: () => Promise<readonly unknown[]>
}
declare global {
  var rookery: Handle
}

/** The studio's own summary, once all that arrived is in tables and drawn. */
export const summaryOf = (page: Page): Promise<Summary> =>
  page.evaluate(async () => {
    await globalThis.rookery.idle()
    return globalThis.rookery.summary()
  })

export const idle = (page: Page): Promise<void> => page.evaluate(() => globalThis.rookery.idle())

/** Hides or shows the page like a browser in which another tab is chosen. */
export const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: value ? 'hidden' : 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

/** Now, in ticks of the studio's links: 100 ns since 2020 in UTC. */
export const ticksNow = (): number => (Date.now() - Date.UTC(2020, 0)) * 10_000

/**
 * Part of a link: the last half hour is in view. A test may take longer than the minute that is in view by itself, and
 * what it did would be out of sight.
 */
export const HALF_HOUR = 'live=18000000000'

/** Waits until the address carries what was chosen: it follows a click a little later, and `lookAtRange` keeps what is in it. */
export const inAddress = async (page: Page, part: string): Promise<void> => {
  await page.waitForFunction((wanted) => location.hash.includes(wanted), part)
}

/** Looks at a range of time (ticks) at true scale: idle stretches are not folded, so a place on the axis can be computed. */
export const lookAtRange = (page: Page, fromTicks: number, toTicks: number): Promise<void> =>
  page.evaluate(
    ([from, to]) => {
      const [path, query] = location.hash.split('?')
      const params = new URLSearchParams(query)
      params.set('range', `${from}..${to}`)
      params.set('io.fold', 'off')
      location.hash = `${path}?${params.toString()}`
    },
    [Math.floor(fromTicks), Math.ceil(toTicks)] as const,
  )

/** Count and bytes of I/O by `<path> <kind>`, of the rows that have events. */
export const totalsOf = (summary: Summary): Record<string, { count: number; bytes: number }> =>
  Object.fromEntries(
    summary.rows
      .filter(({ feed, count }) => feed === 'io' && count > 0)
      .map(({ environmentPath, kind, count, bytes }) => [`${environmentPath} ${kind}`, { count, bytes }]),
  )

/** Waits until silence counts against the server: a page that has just opened may itself be late. */
export const untilWitness = async (page: Page): Promise<void> => {
  await page.waitForFunction((ms) => performance.now() > ms, JOINED_MS + WITNESS_MARGIN_MS)
}

/** The first figures arrive within it. */
const WITNESS_MARGIN_MS = 5000
