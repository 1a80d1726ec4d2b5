import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from '../theme/cx.ts'
import styles from './Dialog.module.css'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the foot. */
  readonly actions?: ReactNode
  readonly wide?: boolean
}

/** Modal while it is rendered. The browser keeps focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, children, actions, wide = false }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    const before = document.activeElement
    if (!dialog.open) dialog.showModal()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  // A click on the backdrop is one on the dialog element itself: its content fills it to the edge.
  useEffect(() => {
    const dialog = ref.current
    const clicked = (event: MouseEvent): void => {
      if (event.target === dialog) onClose()
    }
    dialog?.addEventListener('click', clicked)
    return () => dialog?.removeEventListener('click', clicked)
  }, [onClose])

  return (
    <dialog
      ref={ref}
      className={cx(styles.dialog, wide && styles.wide)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className={cx('column', styles.content)}>
        <div className={cx('line', styles.head)}>
          <h2 id={titleId} className="large">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </div>
        {/* It scrolls where the window is low: by keyboard only with focus. */}
        <div className={styles.body} role="group" aria-labelledby={titleId} tabIndex={0}>
          {children}
        </div>
        {actions === undefined ? null : <div className={cx('row tight', styles.actions)}>{actions}</div>}
      </div>
    </dialog>
  )
}
