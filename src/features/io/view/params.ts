import type { Bytes, TickSpan } from '../../../base/brand.ts'
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
export function formatSettings(settings: Partial<IoSettings>): Record<string, string> {
  const { openLanes, openKinds, hiddenKinds, find, page, filter, fold, sizeScale, sort, descending } = settings
  const { table, lanes, stalls, distribution } = settings
  const params: Record<string, string> = {}
  if (openLanes !== undefined) params['io.open'] = formatList(openLanes)
  if (openKinds !== undefined) params['io.files'] = formatList(openKinds)
  if (hiddenKinds !== undefined) params['io.hide'] = formatList(hiddenKinds)
  if (find !== undefined) params['io.find'] = find
  if (page !== undefined) params['io.page'] = page === 0 ? '' : String(page + 1)
  if (filter !== undefined) {
    params['io.duration'] = formatBounds(filter.minTicks, filter.maxTicks)
    params['io.size'] = formatBounds(filter.minBytes, filter.maxBytes)
  }
  if (fold !== undefined) params['io.fold'] = fold ? '' : 'off'
  if (sizeScale !== undefined) params['io.scale'] = sizeScale === 'log' ? '' : sizeScale
  if (sort !== undefined) {
    const direction = descending === false ? 'up' : 'down'
    params['io.sort'] = sort === 'duration' && direction === 'down' ? '' : `${sort}-${direction}`
  }
  if (table !== undefined) params['io.table'] = table ? 'on' : ''
  if (lanes !== undefined) params['io.lanes'] = lanes === 'durations' ? '' : lanes
  if (stalls !== undefined) params['io.stalls'] = stalls ? 'on' : ''
  if (distribution !== undefined) params['io.distribution'] = distribution ? 'on' : ''
  return params
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: Readonly<Record<string, string>>): IoSettings {
  const [minTicks, maxTicks] = parseBounds(params['io.duration'])
  const [minBytes, maxBytes] = parseBounds(params['io.size'])
  const [column, direction] = (params['io.sort'] ?? '').split('-')
  const sort = SORTS.find((known) => known === column)
  return {
    openLanes: parseList(params['io.open']),
    openKinds: parseList(params['io.files']),
    hiddenKinds: parseList(params['io.hide']),
    find: params['io.find'] ?? '',
    page: parsePage(params['io.page']),
    filter: {
      minTicks: minTicks as TickSpan | null,
      maxTicks: maxTicks as TickSpan | null,
      minBytes: minBytes as Bytes | null,
      maxBytes: maxBytes as Bytes | null,
    },
    fold: params['io.fold'] !== 'off',
    sizeScale: params['io.scale'] === 'linear' ? 'linear' : 'log',
    sort: sort ?? 'duration',
    descending: sort === undefined || direction !== 'up',
    table: params['io.table'] === 'on',
    lanes: params['io.lanes'] === 'heat' ? 'heat' : 'durations',
    stalls: params['io.stalls'] === 'on',
    distribution: params['io.distribution'] === 'on',
  }
}
