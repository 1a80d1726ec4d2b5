import { keys, type Rule } from '../../../../base/json/json-walk.ts'
import { quotedMs, quotedNumber } from '../../../../base/json/quoted-number.ts'
import { parseTicks, type Ticks, TICKS_PER_MS, type TickSpan } from '../../../../base/ticks.ts'
import type { MergerSpan } from '../../../../ravendb/databases/perf-metrics.ts'
import { MAX_SPAN_MS } from './wire.ts'

/** States of a database's transaction merger, individually, as a file reports them. */
export interface ReadMerger {
  /** Path of the documents' environment. */
  readonly path: string
  /** Times of waiting for work. Both lists ascend by start. */
  readonly waits: readonly MergerSpan[]
  readonly transactions: readonly MergerSpan[]
}

/**
 * Maximum number of spans. The server keeps 256 of each; an official Studio's export may contain those of several
 * frames.
 */
const MOST_SPANS = 10_000

type Metric = 'GeneralWait' | 'Transaction'

interface MergerReader {
  /** Rule for the list `Performances`, without its sums (`History`). */
  readonly rule: Rule
  /** Returns the spans read since the last call; null: none. */
  readonly taken: () => Omit<ReadMerger, 'path'> | null
}

/**
 * Reads `Performances` of `…/debug/io-metrics`. A span without Start and Duration is reported as a problem and left
 * out.
 */
export function mergerReader(problem: (at: number, expected: string) => void): MergerReader {
  let spans: Record<Metric, MergerSpan[]> = { GeneralWait: [], Transaction: [] }
  let fields = new Map<string, string | number | boolean | null>()
  const field = (name: string): Rule => ({ kind: 'value', take: (value) => void fields.set(name, value) })
  const number = (name: string): number => {
    const value = fields.get(name)
    return typeof value === 'number' ? value : typeof value === 'string' ? quotedNumber(value) : Number.NaN
  }
  const duration = (): number => {
    const value = fields.get('Duration')
    const ms = typeof value === 'string' ? quotedMs(value) : number('Duration')
    return ms >= 0 && ms <= MAX_SPAN_MS ? ms : Number.NaN
  }
  const end = (): void => {
    const type = fields.get('Type')
    if (type !== 'GeneralWait' && type !== 'Transaction') return
    const start = fields.get('Start')
    const startTicks = (typeof start === 'string' ? parseTicks(start) : Number.NaN) as Ticks
    const durationTicks = Math.round(duration() * TICKS_PER_MS) as TickSpan
    const [operations, commands] = [number('Counter'), number('CommandsCounter')]
    if (
      Number.isNaN(startTicks) ||
      Number.isNaN(durationTicks) ||
      !(operations >= 0) ||
      spans[type].length >= MOST_SPANS
    ) {
      problem(-1, `a span with Start, Duration and Counter, and at most ${String(MOST_SPANS)} of them`)
      return
    }
    spans[type].push({
      startTicks,
      durationTicks,
      activeTicks: durationTicks,
      operations,
      commands: Number.isNaN(commands) ? null : commands,
    })
  }
  const span: Rule = {
    kind: 'object',
    begin: () => (fields = new Map()),
    end,
    keys: keys(
      Object.fromEntries(
        ['Start', 'Counter', 'CommandsCounter', 'Duration', 'Type'].map((name) => [name, field(name)]),
      ),
    ),
  }
  return {
    rule: { kind: 'list', item: { kind: 'object', keys: keys({ Recent: { kind: 'list', item: span } }) } },
    taken: () => {
      const [waits, transactions] = [ascending(spans.GeneralWait), ascending(spans.Transaction)]
      spans = { GeneralWait: [], Transaction: [] }
      return waits.length + transactions.length === 0 ? null : { waits, transactions }
    },
  }
}

const ascending = (spans: readonly MergerSpan[]): MergerSpan[] => spans.toSorted((a, b) => a.startTicks - b.startTicks)
