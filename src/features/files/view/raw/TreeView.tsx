import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { RawRef, RawStatus, RawStep } from '../../../../capture/raw/queries.ts'
import { RAW_ROOT } from '../../../../capture/raw/queries.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../../capture/client/view.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import type { Place } from './place.ts'
import { TreeStore, isNode } from './tree-store.ts'
import type { TreeRow } from './tree-store.ts'
import { requestRaw } from './useRaw.ts'
import { useVirtualRows } from '../../../../ui/table/useVirtualRows.ts'
import type { Goal } from '../../../../ui/table/useVirtualRows.ts'
import { ValuePane } from './ValuePane.tsx'
import styles from './viewer.module.css'

const ROW_PX = 24
const INDENT_PX = 16
/** Maximum indentation; the depth of deeper levels is shown as a number. */
const MAX_INDENTS = 20

interface TreeViewProps {
  readonly document: RawRef
  readonly label: string
  readonly status: RawStatus
  readonly place: Place | null
  readonly find: string
  /** Shows a byte in the text. */
  readonly onText: (at: number) => void
}

/** A JSON document as a tree: children are read when a node is opened, rows when they are in view. */
export function TreeView({ document, label, status, place, find, onText }: TreeViewProps): ReactNode {
  const capture = useCapture()
  const { failure, attempt } = useAttempt()
  const { file, entry } = document
  const id = useId()
  const [store] = useState(
    () =>
      new TreeStore((at, first, count, signal) =>
        requestRaw(capture, 'raw.children', { file, entry, at, first, count }, signal),
      ),
  )
  const tree = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const { rows: total, error } = tree
  const boxRef = useRef<HTMLDivElement>(null)
  const [goal, setGoal] = useState<Goal | null>(null)
  const rows = useVirtualRows(boxRef, { total, rowHeightPx: ROW_PX, goal })
  const [chosen, setChosen] = useState<readonly RawStep[]>([])
  const [isStarted, setIsStarted] = useState(false)
  const [wasOpened, setWasOpened] = useState(place !== null)
  const active = chosen.length === 0 ? null : tree.rowOf(chosen)

  useLayoutEffect(() => store.want(rows.first, rows.end))
  useEffect(() => () => store.dispose(), [store])
  useEffect(() => void store.refresh(status), [store, status])

  const choose = (row: TreeRow): void => {
    if (row.child !== null)
      setChosen([...row.parent, { parent: row.parent.at(-1)?.child.at ?? RAW_ROOT, child: row.child }])
  }

  // The root of a single document is opened at once.
  const firstRow = tree.rowAt(0)
  const firstChild = firstRow?.child ?? null
  if (!isStarted && firstChild !== null) {
    setIsStarted(true)
    if (chosen.length === 0) setChosen([{ parent: RAW_ROOT, child: firstChild }])
  }
  const opensFirst = isStarted && place === null && firstRow !== null && !firstRow.isOpen && !wasOpened
  useEffect(() => {
    if (!opensFirst) return
    void store.open(firstRow).then(() => setWasOpened(true))
  }, [store, opensFirst, firstRow])

  const isReachable = place !== null && (place.at < status.readBytes || status.isWhole)
  useEffect(() => {
    if (place === null || !isReachable) return undefined
    const abort = new AbortController()
    const go = async (): Promise<void> => {
      const steps = await requestRaw(capture, 'raw.path', { file, entry, at: place.at }, abort.signal)
      const row = await store.reveal(steps)
      if (abort.signal.aborted || row === null) return
      setChosen(steps)
      setGoal({ row })
    }
    void attempt('Could not go to the byte', go)
    return () => abort.abort()
  }, [capture, store, file, entry, place, isReachable, attempt])

  const goToRow = (row: number): void => {
    const next = tree.rowAt(Math.min(Math.max(0, row), total - 1))
    if (next === null) return
    // A row that is not loaded yet is selected when it arrives.
    if (next.child !== null) choose(next)
    rows.show(next.row)
  }

  const pressed = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return
    const now = active ?? 0
    const row = tree.rowAt(now)
    if (row === null) return
    const node = row.child !== null && isNode(row.child)
    if (event.key === 'ArrowDown') goToRow(now + 1)
    else if (event.key === 'ArrowUp') goToRow(now - 1)
    else if (event.key === 'PageDown') goToRow(now + rows.pageRows)
    else if (event.key === 'PageUp') goToRow(now - rows.pageRows)
    else if (event.key === 'Home') goToRow(0)
    else if (event.key === 'End') goToRow(total - 1)
    else if (event.key === 'ArrowRight' && node) {
      if (row.isOpen) goToRow(now + 1)
      else void store.open(row)
    } else if (event.key === 'ArrowLeft') {
      if (row.isOpen) store.close(row)
      else {
        const parent = row.parent.length === 0 ? null : tree.rowOf(row.parent)
        if (parent !== null) goToRow(parent)
      }
    } else if ((event.key === 'Enter' || event.key === ' ') && node) {
      if (row.isOpen) store.close(row)
      else void store.open(row)
    } else return
    event.preventDefault()
  }

  const shown = Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, i) => tree.rowAt(rows.first + i)).filter(
    (row) => row !== null,
  )
  return (
    <div className={cx('column', styles.treeAndValue)}>
      <div
        ref={boxRef}
        className={cx('raised', styles.box)}
        role="tree"
        aria-label={`Tree of ${label}`}
        aria-activedescendant={active === null ? undefined : `${id}-${active}`}
        tabIndex={0}
        onScroll={rows.onScroll}
        onKeyDown={pressed}
      >
        <div className={styles.wide} style={{ height: rows.spacerPx }} role="presentation">
          <div className={styles.layer} style={{ height: rows.layerPx }} role="presentation">
            {shown.map((row) => (
              <Row
                key={row.row}
                id={`${id}-${row.row}`}
                row={row}
                isOne={status.roots <= 1}
                isChosen={row.row === active}
                find={find}
                topPx={rows.topPx(row.row)}
                onChoose={() => choose(row)}
                onToggle={() => (row.isOpen ? store.close(row) : void store.open(row))}
              />
            ))}
          </div>
        </div>
        <AttemptFailure of={failure} className={styles.failed} />
        {error === null ? null : (
          <p className={styles.failed} role="alert">
            {error instanceof Error ? error.message : 'The tree could not be read.'}
          </p>
        )}
      </div>
      {chosen.length === 0 ? null : (
        <ValuePane
          key={chosen.at(-1)?.child.at}
          document={document}
          steps={chosen}
          isOne={status.roots <= 1}
          onText={onText}
        />
      )}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly row: TreeRow
  readonly isOne: boolean
  readonly isChosen: boolean
  readonly find: string
  readonly topPx: number
  readonly onChoose: () => void
  readonly onToggle: () => void
}

function Row({ id, row, isOne, isChosen, find, topPx, onChoose, onToggle }: RowProps): ReactNode {
  const { child, depth, index, siblings, isOpen } = row
  const node = child !== null && isNode(child)
  const name = depth === 0 && isOne ? '$' : (child?.key ?? String(index))
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the focus and takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={node ? isOpen : undefined}
      aria-selected={isChosen}
      aria-setsize={siblings}
      aria-posinset={index + 1}
      tabIndex={-1}
      className={cx('mono', styles.treeRow, isChosen && styles.current)}
      style={{
        height: ROW_PX,
        transform: `translateY(${String(topPx)}px)`,
        paddingInlineStart: 6 + Math.min(depth, MAX_INDENTS) * INDENT_PX,
      }}
      onClick={onChoose}
      onDoubleClick={node ? onToggle : undefined}
    >
      {node ? (
        <span
          className={cx(styles.twist, isOpen && styles.twisted)}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            onChoose()
            onToggle()
          }}
        >
          <Icon name="chevron" sizePx={12} />
        </span>
      ) : (
        <span className={styles.twist} />
      )}
      {depth > MAX_INDENTS ? <span className={styles.depth}>{formatCount(depth)}·</span> : null}
      <span className={cx(styles.key, child !== null && child.key === null && depth > 0 && styles.index)}>
        <Found text={name} find={find} />
      </span>
      <span className={cx('faint', styles.colon)}>:</span>
      {child === null ? (
        <span className={styles.ghost} />
      ) : (
        <>
          {node ? (
            <span className={styles.count}>
              {child.kind === 'list' ? '[ ]' : '{ }'}{' '}
              {child.count === null ? '' : formatPlural(child.count, child.kind === 'list' ? 'item' : 'field')}
              {child.end === null ? ' so far' : ''}
            </span>
          ) : null}
          {isOpen ? null : (
            <span className={cx(styles.preview, !node && styles[child.kind])}>
              <Found text={child.preview} find={find} />
              {child.isCut ? '…' : ''}
            </span>
          )}
        </>
      )}
    </div>
  )
}

/** Marks the searched text in the few characters of a row. */
function Found({ text, find }: { readonly text: string; readonly find: string }): ReactNode {
  if (find === '') return <>{text}</>
  const lower = asciiLower(text)
  const wanted = asciiLower(find)
  const parts: ReactNode[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at))
    parts.push(
      <mark key={at} className={styles.hit}>
        {text.slice(at, at + wanted.length)}
      </mark>,
    )
    from = at + wanted.length
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  )
}

const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
