import type { ReactNode } from 'react'
import styles from './SideScroll.module.css'
import type { SideScroll } from './useSideScroll.ts'

/** Shades over the edges behind which there is more; the box they lie over is their only sibling that scrolls. */
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
