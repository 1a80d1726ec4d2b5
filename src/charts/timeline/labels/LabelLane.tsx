import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, formatShare, formatTime, type Clock } from '../../../base/text/format.ts'
import type { TimeScale } from '../../scale.ts'
import { placeSpans, sharesInSight, type LabelledSpan } from './label-spans.ts'
import styles from './LabelLane.module.css'

export interface LabelLaneProps {
  /** Name of the lane. */
  readonly name: string
  /** Why there may be labels, and how they are judged. */
  readonly explains: string
  /** Each row ascending, without overlaps. */
  readonly rows: readonly (readonly LabelledSpan[])[]
  /** Absent: how much of the time each title has, which suits few titles in one row. */
  readonly summary?: string
  /** Scale of the plot above, whose left edge is the lane's. */
  readonly scale: TimeScale
  readonly clock: Clock
  /** Below the table. */
  readonly children?: ReactNode
}

/** More rows are no help; the newest are shown. */
const MOST_ROWS = 200

const CLASSES: Readonly<Record<string, string | undefined>> = styles

const titleOf = ({ title, evidence, competing = [] }: LabelledSpan, from: string): string =>
  [`${title}, ${from}.`, ...evidence, ...competing.map((each) => `Also at its limit: ${each}`)].join(' ')

/** Two that begin together differ in what shows them. */
const keyOf = (span: LabelledSpan | undefined): string => `${String(span?.startTicks)} ${span?.evidence[0] ?? ''}`

/** A lane of labels under a timeline, in rows where they overlap, and the same as a table with the evidence of each. */
export function LabelLane({ name, explains, rows, summary, scale, clock, children }: LabelLaneProps): ReactNode {
  const placedRows = rows.map((spans) => placeSpans(spans, scale)).filter((row) => row.length > 0)
  const placed = placedRows.flat().toSorted((a, b) => a.span.startTicks - b.span.startTicks)
  const words =
    summary ??
    `${sharesInSight(rows.flat(), scale.range)
      .map(({ title, share }) => `${title} ${formatShare(share)}`)
      .join(', ')} of the time in view`
  const when = ({ startTicks, endTicks }: LabelledSpan): string =>
    `${formatTime(startTicks, clock, 0)} to ${formatTime(endTicks, clock, 0)}`
  return (
    <section className={styles.lane} aria-label={name}>
      <div className={styles.line}>
        <span className={styles.name} title={explains}>
          {name}
        </span>
        <div className={styles.strips} style={{ width: scale.widthPx }} aria-hidden="true">
          {placedRows.map((row) => (
            <div key={keyOf(row[0]?.span)} className={styles.strip}>
              {row.map(({ span, xPx, widthPx, isNamed }) => (
                <span
                  key={span.startTicks}
                  className={`${styles.span ?? ''} ${CLASSES[span.label] ?? ''}`}
                  style={{ left: xPx, width: widthPx }}
                  title={titleOf(span, when(span))}
                >
                  {isNamed ? span.title : ''}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
      {placed.length === 0 ? (
        <p className={styles.none}>{name}: no data in view.</p>
      ) : (
        <details>
          <summary>
            {name}: {words}
          </summary>
          <div className={`raised ${styles.scroller ?? ''}`} tabIndex={0} role="group" aria-label={`${name}: evidence`}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  <th scope="col">For</th>
                  <th scope="col">{name}</th>
                  <th scope="col">Evidence</th>
                </tr>
              </thead>
              <tbody>
                {placed
                  .slice(-MOST_ROWS)
                  .toReversed()
                  .map(({ span }) => (
                    <tr key={keyOf(span)}>
                      <td className={styles.time}>{formatDateTime(span.startTicks, clock, 0)}</td>
                      <td className={styles.time}>{formatDuration(span.endTicks - span.startTicks)}</td>
                      <th scope="row">
                        <span className={`${styles.swatch ?? ''} ${CLASSES[span.label] ?? ''}`} aria-hidden="true" />
                        {span.title}
                      </th>
                      <td>
                        {span.evidence.join(' ')}
                        {span.competing?.map((each) => (
                          <p key={each}>
                            <b>Also at its limit:</b> {each}
                          </p>
                        ))}
                        {span.others === undefined || span.others.length === 0 ? null : (
                          <p className={styles.others}>Not at its limit: {span.others.join(' ')}</p>
                        )}
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
          {children}
        </details>
      )}
    </section>
  )
}
