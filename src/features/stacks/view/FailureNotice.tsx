import type { ReactNode } from 'react'
import { formatTime, type Clock } from '../../../base/text/format.ts'
import { useServerTicks } from '../../../capture/client/server-ticks.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice, outcomeOf } from '../../../ui/Notice.tsx'
import type { SnapshotFailure, StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import styles from './snapshot.module.css'
import { STEP_WORDS } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'
import { LongText } from '../../../ui/LongText.tsx'

/** Failures that last until the server is changed. */
const LASTING: ReadonlySet<SnapshotFailure['kind']> = new Set([
  'helper-missing',
  'helper-not-executable',
  'diagnostics-off',
  'permission',
  'unsupported',
])

/** Failures of the helper process; the live list still works. */
const NEEDS_HELPER: ReadonlySet<SnapshotFailure['kind']> = new Set([
  'helper-missing',
  'helper-not-executable',
  'helper-failed',
  'helper-rubbish',
  'diagnostics-off',
  'attach-refused',
  'timeout',
])

interface FailureNoticeProps {
  readonly stacks: StacksState
  readonly clock: Clock
  readonly onAgain: () => void
}

/** Notice with the reason and the step of the last failure, and its remedy. Earlier snapshots are kept. */
export function FailureNotice({ stacks, clock, onAgain }: FailureNoticeProps): ReactNode {
  const serverTicks = useServerTicks()
  const { failure } = stacks
  if (failure === null || stacks.progress !== null) return null
  const lasting = LASTING.has(failure.kind)
  const said = failure.error?.serverMessage ?? ''
  return (
    <Notice
      tone={failure.kind === 'permission' || failure.kind === 'unsupported' ? 'warn' : 'error'}
      title={failure.message}
      actions={<Button onClick={onAgain}>{lasting ? 'Try again anyway' : 'Try again'}</Button>}
    >
      <p>{failure.remedy}</p>
      <p className={cx('note', styles.cost)}>
        It failed at the step “{STEP_WORDS[failure.step]}”
        {stacks.failedMs === null ? '' : `, ${formatTime(serverTicks(stacks.failedMs), clock, 0)}`}
        {failure.error === null ? null : (
          <>
            {' · '}
            <code>{failure.error.endpoint}</code>
            {outcomeOf(failure.error)}
          </>
        )}
        {stacks.snapshots.length > 0 ? ' · Earlier snapshots stay.' : ''}
        {NEEDS_HELPER.has(failure.kind) ? ' · The live thread list needs no helper.' : ''}
      </p>
      {said === '' ? null : (
        <details className={styles.said}>
          <summary>Server message</summary>
          <LongText text={said} />
        </details>
      )}
    </Notice>
  )
}
