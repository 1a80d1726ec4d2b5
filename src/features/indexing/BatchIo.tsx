import { useState, type ReactNode } from 'react'
import type { CssPx, Ticks } from '../../base/brand.ts'
import { formatBytes, formatDuration, formatPlural } from '../../base/format.ts'
import { useAsk } from '../../capture/useAsk.ts'
import { useView } from '../../capture/view.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './card.module.css'
import type { BatchCard } from './queries.ts'

/*
 * The storage of the index while the batch ran. These questions belong to another panel and are asked by their name; what
 * is read of the answers is written down here, and where nobody answers them there is still the link.
 */
interface StorageLanes {
  readonly lanes: readonly { readonly id: string; readonly type: string; readonly label: string }[]
}
interface StorageSummary {
  readonly kinds: readonly {
    readonly kind: string
    readonly count: number
    readonly bytes: number
    readonly busyTicks: number
    readonly maxTicks: number
  }[]
}
interface StorageMarks {
  readonly rows: readonly {
    readonly length: number
    readonly startTicks: Float64Array
    readonly durationTicks: Float64Array
  }[]
}

const KINDS = [
  { kind: 'JournalWrite', one: 'journal write', many: 'journal writes', colour: 'var(--kind-journal-write)' },
  { kind: 'DataFlush', one: 'data flush', many: 'data flushes', colour: 'var(--kind-data-flush)' },
  { kind: 'DataSync', one: 'data sync', many: 'data syncs', colour: 'var(--kind-data-sync)' },
] as const

const NO_FILTER = { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null }
/** Width of the strip's own coordinates. */
const STRIP_PX = 300

/** Journal writes, flushes and syncs of the batch's index, on demand, and the way to all of them. */
export function BatchIo({ card, version }: { readonly card: BatchCard; readonly version: number }): ReactNode {
  const { href } = useView()
  const [open, setOpen] = useState(false)
  const airTicks = Math.max(1000, card.durationTicks * 0.05)
  const range = {
    startTicks: Math.round(card.startTicks - airTicks) as Ticks,
    endTicks: Math.round(card.startTicks + card.durationTicks + airTicks) as Ticks,
  }
  const link = href('io', { range, params: { 'io.find': card.indexName } })
  return (
    <div className={styles.beneath}>
      <div className={styles.actions}>
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          I/O beneath it
        </Button>
        <a href={link}>Open in the I/O panel</a>
      </div>
      {open ? <Beneath card={card} version={version} /> : null}
    </div>
  )
}

function Beneath({ card, version }: { readonly card: BatchCard; readonly version: number }): ReactNode {
  const range = { startTicks: card.startTicks, endTicks: (card.startTicks + card.durationTicks) as Ticks }
  const key = `${card.index}|${range.startTicks}-${range.endTicks}`
  const { answer: all, error } = useAsk<StorageLanes>('io.lanes', { sources: [card.source] }, card.source, version, 500)
  const lane = all?.lanes.find((each) => each.type === 'Index' && each.label === card.indexName) ?? null
  const rows = lane === null ? null : KINDS.map(({ kind }) => ({ lane: lane.id, kind, file: null }))
  const { answer: summary } = useAsk<StorageSummary>(
    'io.summary',
    rows === null ? null : { ...range, rows, filter: NO_FILTER, slowestLimit: 0 },
    key,
    version,
    500,
  )
  const pieces = [{ ...range, startPx: 0 as CssPx, endPx: STRIP_PX as CssPx }]
  const { answer: marks } = useAsk<StorageMarks>(
    'io.marks',
    rows === null ? null : { rows, pieces, filter: NO_FILTER },
    key,
    version,
    500,
  )
  if (error !== null) return <p>{error.message}</p>
  if (all !== null && lane === null) return <p>Nothing is known of the I/O of this index.</p>
  if (summary === null) return <p>Looking it up …</p>
  return (
    <>
      <svg
        className={styles.strip}
        viewBox={`0 0 ${STRIP_PX} 48`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Journal writes, flushes and syncs of ${card.indexName} during the batch`}
      >
        {KINDS.map(({ kind, colour }, row) => (
          <path key={kind} d={stripPath(marks?.rows[row], range, row * 16)} style={{ fill: colour }} />
        ))}
      </svg>
      {KINDS.map(({ kind, one, many, colour }) => {
        const total = summary.kinds.find((each) => each.kind === kind)
        return (
          <p key={kind} className={styles.beneathRow}>
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="1.5" style={{ fill: colour }} />
            </svg>
            {formatPlural(total?.count ?? 0, one, many)}
            <span>
              {total === undefined || total.count === 0
                ? 'none'
                : `${formatBytes(total.bytes)}, ${formatDuration(total.busyTicks)} of work, slowest ${formatDuration(total.maxTicks)}`}
            </span>
          </p>
        )
      })}
    </>
  )
}

/** Rectangles of one kind, at least a pixel wide, as one path. */
function stripPath(
  row: StorageMarks['rows'][number] | undefined,
  range: { readonly startTicks: number; readonly endTicks: number },
  topPx: number,
): string {
  if (row === undefined) return ''
  const perTick = STRIP_PX / Math.max(1, range.endTicks - range.startTicks)
  let path = ''
  for (let i = 0; i < row.length; i++) {
    const left = Math.max(0, ((row.startTicks[i] ?? 0) - range.startTicks) * perTick)
    const width = Math.max(1, (row.durationTicks[i] ?? 0) * perTick)
    if (left < STRIP_PX) path += `M${left.toFixed(1)} ${topPx}h${width.toFixed(1)}v13h-${width.toFixed(1)}z`
  }
  return path
}
