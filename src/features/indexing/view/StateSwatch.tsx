import type { ReactNode } from 'react'
import type { BatchState } from '../../../feeds/indexing/contract/batches.ts'

/** Colour and pattern of a state as drawn in the lanes; a decoration beside its name. */
export function StateSwatch({ state }: { readonly state: BatchState }): ReactNode {
  return (
    <svg width="14" height="10" viewBox="0 0 14 10" aria-hidden="true" focusable="false">
      {PICTURES[state]}
    </svg>
  )
}

const whole = { width: 14, height: 10, rx: 1.5 }

const PICTURES: Record<BatchState, ReactNode> = {
  worked: <rect {...whole} style={{ fill: 'var(--accent)' }} />,
  empty: <rect y="4" width="14" height="2" style={{ fill: 'var(--border-strong)' }} />,
  failed: (
    <>
      <rect {...whole} style={{ fill: 'var(--error)' }} />
      <path d="M0 5H14" fill="none" style={{ stroke: 'var(--bg)' }} strokeWidth="2" />
    </>
  ),
  training: (
    <>
      <rect {...whole} style={{ fill: 'var(--border-strong)' }} />
      <path d="M0 3H14M0 7H14" fill="none" style={{ stroke: 'var(--bg)' }} strokeWidth="1" />
    </>
  ),
  running: (
    <>
      <rect {...whole} style={{ fill: 'var(--accent)' }} />
      <path d="M12.5 0V2M12.5 4V6M12.5 8V10" fill="none" style={{ stroke: 'var(--bg)' }} strokeWidth="3" />
    </>
  ),
  waiting: (
    <>
      <rect {...whole} style={{ fill: 'var(--warn)', opacity: 0.4 }} />
      <path d="M-2 10 6 0M3 10 11 0M8 10 16 0" fill="none" style={{ stroke: 'var(--warn)' }} strokeWidth="1.2" />
    </>
  ),
  lost: (
    <rect
      x="0.5"
      y="0.5"
      width="13"
      height="9"
      fill="none"
      style={{ stroke: 'var(--border-strong)' }}
      strokeDasharray="3 2"
    />
  ),
}
