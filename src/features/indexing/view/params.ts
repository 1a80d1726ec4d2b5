import type { Bytes, Ticks, TickSpan } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import {
  formatBounds,
  formatList,
  formatRangeAnd,
  parseBounds,
  parseList,
  parseRangeAnd,
  type RangeText,
} from '../../../capture/client/param-text.ts'
import { NO_FILTER, REASON_CODES, type BatchFilter, type BatchSort, type IndexKey } from '../contract/batches.ts'
import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type ParamsToWrite,
  type ViewParams,
} from '../../../capture/client/panels.ts'
import type { BudgetMeasure, IndexingLinkParams, IndexingView, IndexSort } from '../contract/link-params.ts'
import { SERVER_MODEL, type BudgetModel } from '../contract/replay.ts'

const VIEWS: readonly IndexingView[] = ['batches', 'indexes', 'budgets', 'compare']

const MEASURES: readonly BudgetMeasure[] = ['granted', 'checked', 'now']

const INDEX_SORTS: readonly IndexSort[] = [
  'name',
  'batches',
  'busy',
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

const BATCH_SORTS: readonly BatchSort[] = [
  'start',
  'duration',
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

/** One side of a comparison; `range` null: the range in view. */
export interface CompareSide {
  readonly index: IndexKey | null
  readonly range: TimeRange | null
}

/** What the panel keeps in the URL beside the shared view. */
export interface IndexingSettings {
  readonly view: IndexingView
  /** Lanes that show the operations in their batches. */
  readonly open: ReadonlySet<IndexKey>
  /** Indexes whose name contains this, whatever the case. */
  readonly find: string
  readonly order: 'name' | 'busy'
  readonly filter: BatchFilter
  readonly fold: boolean
  readonly sizeScale: 'log' | 'linear'
  /** The index whose operations are listed; null: all together. */
  readonly focus: IndexKey | null
  readonly sort: IndexSort
  readonly descending: boolean
  readonly table: boolean
  /** The errors that indexes keep are shown. */
  readonly errors: boolean
  readonly rowSort: BatchSort
  readonly rowDescending: boolean
  /** Where the budgets are read off; null: at the end of the view. */
  readonly at: Ticks | null
  readonly measure: BudgetMeasure
  readonly replay: boolean
  readonly model: BudgetModel
  readonly a: CompareSide
  readonly b: CompareSide
}

const NO_SIDE: CompareSide = { index: null, range: null }

export const DEFAULT_SETTINGS: IndexingSettings = {
  view: 'batches',
  open: new Set(),
  find: '',
  order: 'name',
  filter: NO_FILTER,
  fold: true,
  sizeScale: 'log',
  focus: null,
  sort: 'busy',
  descending: true,
  table: false,
  errors: false,
  rowSort: 'duration',
  rowDescending: true,
  at: null,
  measure: 'granted',
  replay: false,
  model: SERVER_MODEL,
  a: NO_SIDE,
  b: NO_SIDE,
}

const formatSort = <Sort extends string>(
  sort: Sort,
  descending: boolean,
  byDefault: Sort,
): `${Sort}-${'up' | 'down'}` | '' => (sort === byDefault && descending ? '' : `${sort}-${descending ? 'down' : 'up'}`)

function parseSort<Sort extends string>(
  text: string | undefined,
  known: readonly Sort[],
  byDefault: Sort,
): { readonly sort: Sort; readonly descending: boolean } {
  const [column, direction] = (text ?? '').split('-')
  const sort = known.find((each) => each === column)
  return { sort: sort ?? byDefault, descending: sort === undefined || direction !== 'up' }
}

const formatModel = (model: BudgetModel): string => {
  const text = [model.initialBytes, model.stepBytes, model.ceilingBytes ?? '', model.reserveBytes].join('-')
  return text === [SERVER_MODEL.initialBytes, SERVER_MODEL.stepBytes, '', SERVER_MODEL.reserveBytes].join('-')
    ? ''
    : text
}

function parseModel(text: string | undefined): BudgetModel {
  const match = /^(\d+)-(\d+)-(\d*)-(\d+)$/.exec(text ?? '')
  if (match === null) return SERVER_MODEL
  const [, initial, step, ceiling, reserve] = match
  return {
    initialBytes: Number(initial) as Bytes,
    stepBytes: Number(step) as Bytes,
    ceilingBytes: ceiling === '' ? null : (Number(ceiling) as Bytes),
    reserveBytes: Number(reserve) as Bytes,
  }
}

/** `<start>~<end>~<index>`, all of them may be missing. */
const formatSide = ({ index, range }: CompareSide): RangeText | '' =>
  index === null && range === null ? '' : formatRangeAnd(range, index ?? '')

function parseSide(text: string | undefined): CompareSide {
  const parsed = parseRangeAnd(text ?? '')
  return parsed === null ? NO_SIDE : { index: parsed.rest === '' ? null : parsed.rest, range: parsed.range }
}

/** Parts of the settings → parameters; an empty string removes one (it is the default). */
export function formatSettings(settings: Partial<IndexingSettings>): LinkParams {
  const params: ParamsToWrite<'indexing'> = {}
  const put = <Name extends keyof IndexingLinkParams, Value>(
    name: Name,
    value: Value | undefined,
    format: (value: Value) => IndexingLinkParams[Name] | '',
  ): void => {
    if (value !== undefined) params[name] = format(value)
  }
  const on = (value: boolean): 'on' | '' => (value ? 'on' : '')
  put('view', settings.view, (view) => (view === 'batches' ? '' : view))
  put('open', settings.open, formatList)
  put('find', settings.find, (find) => find)
  put('order', settings.order, (order) => (order === 'name' ? '' : order))
  if (settings.filter !== undefined) {
    const { minTicks, maxTicks, minDocuments, reason, hideEmpty } = settings.filter
    params.duration = formatBounds(minTicks, maxTicks)
    params.documents = minDocuments === null ? '' : String(minDocuments)
    params.reason = reason ?? ''
    params.empty = hideEmpty ? 'off' : ''
  }
  put('fold', settings.fold, (fold) => (fold ? '' : 'off'))
  put('scale', settings.sizeScale, (scale) => (scale === 'log' ? '' : scale))
  put('focus', settings.focus, (focus) => focus ?? '')
  put('sort', settings.sort, (sort) => formatSort(sort, settings.descending !== false, 'busy'))
  put('table', settings.table, on)
  put('errors', settings.errors, on)
  put('rows', settings.rowSort, (sort) => formatSort(sort, settings.rowDescending !== false, 'duration'))
  put('at', settings.at, (at) => (at === null ? '' : String(at)))
  put('measure', settings.measure, (measure) => (measure === 'granted' ? '' : measure))
  put('replay', settings.replay, on)
  put('model', settings.model, formatModel)
  put('a', settings.a, formatSide)
  put('b', settings.b, formatSide)
  return toLinkParams('indexing', params)
}

/** Codes that older links have. */
const REASONS_BEFORE: Readonly<Record<string, string>> = { untold: 'not-reported' }

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: ViewParams): IndexingSettings {
  const own = paramsOfPanel('indexing', params)
  const [minTicks, maxTicks] = parseBounds(own.duration)
  const documents = /^\d+$/.exec(own.documents ?? '')
  const at = /^-?\d+$/.exec(own.at ?? '')
  const sort = parseSort(own.sort, INDEX_SORTS, 'busy')
  const rows = parseSort(own.rows, BATCH_SORTS, 'duration')
  return {
    view: VIEWS.find((view) => view === own.view) ?? 'batches',
    open: parseList(own.open),
    find: own.find ?? '',
    order: own.order === 'busy' ? 'busy' : 'name',
    filter: {
      minTicks: minTicks as TickSpan | null,
      maxTicks: maxTicks as TickSpan | null,
      minDocuments: documents === null ? null : Number(documents[0]),
      reason: REASON_CODES.find((code) => code === (REASONS_BEFORE[own.reason ?? ''] ?? own.reason)) ?? null,
      hideEmpty: own.empty === 'off',
    },
    fold: own.fold !== 'off',
    sizeScale: own.scale === 'linear' ? 'linear' : 'log',
    focus: own.focus ?? null,
    sort: sort.sort,
    descending: sort.descending,
    table: own.table === 'on',
    errors: own.errors === 'on',
    rowSort: rows.sort,
    rowDescending: rows.descending,
    at: at === null ? null : (Number(at[0]) as Ticks),
    measure: MEASURES.find((measure) => measure === own.measure) ?? 'granted',
    replay: own.replay === 'on',
    model: parseModel(own.model),
    a: parseSide(own.a),
    b: parseSide(own.b),
  }
}
