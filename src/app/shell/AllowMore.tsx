import type { ReactNode } from 'react'
import type { MeterCost } from '../../capture/client/state.ts'
import { resume, setOverheadLimits } from '../../capture/client/overhead.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../capture/client/view.ts'
import { cx } from '../../ui/theme/cx.ts'
import styles from './status.module.css'

/** Higher limits to choose from, shares of one core, for live data with fewer gaps. */
const STEPS = [
  { attended: 0.05, background: 0.02 },
  { attended: 0.1, background: 0.05 },
  { attended: 0.2, background: 0.1 },
] as const

/** For live data with gaps because of the overhead limit: continues now, or raises the limit. */
export default function AllowMore({ cost: { limits } }: { readonly cost: MeterCost }): ReactNode {
  const capture = useCapture()
  const { failure, attempt } = useAttempt()
  const more = STEPS.find(({ attended }) => attended > limits.attended * 1.5)
  return (
    <>
      <button
        type="button"
        className={styles.allow}
        title="For one minute"
        onClick={() => void attempt('Could not resume', () => resume(capture))}
      >
        Resume now
      </button>
      {more === undefined ? null : (
        <button
          type="button"
          className={cx(styles.allow, styles.more)}
          title={`Raises the overhead limit to ${String(more.attended * 100)} % of a core for the panel in use and ${String(more.background * 100)} % for everything else, on all pages of this browser. Server, Overhead has the way back.`}
          onClick={() =>
            void attempt('Could not raise the limit', () =>
              setOverheadLimits(capture, { ...more, background: Math.max(more.background, limits.background) }),
            )
          }
        >
          Allow {more.attended * 100} %
        </button>
      )}
      <AttemptFailure of={failure} className={cx('cut', styles.slowed, styles.trouble)} />
    </>
  )
}
