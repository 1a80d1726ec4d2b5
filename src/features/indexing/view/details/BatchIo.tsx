import { useState, type ReactNode } from 'react'
import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { formatBytes, formatDateTime, formatDuration, formatPlural } from '../../../../base/text/format.ts'
import type { IndexStorageKind } from '../../../../feeds/io/contract.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import cardStyles from '../../../../ui/card.module.css'
import styles from './card.module.css'
import type { BatchCard } from '../../../../feeds/indexing/contract/batch-card.ts'
import { ThreadLink } from './ThreadLink.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

const KINDS = [
  { kind: 'JournalWrite', one: 'journal write', many: 'journal writes', colour: 'var(--kind-journal-write)' },
  { kind: 'DataFlush', one: 'data flush', many: 'data flushes', colour: 'var(--kind-data-flush)' },
  { kind: 'DataSync', one: 'data sync', many: 'data syncs', colour: 'var(--kind-data-sync)' },
] as const

/** Width of the strip in its own coordinates. */
const STRIP_PX = 300

/** Journal writes, flushes and syncs of the batch's index, on demand, with a link to all of them. */
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
      <div className={cx('wrap', cardStyles.actions)}>
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          I/O beneath it
        </Button>
        <a href={link}>Open in the I/O panel</a>
        <ThreadLink index={card.index} />
      </div>
      {open ? <Beneath card={card} version={version} /> : null}
    </div>
  )
}

function Beneath({ card, version }: { readonly card: BatchCard; readonly version: number }): ReactNode {
  const { clock } = useView().view
  const range = { startTicks: card.startTicks, endTicks: (card.startTicks + card.durationTicks) as Ticks }
  const params = { ...range, source: card.source, indexName: card.indexName, widthPx: STRIP_PX as CssPx }
  const { response, error } = useRequest('io.ofIndex', params, { version, everyMs: 500 })
  if (error !== null) return <p>{error.message}</p>
  if (response === null) return <p>Loading …</p>
  const { kinds, sinceTicks } = response
  if (kinds === null || sinceTicks === null) return <p>No I/O data of this index.</p>
  if (range.endTicks < sinceTicks)
    return <p>The I/O of this index is known from {formatDateTime(sinceTicks, clock, 3)} on: the batch was before.</p>
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
          <path key={kind} d={stripPath(marksOf(kinds, kind), range, row * 16)} style={{ fill: colour }} />
        ))}
      </svg>
      {KINDS.map(({ kind, one, many, colour }) => {
        const reported = kinds.find((each) => each.kind === kind)
        return (
          <p key={kind} className={cx('line', styles.beneathRow)}>
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="1.5" style={{ fill: colour }} />
            </svg>
            {formatPlural(reported?.count ?? 0, one, many)}
            <span>{reported === undefined ? 'none' : describeKind(reported)}</span>
          </p>
        )
      })}
    </>
  )
}

const marksOf = (kinds: readonly IndexStorageKind[], kind: string): IndexStorageKind['marks'] | undefined =>
  kinds.find((each) => each.kind === kind)?.marks

function describeKind({ count, bytes, busyTicks, slowestTicks, rollUps }: IndexStorageKind): string {
  const seen =
    count === 0
      ? 'none'
      : `${formatBytes(bytes)}, ${formatDuration(busyTicks)} of work, slowest ${formatDuration(slowestTicks)}`
  return rollUps === 0
    ? seen
    : `${seen}; more in ${formatPlural(rollUps, 'roll-up')}, of which no single events are known`
}

/** Path with all rectangles of a kind, each at least one pixel wide. */
function stripPath(
  row: IndexStorageKind['marks'] | undefined,
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
