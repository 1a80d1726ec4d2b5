import type { ReactNode } from 'react'
import type { WaitKind } from '../../../../feeds/stacks/contract/jobs.ts'
import styles from './waits.module.css'
import { waitLook, type WaitPattern } from './wait-styles.ts'
import { cx } from '../../../../ui/theme/cx.ts'

/** Lines of the patterns in a box of 14 × 10. */
const CUTS: Readonly<Record<WaitPattern, readonly string[]>> = {
  solid: [],
  'one-cut': ['M0 5H14'],
  'two-cuts': ['M0 3.4H14', 'M0 6.7H14'],
  cross: ['M0 0 14 10', 'M14 0 0 10'],
  hatched: ['M-2 10 6 0M3 10 11 0M8 10 16 0'],
  'back-hatched': ['M-2 0 6 10M3 0 11 10M8 0 16 10'],
  upright: ['M3.5 0V10', 'M7 0V10', 'M10.5 0V10'],
  dotted: ['M1 5h2M5 5h2M9 5h2M13 5h1'],
  hollow: ['M2 5H12'],
}

/** Hue and pattern of a wait as it is drawn; decoration beside its word. */
export function WaitSwatch({ kind }: { readonly kind: WaitKind }): ReactNode {
  const look = waitLook(kind)
  const width = look.pattern === 'hollow' ? 6.4 : look.pattern === 'dotted' ? 2 : 1.4
  return (
    <svg className={styles.swatch} viewBox="0 0 14 10" width="14" height="10" aria-hidden="true" focusable="false">
      <rect width="14" height="10" rx="1.5" style={{ fill: `var(${look.token})` }} />
      {CUTS[look.pattern].map((path) => (
        <path key={path} d={path} fill="none" style={{ stroke: 'var(--bg-raised)' }} strokeWidth={width} />
      ))}
    </svg>
  )
}

/** Swatch and word. */
export function WaitWord({ kind }: { readonly kind: WaitKind }): ReactNode {
  return (
    <span className={cx('inline', styles.word)}>
      <WaitSwatch kind={kind} /> {waitLook(kind).title}
    </span>
  )
}
