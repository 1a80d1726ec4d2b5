import type { KeyboardEvent, ReactNode } from 'react'
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
  /** Id of the text that is read out when it opens. */
  readonly describedBy?: string
  /** Handles the button that `submits`, and Enter in a field of text while that button may. */
  readonly onSubmit?: () => void
}

/** Where one begins: the first field, else the first button at the foot, which changes nothing. */
function firstOf(dialog: HTMLElement, foot: HTMLElement | null, body: HTMLElement | null): HTMLElement | null {
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input, select, textarea')]
  return (
    dialog.querySelector<HTMLElement>('[autofocus]') ??
    fields.find(({ disabled, type, checked }) => !disabled && (type !== 'radio' || checked)) ??
    foot?.querySelector<HTMLElement>('button:not([disabled])') ??
    body
  )
}

/** Focused element, in a shadow root, too: an editor is in one, whose host cannot take the focus. */
function focusedNow(): Element | null {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement != null) focused = focused.shadowRoot.activeElement
  return focused
}

/** Element that gets the focus back: for an item of a menu its button, since the menu is closed by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[popover]')
  const opener =
    menu === null || menu === undefined
      ? focused
      : [...document.querySelectorAll(`[popovertarget="${CSS.escape(menu.id)}"]`)].find((each) => !menu.contains(each))
  return opener instanceof HTMLElement ? opener : null
}

/** A key that is held down would open a dialog and confirm it; on a box that is ticked Enter is no answer. */
function guardEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target } = event
  if (event.key !== 'Enter') return
  const isBox = target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')
  if (event.repeat || isBox) event.preventDefault()
}

/** Modal while it is rendered. The browser keeps focus inside and closes on Escape; the focus returns to where it was. */
export function Dialog(props: DialogProps): ReactNode {
  const { title, onClose, children, actions, wide = false, describedBy, onSubmit } = props
  const ref = useRef<HTMLDialogElement>(null)
  const bodyRef = useRef<HTMLDivElement>(null)
  const footRef = useRef<HTMLDivElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    const opener = openerOf(focusedNow())
    const row = opener?.closest<HTMLElement>('[role="row"]')
    if (!dialog.open) dialog.showModal()
    firstOf(dialog, footRef.current, bodyRef.current)?.focus()
    return () => {
      dialog.close()
      const back = opener?.isConnected === true ? opener : row
      back?.focus()
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

  const content = (
    <>
      <div className={cx('line', styles.head)}>
        <h2 id={titleId} className="large">
          {title}
        </h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      {/* The body scrolls where the window is low: by keyboard only with focus. */}
      <div ref={bodyRef} className={styles.body} role="group" aria-labelledby={titleId} tabIndex={0}>
        {children}
      </div>
      {actions === undefined ? null : (
        <div ref={footRef} className={cx('row tight', styles.actions)}>
          {actions}
        </div>
      )}
    </>
  )
  return (
    <dialog
      ref={ref}
      className={cx(styles.dialog, wide && styles.wide)}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {onSubmit === undefined ? (
        <div className={cx('column', styles.content)}>{content}</div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the fields in it
        <form
          className={cx('column', styles.content)}
          noValidate
          onKeyDown={guardEnter}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  )
}
