import type { ReactNode } from 'react'
import { kindLook, type KindPattern } from './kinds.ts'

/** Cuts of the patterns, in a box of 14 × 10. */
const CUTS: Record<KindPattern, readonly string[]> = {
  solid: [],
  'one-cut': ['M0 5H14'],
  'two-cuts': ['M0 3.4H14', 'M0 6.7H14'],
  'dotted-cut': ['M1 5h2M5 5h2M9 5h2M13 5h1'],
  hatched: ['M-2 10 6 0M3 10 11 0M8 10 16 0'],
}

/** Hue and pattern of a kind as drawn in the lanes; a decoration beside its name. */
export function KindSwatch({ kind }: { readonly kind: string }): ReactNode {
  const look = kindLook(kind)
  return (
    <svg width="14" height="10" viewBox="0 0 14 10" aria-hidden="true" focusable="false">
      <rect width="14" height="10" rx="1.5" style={{ fill: `var(${look.token})` }} />
      {CUTS[look.pattern].map((path) => (
        <path
          key={path}
          d={path}
          fill="none"
          style={{ stroke: 'var(--bg)' }}
          strokeWidth={look.pattern === 'dotted-cut' ? 2 : 1.4}
        />
      ))}
    </svg>
  )
}
