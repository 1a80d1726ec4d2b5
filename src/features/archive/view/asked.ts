import { type Ticks, parseTicks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'

/** Result of a question. */
export interface Asked {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly hasMore: boolean
  readonly ms: number
}

export interface AskTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Whether questions are answered here. `tables` null: this page is not served by `rookery open`. */
export interface AskState {
  readonly tables: readonly AskTable[] | null
  /** Why none is answered all the same; empty: they are. */
  readonly missing: string
}

/** Reads whether questions can be sent: only `rookery open` answers them, and another server gets no request. */
export async function readAskState(): Promise<AskState> {
  if (location.search !== '?archive') return { tables: null, missing: '' }
  const response = await fetch('/ask')
  if (!response.ok) return { tables: null, missing: '' }
  return (await response.json()) as AskState
}

/** Errors: `Error` with the words of the engine. */
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

/** Around a moment in view. */
const AROUND_TICKS = 30 * TICKS_PER_SECOND

/** Time of a row, with some around it; null: no column has one. A row with a start and an end is shown whole. */
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
