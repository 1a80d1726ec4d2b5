import { formatMoment } from '../../../base/text/figures.ts'
import { useState, type ReactNode } from 'react'
import { formatCount, formatDuration, formatPlural, formatTime, type Clock } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { Happening, ServerActivity } from '../contract/activity.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { partsOf } from './link-view.ts'
import styles from './parts.module.css'

/** Number of events that are shown at first; a click shows the others. */
const MOST_SHOWN = 6

interface WhatHappenedProps {
  readonly activity: ServerActivity
  readonly nowTicks: Ticks | null
  /** End of the visit before this one. Null: there was none. */
  readonly lastVisitEndTicks: Ticks | null
  readonly clock: Clock
}

/**
 * Events that have ended. Without this list they would disappear from the page, although they are often the reason why
 * the user opens it.
 */
export function WhatHappened({ activity, nowTicks, lastVisitEndTicks, clock }: WhatHappenedProps): ReactNode {
  const [all, setAll] = useState(false)
  const { happened, watchedSinceTicks } = activity
  const shown = all ? happened : happened.slice(0, MOST_SHOWN)
  return (
    <section className={cx('stack', styles.part)} aria-label="What happened">
      <div className={cx('wrap', styles.vitalHead)}>
        <h2>What happened</h2>
        {watchedSinceTicks === null ? null : (
          <span className="note">
            watched since {formatMoment(watchedSinceTicks, nowTicks, clock)}
            {lastVisitEndTicks === null || lastVisitEndTicks >= watchedSinceTicks
              ? ''
              : ` and, before, until ${formatMoment(lastVisitEndTicks, nowTicks, clock)}`}
          </span>
        )}
      </div>
      {happened.length === 0 ? (
        <p className="note">
          Nothing that is over by now, of the last day: no trouble that came and went, no start of the server, no
          database that was loaded or unloaded while it was watched.
        </p>
      ) : (
        <ol className={cx('raised', styles.happened)}>
          {shown.map((each) => (
            <li key={each.id} className={cx(each.level !== null && styles[each.level])}>
              <span className={cx('note', styles.moment)}>{formatMoment(each.endTicks, nowTicks, clock)}</span>
              <span className={styles.event}>
                <bdi>{each.text}</bdi>
                <span className="note">{describeLength(each, nowTicks, clock)}</span>
              </span>
              {each.link === null ? null : (
                <PanelLink panel={each.link.panel} parts={partsOf(each.link)}>
                  <span aria-hidden="true">Open</span>
                  <span className="spoken">Open: {each.text}</span>
                </PanelLink>
              )}
            </li>
          ))}
        </ol>
      )}
      {happened.length <= MOST_SHOWN ? null : (
        <Button small onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Fewer' : `${formatCount(happened.length - MOST_SHOWN)} more, older`}
        </Button>
      )}
    </section>
  )
}

/**
 * Minimum uncertainty of an end that is shown, seconds. A state that is requested every few seconds ended close to the
 * last request.
 */
const LEAST_SPREAD = 4

const lengthWords = (seconds: number): string =>
  seconds < 60 ? formatPlural(seconds, 'second') : formatDuration(seconds * TICKS_PER_SECOND)

/**
 * Describes duration and repetition, if any: `for 40 s`, `for 20 to 39 s` if the end is known to that accuracy, `was so
 * at 04:01:30 already`, `3 times since 03:10:00`.
 */
function describeLength(
  { startTicks, endTicks, endsByTicks = endTicks, startIsBound, times, firstTicks }: Happening,
  nowTicks: Ticks | null,
  clock: Clock,
): string {
  const secondsTo = (ticks: Ticks): number => Math.round((ticks - startTicks) / TICKS_PER_SECOND)
  const [seconds, most] = [secondsTo(endTicks), secondsTo(endsByTicks)]
  const length =
    most < 1
      ? []
      : startIsBound
        ? [`was so at ${formatTime(startTicks, clock, 0)} already`]
        : [
            `for ${most - seconds < LEAST_SPREAD ? '' : `${lengthWords(seconds)} to `}${lengthWords(most - seconds < LEAST_SPREAD ? seconds : most)}`,
          ]
  const again = times > 1 ? [`${formatCount(times)} times since ${formatMoment(firstTicks, nowTicks, clock)}`] : []
  return [...length, ...again].map((part) => ` · ${part}`).join('')
}
