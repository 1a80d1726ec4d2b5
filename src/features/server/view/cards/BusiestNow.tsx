import type { ReactNode } from 'react'
import { formatPlural, UNKNOWN } from '../../../../base/text/format.ts'
import type { ServerActivity } from '../../contract/activity.ts'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import styles from '../triage/parts.module.css'
import { ABOUT_RATES, formatPerSecond, formatSpanMs } from '../words.ts'

const FIGURES = [
  { title: 'Requests/s', hint: 'Requests a second, reading and writing', of: 'requestsPerSecond' },
  { title: 'Writes/s', hint: 'Documents and other items written in a second', of: 'writesPerSecond' },
  { title: 'Indexed/s', hint: 'Entries indexed, mapped and reduced in a second', of: 'indexingPerSecond' },
] as const

/** The busiest databases, by what the server reports of all of them: none is asked. */
export function BusiestNow({ activity }: { readonly activity: ServerActivity }): ReactNode {
  const { busiest, moreBusy, slowedToMs } = activity
  return (
    <section className={styles.part} aria-label="Busiest now">
      <div className={styles.vitalHead}>
        <h2>Busiest now</h2>
        {busiest === null || busiest.length === 0 ? null : (
          <span className={styles.faint}>
            a name opens its I/O{slowedToMs === null ? '' : `; reported every ${formatSpanMs(slowedToMs)}`}
          </span>
        )}
      </div>
      {busiest === null ? (
        <p className={styles.faint}>No activity of the databases received yet.</p>
      ) : busiest.length === 0 ? (
        <p className={styles.faint}>No database is read from, written to or indexed.</p>
      ) : (
        <table className={styles.busiest}>
          <thead>
            <tr>
              <th scope="col">Database</th>
              {FIGURES.map(({ title, hint }) => (
                <th key={title} scope="col" title={hint}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {busiest.map((row) => (
              <tr key={row.name}>
                <th scope="row" aria-label={row.name} title={row.name}>
                  <PanelLink panel="io" parts={{ sources: [`db:${row.name}`], range: null }}>
                    <bdi>{row.name}</bdi>
                  </PanelLink>
                </th>
                {FIGURES.map(({ title, of }) => {
                  const value = row[of]
                  const about = row.countedOverMs === null && value !== null && value > 0
                  return (
                    <td
                      key={title}
                      className={value === 0 ? styles.faint : undefined}
                      title={
                        row.countedOverMs === null
                          ? `About: ${ABOUT_RATES}`
                          : `Counted over ${formatSpanMs(row.countedOverMs)}`
                      }
                    >
                      {value === null ? UNKNOWN : `${about ? '≈ ' : ''}${formatPerSecond(value)}`}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {moreBusy === 0 ? null : (
        <p className={styles.faint}>
          {formatPlural(moreBusy, 'more database does', 'more databases do')} less.{' '}
          <PanelLink panel="databases" parts={{ params: { 'databases.sort': 'writes-' } }}>
            Databases by writes
          </PanelLink>
        </p>
      )}
    </section>
  )
}
