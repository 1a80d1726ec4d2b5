import { formatPerSecond, formatSpanMs } from '../../../base/text/figures.ts'
import { ABOUT_RATES } from './words.ts'
import type { ReactNode } from 'react'
import { formatPlural, UNKNOWN } from '../../../base/text/format.ts'
import type { ServerActivity } from '../contract/activity.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import styles from './parts.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import type {} from '../../databases/contract.ts'

type Row = NonNullable<ServerActivity['busiest']>[number]

const figure = (
  title: string,
  hint: string,
  of: 'requestsPerSecond' | 'writesPerSecond' | 'mapsPerSecond',
): RowColumn<Row> => ({
  title,
  hint,
  className: (row) => (row?.[of] === 0 ? 'note' : undefined),
  cellHint: ({ countedOverMs, oursPerSecond, reducesPerSecond }) =>
    [
      countedOverMs === null ? `About: ${ABOUT_RATES}` : `Counted over ${formatSpanMs(countedOverMs)}`,
      ...(of === 'requestsPerSecond' && oursPerSecond !== 0
        ? [
            oursPerSecond === null
              ? 'how many of them this browser’s pages sent is not known yet'
              : `of them ${formatPerSecond(oursPerSecond)} by this browser’s pages`,
          ]
        : []),
      ...(of === 'mapsPerSecond' && (reducesPerSecond ?? 0) > 0
        ? [`beside them, ${formatPerSecond(reducesPerSecond ?? 0)} a second went into reduces`]
        : []),
    ].join('; '),
  cell: ({ [of]: value, countedOverMs }) =>
    value === null ? UNKNOWN : `${countedOverMs === null && value > 0 ? '≈ ' : ''}${formatPerSecond(value)}`,
})

const COLUMNS: readonly RowColumn<Row>[] = [
  {
    title: 'Database',
    cellLabel: ({ name }) => name,
    cellHint: ({ name }) => name,
    cell: ({ name }) => <DatabaseLink name={name} />,
  },
  figure('Requests/s', 'Requests a second, reading and writing', 'requestsPerSecond'),
  figure('Writes/s', 'Documents and other items written in a second', 'writesPerSecond'),
  figure('Mapped/s', 'Entries that the maps of its indexes put out in a second', 'mapsPerSecond'),
]

interface BusiestNowProps {
  readonly activity: ServerActivity
  /** Age of the figures as text. Null: they are fresh. */
  readonly age: string | null
}

/** The busiest databases, from what the server reports of all of them; no database gets a request. */
export function BusiestNow({ activity, age }: BusiestNowProps): ReactNode {
  const { busiest, moreBusy, slowedToMs } = activity
  return (
    <section className={cx('stack', styles.part)} aria-label="Busiest now">
      <div className={cx('wrap', styles.vitalHead)}>
        <h2>{age === null ? 'Busiest now' : 'Busiest'}</h2>
        {busiest === null || busiest.length === 0 ? null : (
          <span className="note">
            {age === null ? '' : `as of ${age} ago; `}a name opens the page of its database
            {slowedToMs === null ? '' : `; reported every ${formatSpanMs(slowedToMs)}`}
          </span>
        )}
      </div>
      {busiest === null ? (
        <p className="note">No activity of the databases received yet.</p>
      ) : busiest.length === 0 ? (
        <p className="note">No other client reads from or writes to a database, and none is indexed.</p>
      ) : (
        <RowTable
          className={cx('figures raised', styles.busiest)}
          columns={COLUMNS}
          rows={busiest}
          keyOf={({ name }) => name}
        />
      )}
      {moreBusy === 0 ? null : (
        <p className="note">
          {formatPlural(moreBusy, 'more database does', 'more databases do')} less.{' '}
          <PanelLink panel="databases" parts={{ params: { 'databases.sort': 'writes-' } }}>
            Databases by writes
          </PanelLink>
        </p>
      )}
    </section>
  )
}
