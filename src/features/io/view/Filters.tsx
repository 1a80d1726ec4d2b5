import type { ReactNode } from 'react'
import type { Bytes } from '../../../base/brand.ts'
import type { TickSpan } from '../../../base/ticks.ts'
import { formatBytes, formatCount, formatDuration, parseBytes, parseDuration } from '../../../base/text/format.ts'
import { toggled } from '../../../capture/client/param-text.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { KindSwatch } from './timeline/KindSwatch.tsx'
import { kindLook, kindsOf } from './timeline/kinds.ts'
import lanePanel from '../../../ui/lane-panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './panel.module.css'
import { DEFAULT_SETTINGS, type IoSettings } from './params.ts'
import type { IoFilter } from '../../../feeds/io/contract/rows.ts'
import type { IoLanesResponse } from '../../../feeds/io/contract/lanes.ts'

export interface FiltersProps {
  /** Kinds in any lane. */
  readonly kinds: IoLanesResponse['kinds']
  readonly matchingLanes: number
  readonly allLanes: number
  readonly settings: IoSettings
  readonly onChange: (parts: Partial<IoSettings>) => void
}

/** Number of filters that hide something. */
export const activeFilters = (settings: IoSettings): number =>
  settings.hiddenKinds.size +
  (settings.find === '' ? 0 : 1) +
  Object.values(settings.filter).filter((bound) => bound !== null).length

const ofTicks = (ticks: number | null): string =>
  ticks === null ? '' : exact(formatDuration(ticks), ticks, parseDuration, `${ticks / 10_000} ms`)
const ofBytes = (bytes: number | null): string =>
  bytes === null ? '' : exact(formatBytes(bytes), bytes, parseBytes, String(bytes))

const DURATION = { format: ofTicks, parse: parseDuration, example: '300 µs, 10 ms or 1.5 s' }
const SIZE = { format: ofBytes, parse: parseBytes, example: '4096, 64 KiB or 1.5 MiB' }
const BOUNDS = [
  { ...DURATION, label: 'Duration from', placeholder: '≥ duration', name: 'minTicks' },
  { ...DURATION, label: 'Duration to', placeholder: '≤ duration', name: 'maxTicks' },
  { ...SIZE, label: 'Size from', placeholder: '≥ size', name: 'minBytes' },
  { ...SIZE, label: 'Size to', placeholder: '≤ size', name: 'maxBytes' },
] as const

export function Filters({ kinds, matchingLanes, allLanes, settings, onChange }: FiltersProps): ReactNode {
  const { filter, hiddenKinds } = settings
  const countOf = (kind: string): number => kinds.find((each) => each.kind === kind)?.count ?? 0
  return (
    <div className={cx('raised', lanePanel.filters, styles.filters)} role="group" aria-label="Filters">
      <div className={cx('row', styles.kinds)} role="group" aria-label="Kinds">
        {kindsOf(kinds).map((kind) => (
          <label key={kind} className={cx('inline', styles.kindToggle)}>
            <input
              type="checkbox"
              checked={!hiddenKinds.has(kind)}
              onChange={() => onChange({ hiddenKinds: toggled(hiddenKinds, kind) })}
            />
            <KindSwatch kind={kind} /> {kindLook(kind).title} <span className="note">{formatCount(countOf(kind))}</span>
          </label>
        ))}
      </div>
      <div className={cx('row', styles.find)}>
        <TextField
          label="Index or storage"
          hideLabel
          type="search"
          placeholder="index or storage"
          value={settings.find}
          onChange={(find) => onChange({ find, page: 0 })}
        />
        {settings.find === '' ? null : (
          <span className="note" role="status">
            {formatCount(matchingLanes)} of {formatCount(allLanes)}
          </span>
        )}
      </div>
      <Bounds filter={filter} onChange={onChange} />
      {settings.lanes === 'heat' ? null : (
        <Segmented
          label="Lightness by size"
          value={settings.sizeScale}
          options={[
            { value: 'log', text: 'Log size', title: 'Lightness by size: four times the size is one step' },
            { value: 'linear', text: 'Linear', title: 'Lightness by size: equal steps' },
          ]}
          onChange={(sizeScale) => onChange({ sizeScale })}
        />
      )}
      {activeFilters(settings) === 0 ? null : (
        <Button
          small
          onClick={() => onChange({ filter: DEFAULT_SETTINGS.filter, hiddenKinds: new Set(), find: '', page: 0 })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** Separate from the counts beside it, which change all the time. */
function Bounds({ filter, onChange }: Pick<FiltersProps, 'onChange'> & { readonly filter: IoFilter }): ReactNode {
  const bound = (key: keyof IoFilter, parse: (text: string) => number | null, form: string) => (text: string) => {
    const value = parse(text)
    if (Number.isNaN(value)) return `Write it like ${form}.`
    onChange({ filter: { ...filter, [key]: value as (TickSpan & Bytes) | null } })
    return null
  }
  return BOUNDS.map(({ label, placeholder, name, format, parse, example }) => (
    <CommitField
      key={label}
      label={label}
      hideLabel
      placeholder={placeholder}
      value={format(filter[name])}
      onCommit={bound(name, parse, example)}
    />
  ))
}

/** Returns the short form if it is exact, else one that is: a field never rounds a link's value. */
function exact(short: string, value: number, parse: (text: string) => number | null, long: string): string {
  return parse(short) === value ? short : long
}
