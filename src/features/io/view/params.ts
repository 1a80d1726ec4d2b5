import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan } from '../../../base/ticks.ts'
import {
  choice,
  list,
  panelSettings,
  setting,
  sorting,
  switchedOff,
  switchedOn,
  text,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'
import type { ParamsToRead } from '../../../capture/client/panels.ts'
import { formatBounds, parseBounds } from '../../../capture/client/param-text.ts'
import type { IoFilter, IoSort } from '../../../feeds/io/contract/rows.ts'
import type { LaneId } from '../../../feeds/io/contract/lanes.ts'

/** Settings of the panel in the URL beside the shared view. */
const SETTINGS = {
  openLanes: list('open'),
  /** Kind rows whose files are shown, by `kindKey`. */
  openKinds: list('files'),
  hiddenKinds: list('hide'),
  /** Text that the names of shown lanes contain; case-insensitive. */
  find: text('find'),
  /** Page of lanes, from 0; from 1 in the URL. */
  page: setting('page', parsePage, (page) => (page === 0 ? '' : String(page + 1))),
  filter: {
    read: ({ duration, size }: ParamsToRead<'io'>): IoFilter => {
      const [minTicks, maxTicks] = parseBounds<TickSpan>(duration)
      const [minBytes, maxBytes] = parseBounds<Bytes>(size)
      return { minTicks, maxTicks, minBytes, maxBytes }
    },
    write: ({ minTicks, maxTicks, minBytes, maxBytes }: IoFilter) => ({
      duration: formatBounds(minTicks, maxTicks),
      size: formatBounds(minBytes, maxBytes),
    }),
  },
  fold: switchedOff('fold'),
  sizeScale: choice('scale', 'log', ['linear']),
  sort: sorting<'sort', IoSort>('sort', ['duration', 'start', 'size', 'kind', 'lane', 'file', 'speed']),
  table: switchedOn('table'),
  /** Content of lanes: single events by start and duration, or a heat map of their durations. */
  lanes: choice('lanes', 'durations', ['heat']),
  /** Whether stalls are marked in the lanes. */
  stalls: switchedOn('stalls'),
  /** Whether the duration curves are shown. */
  distribution: switchedOn('distribution'),
}

export type IoSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('io', SETTINGS)
export const DEFAULT_SETTINGS = parseSettings({})

export const kindKey = (lane: LaneId, kind: string): string => `${kind}~${lane}`

/** Parses a `kindKey` into lane and kind. Kind names must not contain `~`, or their files stay closed. */
export function parseKindKey(key: string): { readonly lane: LaneId; readonly kind: string } {
  const at = key.indexOf('~')
  return { kind: key.slice(0, at), lane: key.slice(at + 1) }
}

function parsePage(text = '1'): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page >= 1 ? page - 1 : 0
}
