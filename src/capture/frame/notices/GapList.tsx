import type { ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatTime,
} from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { GAP_WORDS } from './gap-words.ts'
import type { Gap } from '../../client/state.ts'
import { parseSourceId, sourceLabel } from '../../client/state.ts'
import styles from './GapList.module.css'
import { cx } from '../../../ui/theme/cx.ts'

/** Maximum number of listed gaps, the newest; others are only counted. */
const MOST_LISTED = 50

/**
 * Gaps that overlap the range, including those without length (a clock that was set back, the end of a broken file)
 * within it or at its edge.
 */
export const gapsIn = (gaps: readonly Gap[], range: TimeRange): Gap[] =>
  gaps.filter((gap) => gap.startTicks <= range.endTicks && gap.endTicks >= range.startTicks)

interface GapListProps {
  readonly gaps: readonly Gap[]
  readonly range: TimeRange
  readonly clock: Clock
  /** Whether it is open initially. */
  readonly isOpen?: boolean
  /** Whether the panel shows figures over time, so that there are no events to count in a gap. */
  readonly isOfFigures?: boolean
}

/** Lists the gaps in view with their reasons, as text for the hatched bands. Renders nothing without gaps. */
export function GapList({ gaps, range, clock, isOpen = false, isOfFigures = false }: GapListProps): ReactNode {
  const inView = gapsIn(gaps, range).toReversed()
  if (inView.length === 0) return null
  return (
    <details className={cx('raised', styles.gaps)} open={isOpen}>
      <summary>Not known: {formatPlural(inView.length, 'gap')} in view</summary>
      <ol aria-label="What is not known">
        {inView.slice(0, MOST_LISTED).map((gap) => (
          <li key={gap.id}>
            <strong>{GAP_WORDS[gap.reason]}</strong> <span className={styles.when}>{spanOf(gap, clock)}</span>{' '}
            <bdi>{whereOf(gap)}</bdi>
            {isOfFigures ? null : missingOf(gap)}
            {gap.detail === '' ? null : <p>{gap.detail}</p>}
          </li>
        ))}
      </ol>
      {inView.length > MOST_LISTED ? <p>and {formatCount(inView.length - MOST_LISTED)} older ones.</p> : null}
    </details>
  )
}

const spanOf = ({ startTicks, endTicks }: Gap, clock: Clock): string =>
  endTicks > startTicks
    ? `${formatDateTime(startTicks, clock, 3)} – ${formatTime(endTicks, clock, 3)}, ${formatDuration(endTicks - startTicks)}`
    : formatDateTime(startTicks, clock, 3)

function whereOf({ source, lane, kind }: Gap): string {
  const ref = parseSourceId(source)
  const parts = [ref === null ? source : sourceLabel(ref)]
  if (lane !== null) parts.push(lane.slice(lane.indexOf('|') + 1))
  if (kind !== null) parts.push(kind)
  return parts.join(' · ')
}

function missingOf({ reason, missingCount, missingBytes }: Gap): string {
  if (reason === 'clock-jumped' || (reason === 'server-unresponsive' && missingCount === 0)) return ''
  if (missingCount === null && missingBytes === null) return '; how much is missing is not known'
  const count = missingCount === null ? '' : formatPlural(missingCount, 'event')
  const bytes = missingBytes === null ? '' : formatBytes(missingBytes)
  return `; ${[count, bytes].filter((part) => part !== '').join(', ')} missing`
}
