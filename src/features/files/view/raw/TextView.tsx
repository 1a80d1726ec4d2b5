import type { ReactNode } from 'react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import type { RawRef, RawRow, RawStatus } from '../../../../capture/raw/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { RowPages, rowAt } from '../../../../ui/table/row-pages.ts'
import type { Place } from './place.ts'
import { requestRaw } from './useRaw.ts'
import { useVirtualRows } from '../../../../ui/table/useVirtualRows.ts'
import type { Goal } from '../../../../ui/table/useVirtualRows.ts'
import styles from './viewer.module.css'

const ROW_PX = 20
/** Margin around a hit, px. */
const AROUND_PX = 80

interface TextViewProps {
  readonly document: RawRef
  readonly label: string
  readonly status: RawStatus
  readonly find: string
  readonly place: Place | null
}

/** A document as text, row by row, with the byte at which each row begins. */
export function TextView({ document, label, status, find, place }: TextViewProps): ReactNode {
  const capture = useCapture()
  const { file, entry } = document
  const total = status.rows
  const boxRef = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<Goal | null>(null)
  const rows = useVirtualRows(boxRef, { total, rowHeightPx: ROW_PX, goal: reached })
  const [pages] = useState(() => new RowPages<RawRow>(100, 20))
  const snapshot = useSyncExternalStore(pages.subscribe, pages.getSnapshot)
  // Further hits are marked when they are found.
  const wanted = { version: JSON.stringify([find]), order: '' }

  useLayoutEffect(() =>
    pages.want({
      ...wanted,
      total,
      first: rows.first,
      end: rows.end,
      fetchRows: (first, count, signal) => requestRaw(capture, 'raw.rows', { file, entry, first, count, find }, signal),
    }),
  )
  useEffect(() => () => pages.dispose(), [pages])

  // A place may be after what is read so far; it is shown when it is reached.
  const isReachable = place !== null && (place.at < status.readBytes || status.isWhole)
  useEffect(() => {
    if (place === null || !isReachable) return undefined
    const abort = new AbortController()
    requestRaw(capture, 'raw.rowOf', { file, entry, at: place.at }, abort.signal).then(
      (row) => setReached({ row }),
      () => undefined,
    )
    return () => abort.abort()
  }, [capture, file, entry, place, isReachable])

  // A hit in a long row may be outside of the view: scrolled sideways once for each place.
  const broughtRef = useRef<Place | null>(null)
  useLayoutEffect(() => {
    const box = boxRef.current
    const mark = box?.querySelector<HTMLElement>('[data-current]') ?? null
    if (box === null || mark === null || place === null || broughtRef.current === place) return
    broughtRef.current = place
    const gutterPx = box.querySelector<HTMLElement>('[data-gutter]')?.offsetWidth ?? 0
    const startPx = mark.offsetLeft - gutterPx - AROUND_PX
    const endPx = mark.offsetLeft + mark.offsetWidth + AROUND_PX - box.clientWidth
    if (box.scrollLeft > startPx || box.scrollLeft < endPx) box.scrollLeft = Math.max(0, Math.min(startPx, endPx))
  })

  const gutterCh = Math.max(5, formatCount(status.totalBytes ?? status.readBytes).length)
  const numbers = Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, i) => rows.first + i)
  return (
    <div
      ref={boxRef}
      className={cx('raised', styles.box)}
      role="list"
      aria-label={`Text of ${label}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by key
      tabIndex={0}
      onScroll={rows.onScroll}
    >
      <div
        className={styles.wide}
        style={{ height: rows.spacerPx, minWidth: `${gutterCh + 208}ch` }}
        role="presentation"
      >
        <div className={styles.layer} style={{ height: rows.layerPx }} role="presentation">
          {numbers.map((number) => {
            const held = rowAt(snapshot, pages.pageSize, wanted, number)
            return (
              <div
                key={number}
                role="listitem"
                aria-setsize={status.isWhole ? total : -1}
                aria-posinset={number + 1}
                className={cx('mono', styles.textRow, number === reached?.row && place !== null && styles.current)}
                style={{ height: ROW_PX, transform: `translateY(${String(rows.topPx(number))}px)` }}
              >
                <span
                  className={styles.gutter}
                  style={{ width: `${gutterCh + 1}ch` }}
                  data-gutter=""
                  aria-hidden="true"
                >
                  {held === null ? '' : formatCount(held.row.at)}
                </span>
                {held === null ? <span className={styles.ghost} /> : <RowText row={held.row} place={place} />}
              </div>
            )
          })}
        </div>
      </div>
      {snapshot.error === null ? null : (
        <p className={styles.failed} role="alert">
          The text could not be read: {snapshot.error instanceof Error ? snapshot.error.message : 'unknown error'}{' '}
          <button type="button" onClick={() => pages.retry()}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}

function RowText({ row, place }: { readonly row: RawRow; readonly place: Place | null }): ReactNode {
  const starts = partStarts(row)
  return (
    <div className={styles.written}>
      {row.parts.map((part, i) => {
        const start = starts[i] ?? row.at
        const end = starts[i + 1] ?? start
        if (part === '') return null
        // A `pre` keeps tabs.
        if (i % 2 === 0) return <pre key={start}>{part}</pre>
        const isCurrent = place !== null && start < place.end && end > place.at
        return (
          <mark
            key={start}
            data-current={isCurrent ? '' : undefined}
            className={cx(styles.hit, isCurrent && styles.hitCurrent)}
          >
            {part}
          </mark>
        )
      })}
      {row.isCut ? (
        <span className={styles.cut} title="The line continues in the next row" aria-hidden="true">
          ↩
        </span>
      ) : null}
    </div>
  )
}

/** Bytes at which the parts begin, and at which the last one ends: hits are counted in bytes, parts in characters. */
function partStarts(row: RawRow): number[] {
  const encoder = new TextEncoder()
  const starts = [row.at]
  for (const part of row.parts) starts.push((starts.at(-1) ?? row.at) + encoder.encode(part).length)
  return starts
}
