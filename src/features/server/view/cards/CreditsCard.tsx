import type { ReactNode } from 'react'
import { StateDot } from '../../../../ui/Badge.tsx'
import type { CpuCredits } from '../../../../feeds/server/contract/now.ts'
import styles from './cards.module.css'
import { formatUnit } from '../../../../base/text/format-unit.ts'
import { describeCredits } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

/** CPU credits of a burstable machine: the balance, its rate of change, and how the server reacts to it. */
export function CreditsCard({ credits }: { readonly credits: CpuCredits }): ReactNode {
  const { remaining, max, backgroundThreshold, failoverThreshold } = credits
  const place = (of: number): string => `${String(Math.max(0, Math.min(100, (of / Math.max(1, max)) * 100)))}%`
  const tone =
    remaining < failoverThreshold ? 'error' : remaining < backgroundThreshold || remaining <= 0 ? 'warn' : 'ok'
  const words = {
    error: 'requests refused',
    warn: remaining < backgroundThreshold ? 'background paused' : 'used up',
    ok: 'enough',
  }[tone]
  const rate = (perSecond: number): string => `${formatUnit(perSecond * 3600, 'count')} an hour`
  return (
    <section className={cx('raised', styles.card)} aria-label="CPU credits">
      <div className={styles.line}>
        <h2>CPU credits</h2>
        <span className="push" />
        <StateDot tone={tone}>{words}</StateDot>
      </div>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${formatUnit(remaining, 'count')} of ${formatUnit(max, 'count')} credits`}
      >
        <div className={styles.raven} style={{ width: place(remaining) }} />
        <div className={styles.threshold} style={{ insetInlineStart: place(backgroundThreshold) }} />
        <div className={styles.threshold} style={{ insetInlineStart: place(failoverThreshold) }} />
      </div>
      <p>
        <b>{formatUnit(remaining, 'count')}</b> of {formatUnit(max, 'count')} left. {describeCredits(credits)}
      </p>
      <p className="faint">
        used {rate(credits.usedPerSecond)}, earned {rate(credits.gainedPerSecond)}
      </p>
      {credits.consequences.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p className="faint">
        Below {formatUnit(backgroundThreshold, 'count')} the server pauses background work until{' '}
        {formatUnit(credits.backgroundReleaseAt, 'count')}; below {formatUnit(failoverThreshold, 'count')} it refuses
        requests or hands them to other nodes until {formatUnit(credits.failoverReleaseAt, 'count')}.
      </p>
    </section>
  )
}
