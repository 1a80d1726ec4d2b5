import type { Ticks, TickSpan, TimeRange } from '../../../base/ticks.ts'
import {
  choice,
  list,
  panelSettings,
  setting,
  sorting,
  switchedOff,
  switchedOn,
  text,
  textOrNull,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'
import type { ParamsToRead } from '../../../capture/client/panels.ts'
import {
  formatBounds,
  formatRangeAnd,
  parseBounds,
  parseRangeAnd,
  type RangeText,
} from '../../../capture/client/param-text.ts'
import {
  REASON_CODES,
  type BatchFilter,
  type BatchSort,
  type IndexKey,
} from '../../../feeds/indexing/contract/batches.ts'
import type { IndexSort } from '../contract.ts'

const INDEX_SORTS: readonly [IndexSort, ...IndexSort[]] = [
  'busy',
  'name',
  'batches',
  'share',
  'documents',
  'busyRate',
  'rate',
  'bytes',
  'p50',
  'p99',
  'max',
  'failed',
  'waited',
]

const BATCH_SORTS: readonly [BatchSort, ...BatchSort[]] = [
  'duration',
  'start',
  'documents',
  'bytes',
  'rate',
  'failed',
  'allocated',
  'budget',
  'index',
  'reason',
  'id',
]

/** Side of a comparison; `range` null: the range in view. */
export interface CompareSide {
  readonly index: IndexKey | null
  readonly range: TimeRange | null
}

const NO_SIDE: CompareSide = { index: null, range: null }

/** Codes in older links, with their current ones. */
const REASONS_BEFORE: Readonly<Record<string, string>> = { untold: 'not-reported' }

/** Settings of the panel in the URL beside the shared view. */
const SETTINGS = {
  view: choice('view', 'batches', ['indexes', 'budgets', 'compare']),
  /** Expanded lanes, which show the operations of their batches. */
  open: list('open'),
  /** Text that the names of shown indexes contain; case-insensitive. */
  find: text('find'),
  order: choice('order', 'name', ['busy']),
  filter: {
    read({ duration, documents = '', reason = '', empty }: ParamsToRead<'indexing'>): BatchFilter {
      const [minTicks, maxTicks] = parseBounds<TickSpan>(duration)
      const minDocuments = /^\d+$/.test(documents) ? Number(documents) : null
      const known = REASON_CODES.find((code) => code === (REASONS_BEFORE[reason] ?? reason)) ?? null
      return { minTicks, maxTicks, minDocuments, reason: known, hideEmpty: empty === 'off' }
    },
    write: ({ minTicks, maxTicks, minDocuments, reason, hideEmpty }: BatchFilter) => ({
      duration: formatBounds(minTicks, maxTicks),
      documents: minDocuments === null ? '' : String(minDocuments),
      reason: reason ?? '',
      empty: hideEmpty ? ('off' as const) : ('' as const),
    }),
  },
  fold: switchedOff('fold'),
  sizeScale: choice('scale', 'log', ['linear']),
  /** Index whose operations are listed; null: all together. */
  focus: textOrNull('focus'),
  sort: sorting('sort', INDEX_SORTS),
  table: switchedOn('table'),
  /** Whether the stored errors of indexes are shown. */
  errors: switchedOn('errors'),
  rowSort: sorting('rows', BATCH_SORTS),
  /** Time for which the budgets are shown; null: the end of the view. */
  at: setting(
    'at',
    (text = '') => (/^-?\d+$/.test(text) ? (Number(text) as Ticks) : null),
    (at) => (at === null ? '' : String(at)),
  ),
  measure: choice('measure', 'granted', ['checked', 'now']),
  a: setting('a', parseSide, formatSide),
  b: setting('b', parseSide, formatSide),
}

export type IndexingSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('indexing', SETTINGS)
export const DEFAULT_SETTINGS = parseSettings({})

/** Formats a side as `<start>~<end>~<index>`; each part may be missing. */
function formatSide({ index, range }: CompareSide): RangeText | '' {
  return index === null && range === null ? '' : formatRangeAnd(range, index ?? '')
}

function parseSide(text: string | undefined): CompareSide {
  const parsed = parseRangeAnd(text ?? '')
  return parsed === null ? NO_SIDE : { index: parsed.rest === '' ? null : parsed.rest, range: parsed.range }
}
