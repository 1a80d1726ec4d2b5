import type { ReactNode } from 'react'
import type { IndexingPalette } from './palette.ts'
import type { OperationFamily } from '../../../feeds/indexing/contract/operations.ts'

interface FamilySwatchProps {
  readonly family: OperationFamily | 'other'
  readonly palette: IndexingPalette
}

/** Colour of an operation family as drawn in the lanes; a decoration beside its name. */
export function FamilySwatch({ family, palette }: FamilySwatchProps): ReactNode {
  const pale = family === 'other' || family === 'wait'
  return (
    <svg width="12" height="10" viewBox="0 0 12 10" aria-hidden="true" focusable="false">
      <rect width="12" height="10" rx="1.5" style={{ fill: palette.family(family), opacity: pale ? 0.3 : 1 }} />
      {family === 'unknown' ? (
        <path d="M-2 10 6 0M3 10 11 0" fill="none" style={{ stroke: 'var(--bg)' }} strokeWidth="1.4" />
      ) : null}
      {family === 'wait' ? (
        <path d="M-2 10 6 0M3 10 11 0M8 10 16 0" fill="none" style={{ stroke: 'var(--warn)' }} strokeWidth="1.2" />
      ) : null}
    </svg>
  )
}
