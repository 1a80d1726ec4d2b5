import type { ReactNode } from 'react'
import { formatBytes, formatDateTime, formatDuration, type Clock } from '../../../base/text/format.ts'
import type { WriteExample } from '../contract.ts'
import { environmentName } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './stalls.module.css'

interface CounterExamplesProps {
  readonly cause: string
  readonly examples: readonly WriteExample[]
  readonly isOfMany: boolean
  readonly clock: Clock
  readonly onOpen: (example: WriteExample) => void
}

/** Writes that a cause could have held up but did not; a click opens a write in I/O. */
export function CounterExamples({ cause, examples, isOfMany, clock, onOpen }: CounterExamplesProps): ReactNode {
  return (
    <section aria-label={`Not held up by: ${cause}`}>
      <p className="faint">Started while it was present, and did not stall:</p>
      <ol className={styles.examples}>
        {examples.map((example) => (
          <li key={example.selection}>
            <button type="button" className={cx('bare', styles.cause)} onClick={() => onOpen(example)}>
              <span className="mono">{formatDateTime(example.startTicks, clock, 3)}</span>{' '}
              {formatDuration(example.durationTicks)}, {formatBytes(example.bytes)},{' '}
              <bdi title={example.environment}>{environmentName(example, isOfMany)}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
