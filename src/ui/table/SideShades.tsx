import type { ReactNode } from 'react'
import styles from './SideScroll.module.css'
import type { SideScroll } from './useSideScroll.ts'

/** Shades at the edges beyond which there is more content. The scrolling box must be their only sibling. */
export function SideShades({ side, startPx = 0 }: { readonly side: SideScroll; readonly startPx?: number }): ReactNode {
  return (
    <>
      {side.before ? (
        <span
          className={styles.before}
          aria-hidden="true"
          style={{ insetInlineStart: startPx, insetBlockEnd: side.footPx }}
        />
      ) : null}
      {side.after ? (
        <span
          className={styles.after}
          aria-hidden="true"
          style={{ insetInlineEnd: side.barPx, insetBlockEnd: side.footPx }}
        />
      ) : null}
    </>
  )
}
