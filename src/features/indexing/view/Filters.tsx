import type { ReactNode } from 'react'
import type { TickSpan } from '../../../base/ticks.ts'
import { formatCount, formatDuration, parseDuration } from '../../../base/text/format.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import lanePanel from '../../../ui/lane-panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './panel.module.css'
import { DEFAULT_SETTINGS, type IndexingSettings } from './params.ts'
import { NO_FILTER, REASON_CODES, type ReasonCode } from '../../../feeds/indexing/contract/batches.ts'

/** Number of filters that hide batches or indexes. */
export const activeFilters = ({ find, filter }: IndexingSettings): number =>
  (find === '' ? 0 : 1) +
  [filter.minTicks, filter.maxTicks, filter.minDocuments, filter.reason].filter((bound) => bound !== null).length +
  (filter.hideEmpty ? 1 : 0)

interface FiltersProps {
  readonly settings: IndexingSettings
  readonly shown: number
  readonly total: number
  readonly onChange: (parts: Partial<IndexingSettings>) => void
}

export function Filters({ settings, shown, total, onChange }: FiltersProps): ReactNode {
  const { filter } = settings
  const bound = (key: 'minTicks' | 'maxTicks') => (text: string) => {
    const value = parseDuration(text)
    if (Number.isNaN(value)) return 'Write it like 200 ms, 1.5 s or 300 µs.'
    onChange({ filter: { ...filter, [key]: value as TickSpan | null } })
    return null
  }
  const ofTicks = (ticks: number | null): string => {
    if (ticks === null) return ''
    const words = formatDuration(ticks)
    return parseDuration(words) === ticks ? words : `${ticks / 10_000} ms`
  }
  const reasons: readonly { readonly value: ReasonCode | 'any'; readonly text: string }[] = [
    { value: 'any', text: 'any stop reason' },
    ...REASON_CODES.map((code) => ({ value: code, text: code.replaceAll('-', ' ') })),
  ]
  return (
    <div className={cx('raised', lanePanel.filters, styles.filters)} role="group" aria-label="Filters">
      <TextField
        label="Find an index"
        hideLabel
        type="search"
        placeholder="Index name"
        value={settings.find}
        onChange={(find) => onChange({ find })}
      />
      <span className="note">
        {formatCount(shown)} of {formatCount(total)}
      </span>
      <Segmented
        label="Order of lanes"
        options={[
          { value: 'name', text: 'By name' },
          { value: 'busy', text: 'Busiest first', title: 'By the time that each has worked since it is watched' },
        ]}
        value={settings.order}
        onChange={(order) => onChange({ order })}
      />
      <span className={styles.pair}>
        <CommitField
          label="Duration from"
          placeholder="shortest"
          value={ofTicks(filter.minTicks)}
          onCommit={bound('minTicks')}
        />
        <CommitField label="to" placeholder="longest" value={ofTicks(filter.maxTicks)} onCommit={bound('maxTicks')} />
      </span>
      <NumberField
        label="Documents from"
        placeholder="any"
        min={0}
        value={filter.minDocuments}
        onChange={(minDocuments) => onChange({ filter: { ...filter, minDocuments } })}
      />
      <Select
        label="Stopped for"
        hideLabel
        options={reasons}
        value={filter.reason ?? 'any'}
        onChange={(reason) => onChange({ filter: { ...filter, reason: reason === 'any' ? null : reason } })}
      />
      <Toggle
        label="Empty batches"
        title="Batches in which the index woke and found nothing"
        checked={!filter.hideEmpty}
        onChange={(on) => onChange({ filter: { ...filter, hideEmpty: !on } })}
      />
      <Segmented
        label="Scale of sizes"
        options={[
          { value: 'log', text: 'Log size' },
          { value: 'linear', text: 'Linear' },
        ]}
        value={settings.sizeScale}
        onChange={(sizeScale) => onChange({ sizeScale })}
      />
      <Button
        small
        disabled={activeFilters(settings) === 0}
        onClick={() => onChange({ filter: NO_FILTER, find: DEFAULT_SETTINGS.find })}
      >
        Clear
      </Button>
    </div>
  )
}
