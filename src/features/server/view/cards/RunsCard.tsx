import { formatAgo } from '../../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { formatDateTime, type Clock } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { ServerNow } from '../../../../feeds/server/contract/now.ts'
import styles from './cards.module.css'
import { describeVisit } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

interface RunsCardProps {
  readonly now: ServerNow
  readonly clock: Clock
  readonly onShow: (at: Ticks) => void
}

/** Uptime of the server, and the starts of it that were noticed. */
export function RunsCard({ now, clock, onShow }: RunsCardProps): ReactNode {
  const { restarts } = now.server
  const visit = describeVisit(now)
  if (restarts.length === 0 && visit === null) return null
  return (
    <section className={cx('raised', styles.card)} aria-label="Starts of the server">
      <h2>Starts</h2>
      <ul className={styles.list}>
        {restarts.slice(0, 5).map((restart) => (
          <li key={restart.startTicks} className={styles.line}>
            <button
              type="button"
              className={cx('bare', styles.time)}
              title="Show that moment"
              onClick={() => onShow(restart.startTicks)}
            >
              {formatDateTime(restart.startTicks, clock, 0)}
            </button>
            <span className="push" />
            <span className="faint">
              {formatAgo(restart.startTicks, now.nowTicks)} ago{restart.seen ? ', seen from here' : ''}
            </span>
          </li>
        ))}
      </ul>
      {visit === null ? null : <p className="faint">{visit}</p>}
    </section>
  )
}
