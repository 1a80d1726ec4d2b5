import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { bisectAfter } from '../../../../base/columns/bisect.ts'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { RawRef, RawStatus } from '../../../../capture/raw/queries.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Toggle } from '../../../../ui/controls/Toggle.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import type { TableColumn } from '../../../../ui/table/table-columns.ts'
import { VirtualTable } from '../../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { FindBar } from '../raw/FindBar.tsx'
import type { Place } from '../raw/place.ts'
import { LogEntryPane } from './LogEntryPane.tsx'
import type { LogHead, LogLevel, LogLine } from './log-lines.ts'
import { LOG_LEVELS, countLevels, entryAround, findLines, lineAround, linesOfLevels, splitAtHits } from './log-lines.ts'
import { PART_ROWS, useLogLines, usePartOf } from './useLogLines.ts'
import styles from './log.module.css'

const ROW_PX = 22

/** The message comes before its origin, for lack of room beside the list of entries. */
const columnsOf = (lines: readonly LogLine[]): readonly TableColumn[] => [
  // Times of 5.4 and 6.2 have three more digits.
  {
    id: 'time',
    title: 'Time',
    width: (lines.find(({ head }) => head !== null)?.head?.time.length ?? 0) > 25 ? 220 : 190,
  },
  { id: 'level', title: 'Level', width: 92 },
  { id: 'message', title: 'Message', width: 400, grow: 1 },
  { id: 'source', title: 'Source', width: 110 },
  { id: 'logger', title: 'Logger', width: 170 },
]

interface LogViewProps {
  readonly document: RawRef
  readonly label: string
  readonly status: RawStatus
  readonly find: string
  readonly place: Place | null
  readonly onFind: (find: string) => void
  readonly onPlace: (place: Place, find: string) => void
}

/** A server log as lines with their levels; a large one in parts. */
export default function LogView(props: LogViewProps): ReactNode {
  const { document, label, status, place } = props
  const [part, setPart] = usePartOf(document, status, place)
  const known = useLogLines(document, status, part)
  const [hidden, setHidden] = useState<ReadonlySet<LogLevel | null>>(new Set())
  const parts = Math.max(1, Math.ceil(status.rows / PART_ROWS))
  return (
    <>
      {parts === 1 ? null : (
        <div className={cx('row', styles.tools)}>
          <Button small disabled={part === 0} onClick={() => setPart(part - 1)}>
            Previous part
          </Button>
          <span className="faint" role="status">
            Part {formatCount(part + 1)} of {formatCount(parts)}: filter and search are for this part; <em>Text</em>{' '}
            searches all.
          </span>
          <Button small disabled={part + 1 >= parts} onClick={() => setPart(part + 1)}>
            Next part
          </Button>
        </div>
      )}
      {known === null ? (
        <EmptyState title={label}>
          <Spinner>Reading the log</Spinner>
        </EmptyState>
      ) : known.error !== null ? (
        <Notice tone="error" title={`${label} cannot be read.`}>
          <p>{known.error instanceof Error ? known.error.message : 'unknown error'}</p>
        </Notice>
      ) : (
        <LogLines
          key={part}
          {...props}
          lines={known.lines}
          isLast={part + 1 === parts}
          hidden={hidden}
          onHidden={setHidden}
        />
      )}
    </>
  )
}

interface LogLinesProps extends LogViewProps {
  readonly lines: readonly LogLine[]
  /** Whether this is the last part. */
  readonly isLast: boolean
  readonly hidden: ReadonlySet<LogLevel | null>
  readonly onHidden: (hidden: ReadonlySet<LogLevel | null>) => void
}

function LogLines(props: LogLinesProps): ReactNode {
  const { label, find, place, onFind, onPlace, lines, isLast, hidden, onHidden } = props
  const columns = useMemo(() => columnsOf(lines), [lines])
  const counts = useMemo(() => countLevels(lines), [lines])
  const shown = useMemo(() => linesOfLevels(lines, hidden), [lines, hidden])
  const hits = useMemo(() => findLines(shown, find), [shown, find])
  /** Index of the last shown line that begins at or before the place; −1: none. */
  const near = useMemo(() => (place === null ? -1 : bisectAfter(shown, place.at, startOf) - 1), [place, shown])
  const goal = useMemo(() => (place === null ? null : { row: Math.max(0, near) }), [place, near])
  const chosen = place === null ? -1 : lineAround(lines, place.at, isLast)
  const isShown = chosen >= 0 && shown[near] === lines[chosen]
  const current = isShown ? hits.indexOf(near) : -1

  const goTo = (position: number | undefined, wanted: string): void => {
    const line = position === undefined ? undefined : shown[position]
    if (line !== undefined) onPlace({ at: line.at, end: line.at + 1 }, wanted)
  }
  const step = (by: 1 | -1): void => {
    const next =
      by === 1 ? hits.find((hit) => hit > near) : hits.findLast((hit) => hit < near || (hit === near && !isShown))
    // Wraps around at both ends.
    goTo(next ?? (by === 1 ? hits[0] : hits.at(-1)), find)
  }
  const search = (wanted: string): void => {
    const found = findLines(shown, wanted)
    const first = found.find((hit) => hit >= near) ?? found[0]
    if (first === undefined) onFind(wanted)
    else goTo(first, wanted)
  }

  return (
    <>
      <div className={cx('row', styles.tools)}>
        <LevelToggles counts={counts} hidden={hidden} onHidden={onHidden} />
        <span className="push" />
        <FindBar
          label="Search in the log"
          find={find}
          onFind={search}
          found={describeHits(hits.length, current)}
          canStep={hits.length > 0}
          onStep={step}
        />
      </div>
      <div className={cx('raised', styles.table)}>
        <VirtualTable<LogLine>
          label={`Log lines of ${label}`}
          columns={columns}
          total={shown.length}
          rowHeightPx={ROW_PX}
          fetchRows={(offset, limit) => Promise.resolve(shown.slice(offset, offset + limit))}
          renderCell={(line, column) => <LogCell line={line} column={column as keyof LogHead} find={find} />}
          sort={null}
          onSort={() => undefined}
          onRowClick={({ at }) => onPlace({ at, end: at + 1 }, find)}
          rowKey={({ at }) => String(at)}
          selectedKey={isShown ? String(lines[chosen]?.at) : null}
          version={JSON.stringify([...hidden])}
          goal={goal}
        />
      </div>
      {isShown ? <LogEntryPane lines={entryAround(lines, chosen)} /> : null}
    </>
  )
}

interface LevelTogglesProps extends Pick<LogLinesProps, 'hidden' | 'onHidden'> {
  readonly counts: ReadonlyMap<LogLevel | null, number>
}

/** Toggle for each level in the log. */
function LevelToggles({ counts, hidden, onHidden }: LevelTogglesProps): ReactNode {
  return (
    <div className={cx('row', styles.tools)} role="group" aria-label="Levels">
      {[...LOG_LEVELS, null]
        .filter((level) => counts.has(level))
        .map((level) => (
          <Toggle
            key={level ?? ''}
            label={`${level ?? 'No level'} (${formatCount(counts.get(level) ?? 0)})`}
            checked={!hidden.has(level)}
            onChange={(isShown) => {
              const next = new Set(hidden)
              if (isShown) next.delete(level)
              else next.add(level)
              onHidden(next)
            }}
          />
        ))}
    </div>
  )
}

const startOf = ({ at }: LogLine): number => at

function describeHits(count: number, current: number): string {
  if (count === 0) return 'not found'
  const all = formatPlural(count, 'line')
  return current < 0 ? all : `${formatCount(current + 1)} of ${all}`
}

interface LogCellProps {
  readonly line: LogLine
  readonly column: keyof LogHead
  readonly find: string
}

function LogCell({ line: { head, level, text }, column, find }: LogCellProps): ReactNode {
  const tone = level === null ? undefined : styles[level]
  if (column === 'level') return <span className={cx(styles.level, tone)}>{head?.level ?? ''}</span>
  const value = head === null ? (column === 'message' ? text : '') : head[column]
  // Loggers are distinguished by class; the namespace is in the tooltip.
  const seen = column === 'logger' ? value.slice(value.lastIndexOf('.') + 1) : value
  return (
    <bdi
      className={cx(styles.cell, head === null && styles.more, column === 'message' && tone)}
      title={seen === value ? undefined : value}
    >
      {splitAtHits(seen, find).map((part, i) =>
        // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other name
        i % 2 === 0 ? part : <mark key={i}>{part}</mark>,
      )}
    </bdi>
  )
}
