import { type Ticks, parseTicks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'

/** Result of an SQL statement. */
export interface Asked {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly hasMore: boolean
  readonly ms: number
  /** Rows that were loaded for it, in words; missing: all that was recorded. */
  readonly taken?: string
  /** Files that are missing or cannot be read to their end, in words; empty or missing: none. */
  readonly lack?: string
}

export interface AskTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Whether SQL statements can be run. `tables` null: this page is not served by `rookery open`. */
export interface AskState {
  readonly tables: readonly AskTable[] | null
  /** Reason why queries are nevertheless not available; empty: they are. */
  readonly missing: string
}

/** Reads whether SQL statements can be run. Only `rookery open` runs them; other servers receive no request. */
export async function readAskState(): Promise<AskState> {
  if (location.search !== '?archive') return { tables: null, missing: '' }
  const response = await fetch('/ask')
  if (!response.ok) return { tables: null, missing: '' }
  return (await response.json()) as AskState
}

/** Runs an SQL statement. Errors: `Error` with the message of the engine. */
export async function ask(sql: string, signal: AbortSignal): Promise<Asked> {
  const response = await fetch('/ask', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
    signal,
  })
  const value = (await response.json()) as Asked | { readonly error: string }
  if ('error' in value) throw new Error(value.error)
  return value
}

export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Margin shown before and after the time of a row. */
const AROUND_TICKS = 30 * TICKS_PER_SECOND

/** Range of the times in a row, with a margin; null: no column has a time. With a start and an end, it covers both. */
export function rangeOfRow({ columns }: Pick<Asked, 'columns'>, row: readonly unknown[]): TimeRange | null {
  const times = columns.flatMap(({ type }, at) => {
    const text = type === 'TIMESTAMP' ? textOf(row[at]) : ''
    const ticks = text === '' ? Number.NaN : parseTicks(`${text.replace(' ', 'T')}Z`)
    return Number.isNaN(ticks) ? [] : [ticks]
  })
  if (times.length === 0) return null
  return {
    startTicks: (Math.min(...times) - AROUND_TICKS) as Ticks,
    endTicks: (Math.max(...times) + AROUND_TICKS) as Ticks,
  }
}
