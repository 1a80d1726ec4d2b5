import type { Bytes } from '../../../../base/brand.ts'
import { keys, type Rule } from '../../../../base/json/json-walk.ts'
import { parseTicks, type Ticks, type TimeRange } from '../../../../base/ticks.ts'
import { GAP_WORDS } from '../../../../capture/frame/notices/gap-words.ts'
import type { GapReason } from '../../../../capture/client/state.ts'

/** A gap in the format of our exports (`exports/gap-json.ts`): of one environment, or of the whole file. */
export interface ReadGap extends TimeRange {
  /** Path of the environment; null: all environments. */
  readonly path: string | null
  readonly kind: string | null
  readonly reason: GapReason
  readonly missingCount: number | null
  readonly missingBytes: Bytes | null
  readonly detail: string
}

/** Maximum number of gaps in a file, equal to that of a capture; a file with more is not one of our exports. */
const MOST_GAPS = 2000
const MOST_DETAIL = 1000

/** Names of reasons in exports by older versions. */
const FORMER = new Map([['server-stalled', 'server-unresponsive']])

const isReason = (value: unknown): value is GapReason => typeof value === 'string' && Object.hasOwn(GAP_WORDS, value)

const countOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null

const ticksOf = (value: unknown): Ticks => (typeof value === 'string' ? parseTicks(value) : Number.NaN) as Ticks

/** Reads the list `Gaps`, which only our exports contain. */
export function gapReader(take: (gap: ReadGap) => void, problem: (at: number, expected: string) => void): Rule {
  let fields = new Map<string, string | number | boolean | null>()
  let taken = 0
  const field = (name: string): Rule => ({ kind: 'value', take: (value) => void fields.set(name, value) })
  const names = ['Path', 'Kind', 'Reason', 'Start', 'End', 'MissingCount', 'MissingBytes', 'Detail']
  const end = (): void => {
    const text = (name: string): string | null => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : null
    }
    const written = fields.get('Reason')
    const reason = typeof written === 'string' ? (FORMER.get(written) ?? written) : written
    const startTicks = ticksOf(fields.get('Start'))
    const endTicks = ticksOf(fields.get('End'))
    if (!isReason(reason) || !(startTicks <= endTicks) || ++taken > MOST_GAPS) {
      problem(-1, `a gap with Reason, Start and End, and at most ${String(MOST_GAPS)} of them`)
      return
    }
    take({
      path: text('Path'),
      kind: text('Kind'),
      reason,
      startTicks,
      endTicks,
      missingCount: countOf(fields.get('MissingCount')),
      missingBytes: countOf(fields.get('MissingBytes')) as Bytes | null,
      detail: (text('Detail') ?? '').slice(0, MOST_DETAIL),
    })
  }
  return {
    kind: 'list',
    begin: () => (taken = 0),
    item: {
      kind: 'object',
      begin: () => (fields = new Map()),
      end,
      keys: keys(Object.fromEntries(names.map((name) => [name, field(name)]))),
    },
  }
}
