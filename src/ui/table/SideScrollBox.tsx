import { useRef, type ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import { SideShades } from './SideShades.tsx'
import styles from './SideScroll.module.css'
import { useSideScroll } from './useSideScroll.ts'

/** Box for a table that may be wider than the page. It scrolls, also by keys, and shows where there is more. */
export function SideScrollBox({
  label,
  role = 'region',
  busy,
  className,
  boxClassName,
  children,
}: {
  readonly label: string
  readonly role?: 'region' | 'group'
  readonly busy?: boolean
  /** Class of the frame, which has the size of the box. */
  readonly className?: string | undefined
  readonly boxClassName?: string | undefined
  readonly children: ReactNode
}): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  const side = useSideScroll(boxRef)
  return (
    <div className={cx('column', styles.frame, className)}>
      <div
        ref={boxRef}
        className={cx(styles.box, boxClassName)}
        role={role}
        aria-label={label}
        aria-busy={busy}
        tabIndex={0}
      >
        {children}
      </div>
      <SideShades side={side} />
    </div>
  )
}
