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
  /** Id of the text that screen readers announce when the dialog opens. */
  readonly describedBy?: string
  /** Called for the button that `submits`, and for Enter in a text field while that button is enabled. */
  readonly onSubmit?: () => void
}

/** Element with the initial focus: the first field, else the first button at the foot, which changes nothing. */
function firstOf(dialog: HTMLElement, foot: HTMLElement | null, body: HTMLElement | null): HTMLElement | null {
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input, select, textarea')]
  return (
    dialog.querySelector<HTMLElement>('[autofocus]') ??
    fields.find(({ disabled, type, checked }) => !disabled && (type !== 'radio' || checked)) ??
    foot?.querySelector<HTMLElement>('button:not([disabled])') ??
    body
  )
}

/** Focused element, also within a shadow root: the host of an editor cannot take the focus itself. */
function focusedNow(): Element | null {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement != null) focused = focused.shadowRoot.activeElement
  return focused
}

/** Element that gets the focus back. For a menu item this is the menu's button, since the menu is closed by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[popover]')
  const opener =
    menu === null || menu === undefined
      ? focused
      : [...document.querySelectorAll(`[popovertarget="${CSS.escape(menu.id)}"]`)].find((each) => !menu.contains(each))
  return opener instanceof HTMLElement ? opener : null
}

/** Ignores a repeated Enter, which would open a dialog and confirm it at once, and Enter on a checkbox. */
function guardEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target } = event
  if (event.key !== 'Enter') return
  const isBox = target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')
  if (event.repeat || isBox) event.preventDefault()
}

/** A dialog that is modal while rendered. The browser keeps the focus inside and closes it on Escape. */
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

  // A click on the backdrop has the dialog element itself as its target, since the content fills it.
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
