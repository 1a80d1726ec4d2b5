/**
 * Ref of the element that gets the focus as its dialog or menu opens, in the same step, so that a key pressed right after is
 * its own. React's `autoFocus` would focus it when it is mounted, and write no attribute.
 */
export function focusedOnOpening(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
