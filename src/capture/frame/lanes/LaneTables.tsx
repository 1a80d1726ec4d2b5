import { useState, type ReactNode } from 'react'
import { formatCount, formatDateTime, formatDuration, type Clock } from '../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { overlapping } from './related.ts'
import { chosenKey } from './chosen.ts'
import { wordsOf } from './composed.ts'
import type { LaneData, LaneId, LaneItem } from './lane.ts'
import styles from './lanes.module.css'
import type { Composed } from './useComposed.ts'

interface LaneTablesProps {
  readonly composed: Composed
  /** Range in view. */
  readonly range: TimeRange
  readonly clock: Clock
  /** Lanes without a table. */
  readonly without?: readonly LaneId[]
}

const NO_LANES: readonly LaneId[] = []

/** Maximum number of rows; the newest are shown. */
const MOST_ROWS = 200

/** Marks of a lane in a range, newest first. */
export const itemsIn = ({ tracks }: LaneData, { startTicks, endTicks }: TimeRange): readonly LaneItem[] =>
  tracks
    .flatMap((track) =>
      overlapping(track.marks, { startTicks, durationTicks: endTicks - startTicks }).map((mark) => track.itemAt(mark)),
    )
    .toSorted((a, b) => b.startTicks - a.startTicks)

/** Lanes as tables, with the evidence of each mark; a click opens one. */
export function LaneTables({ composed, range, clock, without = NO_LANES }: LaneTablesProps): ReactNode {
  const { lanes, definitions, readings } = composed
  return (
    <div className={styles.tables}>
      {lanes.map((chosen) => {
        const data = readings.get(chosenKey(chosen))?.data ?? null
        const words = wordsOf(data, range)
        const title = composed.titleOf(chosen)
        return data === null || words === '' || without.includes(chosen.id) ? null : (
          <LaneTable
            key={chosenKey(chosen)}
            title={title}
            explains={definitions.get(chosen.id)?.explains ?? ''}
            words={words}
            data={data}
            range={range}
            clock={clock}
          />
        )
      })}
    </div>
  )
}

interface LaneTableProps {
  readonly title: string
  readonly explains: string
  readonly words: string
  readonly data: LaneData
  readonly range: TimeRange
  readonly clock: Clock
}

function LaneTable({ title, explains, words, data, range, clock }: LaneTableProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={title}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary title={explains}>
          {title}: {words}
        </summary>
        {isOpen ? <Rows title={title} items={itemsIn(data, range)} clock={clock} /> : null}
        {data.rules === undefined ? null : (
          <dl className={styles.rules}>
            {data.rules.map((rule) => (
              <div key={rule.reason}>
                <dt>{rule.title}</dt>
                <dd>{rule.reason}</dd>
              </div>
            ))}
          </dl>
        )}
      </details>
    </section>
  )
}

interface RowsProps {
  readonly title: string
  readonly items: readonly LaneItem[]
  readonly clock: Clock
}

function Rows({ title, items, clock }: RowsProps): ReactNode {
  const digitsOf = ({ durationTicks }: LaneItem): 0 | 3 => (durationTicks >= TICKS_PER_SECOND ? 0 : 3)
  return (
    <>
      <div className={`raised ${styles.scroller ?? ''}`} tabIndex={0} role="group" aria-label={`${title}: evidence`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">For</th>
              <th scope="col">{title}</th>
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, MOST_ROWS).map((item, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- equal marks of one moment differ in nothing but their place
              <tr key={`${String(item.startTicks)} ${item.title} ${String(i)}`}>
                <td className={styles.time}>{formatDateTime(item.startTicks, clock, digitsOf(item))}</td>
                <td className={styles.time}>{item.durationTicks > 0 ? formatDuration(item.durationTicks) : ''}</td>
                <th scope="row">
                  <bdi>{item.title}</bdi>
                </th>
                <td>
                  <bdi>{[...item.facts.map(([name, text]) => `${name}: ${text}.`), ...item.evidence].join(' ')}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {items.length > MOST_ROWS ? (
        <p className="note">
          The newest {formatCount(MOST_ROWS)} of {formatCount(items.length)} are listed.
        </p>
      ) : null}
    </>
  )
}
