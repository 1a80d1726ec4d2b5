import type { ReactNode } from 'react'
import { cx } from './theme/cx.ts'
import styles from './Badge.module.css'

export type Tone = 'ok' | 'busy' | 'idle' | 'warn' | 'error'

/** A state in one or two words. */
export interface BadgeWord {
  readonly tone: Tone
  readonly word: string
}

/** State by shape and hue: ● ok, ◐ busy, ○ idle, ▲ warn, ■ error. The words always stand beside it. */
export function StateDot({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={cx('inline', styles.state, styles[tone])}>
      <svg className={styles.mark} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {SHAPES[tone]}
      </svg>
      <span className={styles.words}>{children}</span>
    </span>
  )
}

const SHAPES: Record<Tone, ReactNode> = {
  ok: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  busy: (
    <>
      <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  idle: <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.2" />,
  warn: <path d="M5 .8 9.6 9H.4z" fill="currentColor" />,
  error: <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />,
}

/** A short word or figure in a frame. */
export function Badge({ tone = 'idle', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={cx('cut', styles.badge, styles[tone])}>{children}</span>
}
