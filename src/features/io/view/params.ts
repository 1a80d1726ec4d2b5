import type { Bytes, TickSpan } from '../../../base/brand.ts'
import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type ParamsToWrite,
  type ViewParams,
} from '../../../capture/client/panels.ts'
import { formatBounds, formatList, parseBounds, parseList } from '../../../capture/client/param-text.ts'
import { NO_FILTER, type IoFilter, type IoSort, type LaneId } from '../contract.ts'

/** What the panel keeps in the URL beside the shared view. */
export interface IoSettings {
  readonly openLanes: ReadonlySet<LaneId>
  /** Kind rows that show their files, by `kindKey`. */
  readonly openKinds: ReadonlySet<string>
  readonly hiddenKinds: ReadonlySet<string>
  /** Lanes whose name contains this, whatever the case. */
  readonly find: string
  /** Page of lanes, from 0. */
  readonly page: number
  readonly filter: IoFilter
  readonly fold: boolean
  readonly sizeScale: 'log' | 'linear'
  readonly sort: IoSort
  readonly descending: boolean
  readonly table: boolean
  /** What lanes show: events by when and how long, or how many took how long. */
  readonly lanes: 'durations' | 'heat'
  /** Stalls are marked in the lanes. */
  readonly stalls: boolean
  /** The curves of durations are shown. */
  readonly distribution: boolean
}

export const DEFAULT_SETTINGS: IoSettings = {
  openLanes: new Set(),
  openKinds: new Set(),
  hiddenKinds: new Set(),
  find: '',
  page: 0,
  filter: NO_FILTER,
  fold: true,
  sizeScale: 'log',
  sort: 'duration',
  descending: true,
  table: false,
  lanes: 'durations',
  stalls: false,
  distribution: false,
}

export const kindKey = (lane: LaneId, kind: string): string => `${kind}~${lane}`

/** What `kindKey` was made of; a kind has no `~` in its name, or its files stay closed. */
export function parseKindKey(key: string): { readonly lane: LaneId; readonly kind: string } {
  const at = key.indexOf('~')
  return { kind: key.slice(0, at), lane: key.slice(at + 1) }
}

/** Counted from 1 in the address. */
const parsePage = (text: string | undefined): number => {
  const page = Number(text ?? '1')
  return Number.isSafeInteger(page) && page >= 1 ? page - 1 : 0
}

const SORTS: readonly IoSort[] = ['start', 'duration', 'size', 'kind', 'lane', 'file', 'speed']

/** Parts of the settings → parameters; an empty string removes one (it is the default). */
export function formatSettings(settings: Partial<IoSettings>): LinkParams {
  const { openLanes, openKinds, hiddenKinds, find, page, filter, fold, sizeScale, sort, descending } = settings
  const { table, lanes, stalls, distribution } = settings
  const params: ParamsToWrite<'io'> = {}
  if (openLanes !== undefined) params.open = formatList(openLanes)
  if (openKinds !== undefined) params.files = formatList(openKinds)
  if (hiddenKinds !== undefined) params.hide = formatList(hiddenKinds)
  if (find !== undefined) params.find = find
  if (page !== undefined) params.page = page === 0 ? '' : String(page + 1)
  if (filter !== undefined) {
    params.duration = formatBounds(filter.minTicks, filter.maxTicks)
    params.size = formatBounds(filter.minBytes, filter.maxBytes)
  }
  if (fold !== undefined) params.fold = fold ? '' : 'off'
  if (sizeScale !== undefined) params.scale = sizeScale === 'log' ? '' : sizeScale
  if (sort !== undefined) {
    const direction = descending === false ? 'up' : 'down'
    params.sort = sort === 'duration' && direction === 'down' ? '' : `${sort}-${direction}`
  }
  if (table !== undefined) params.table = table ? 'on' : ''
  if (lanes !== undefined) params.lanes = lanes === 'durations' ? '' : lanes
  if (stalls !== undefined) params.stalls = stalls ? 'on' : ''
  if (distribution !== undefined) params.distribution = distribution ? 'on' : ''
  return toLinkParams('io', params)
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: ViewParams): IoSettings {
  const own = paramsOfPanel('io', params)
  const [minTicks, maxTicks] = parseBounds(own.duration)
  const [minBytes, maxBytes] = parseBounds(own.size)
  const [column, direction] = (own.sort ?? '').split('-')
  const sort = SORTS.find((known) => known === column)
  return {
    openLanes: parseList(own.open),
    openKinds: parseList(own.files),
    hiddenKinds: parseList(own.hide),
    find: own.find ?? '',
    page: parsePage(own.page),
    filter: {
      minTicks: minTicks as TickSpan | null,
      maxTicks: maxTicks as TickSpan | null,
      minBytes: minBytes as Bytes | null,
      maxBytes: maxBytes as Bytes | null,
    },
    fold: own.fold !== 'off',
    sizeScale: own.scale === 'linear' ? 'linear' : 'log',
    sort: sort ?? 'duration',
    descending: sort === undefined || direction !== 'up',
    table: own.table === 'on',
    lanes: own.lanes === 'heat' ? 'heat' : 'durations',
    stalls: own.stalls === 'on',
    distribution: own.distribution === 'on',
  }
}
