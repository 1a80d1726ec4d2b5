import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingBarResponse, MemoryBar } from '../../../../feeds/indexing/contract/memory.ts'
import list from '../../../../ui/side-list.module.css'
import styles from '../details/side.module.css'

const PART_WORDS: Record<MemoryBar['parts'][number]['part'], string> = {
  private: 'private, this server',
  clean: 'reclaimable at once',
  other: 'others and the system',
  free: 'free',
}

const SHOWN = 12

type HeldByIndex = IndexingBarResponse['indexes'][number]

interface MemoryCardProps {
  readonly response: IndexingBarResponse | null
  readonly atTicks: Ticks
  /** Whether the user set the cursor; otherwise the time is the end of the view. */
  readonly isSet: boolean
  readonly clock: Clock
  readonly palette: IndexingPalette
  readonly onClear: () => void
}

/** Bar of the machine's memory at the cursor, and the memory that each index held at that time. */
export function MemoryCard({ response, atTicks, isSet, clock, palette, onClear }: MemoryCardProps): ReactNode {
  const bar = response?.bar ?? null
  return (
    <section className={cx('raised', 'column', list.list, list.short)} aria-label="Memory at the cursor">
      <div className={cx('row tight', list.heading)}>
        <h2>Memory at {isSet ? 'the cursor' : 'the end of the view'}</h2>
        <span className={list.time}>{formatDateTime(atTicks, clock, 1)}</span>
        {isSet ? (
          <Button small onClick={onClear}>
            Let go
          </Button>
        ) : null}
      </div>
      {bar === null ? (
        <p className={cx('note', list.note)}>
          {response === null ? 'Loading …' : 'The machine was not measured within 40 s of it.'}
        </p>
      ) : (
        <Bar bar={bar} palette={palette} />
      )}
      {response === null || response.indexes.length === 0 ? null : (
        <RowTable
          className={cx('figures', styles.table)}
          columns={COLUMNS}
          rows={response.indexes.slice(0, SHOWN)}
          keyOf={({ index }) => index}
        />
      )}
      {response === null ? null : (
        <p className={cx('note', list.note)}>
          {response.indexes.length > SHOWN ? `${formatCount(response.indexes.length - SHOWN)} more held less. ` : ''}
          {UNKNOWN} is not measured.{' '}
          {response.notMeasured === 0
            ? response.indexes.length === 0
              ? 'No index is known here.'
              : 'Each index has at least one figure.'
            : `Of ${formatPlural(response.notMeasured, 'index', 'indexes')} nothing was measured then.`}
        </p>
      )}
    </section>
  )
}

const figure = (title: string, of: (row: HeldByIndex) => number | null): RowColumn<HeldByIndex> => ({
  title,
  cell: (row) => formatBytes(of(row) ?? Number.NaN),
  cellHint: (row) => (of(row) === null ? 'not measured' : undefined),
})

const COLUMNS: readonly RowColumn<HeldByIndex>[] = [
  { title: 'Index', cell: ({ name }) => <bdi>{name}</bdi>, cellHint: ({ name }) => name },
  figure('Now', ({ nowBytes }) => nowBytes),
  figure('Checked', ({ checkedBytes }) => checkedBytes),
  figure('Granted', ({ grantedBytes }) => grantedBytes),
]

const colourOf = (palette: IndexingPalette, part: MemoryBar['parts'][number]['part']): string =>
  part === 'free' ? 'transparent' : palette.memory[part]

function Bar({ bar, palette }: { readonly bar: MemoryBar; readonly palette: IndexingPalette }): ReactNode {
  const isSplit = bar.parts.some(({ part }) => part === 'private')
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {bar.parts.map(({ part, bytes }) => (
          <span
            key={part}
            className={cx(styles.part, part === 'clean' && styles.calm)}
            style={{
              width: `${(100 * bytes) / bar.physicalBytes}%`,
              ['--part' as string]: colourOf(palette, part),
              ...(part === 'clean' ? {} : { background: colourOf(palette, part) }),
            }}
          />
        ))}
      </div>
      <div
        className={styles.limit}
        style={{
          marginInlineStart: `calc(0.6rem + (100% - 1.2rem) * ${Math.max(0, 1 - bar.lowLimitBytes / bar.physicalBytes)})`,
        }}
        title="The low-memory limit: what is reclaimable or free should reach to its left"
      />
      <ul className={styles.parts}>
        {bar.parts.map(({ part, bytes }) => (
          <li key={part}>
            <svg width="12" height="10" viewBox="0 0 12 10" aria-hidden="true">
              {part === 'clean' ? (
                <path
                  d="M-2 9 6 1M2 10 10 2M6 11 14 3"
                  style={{ stroke: colourOf(palette, part) }}
                  strokeWidth="1.4"
                  fill="none"
                />
              ) : (
                <rect
                  x="0.5"
                  y="0.5"
                  width="11"
                  height="9"
                  style={{ fill: colourOf(palette, part), stroke: 'var(--border-strong)' }}
                />
              )}
            </svg>
            {part === 'other' && !isSplit ? 'in use, not split' : PART_WORDS[part]}
            <span>{formatBytes(bytes)}</span>
            <span>{formatShare(bytes / bar.physicalBytes)}</span>
          </li>
        ))}
      </ul>
      <p className={cx('note', list.note)}>
        Of {formatBytes(bar.physicalBytes)}; the server calls memory low below {formatBytes(bar.lowLimitBytes)}{' '}
        available.
        {bar.severity === null || bar.severity === 'None' ? '' : ` It calls memory ${bar.severity}.`} Sampled{' '}
        {formatDuration(bar.ageTicks)} away.
      </p>
    </>
  )
}
