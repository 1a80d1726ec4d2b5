/**
 * Ref that focuses the element in the same step in which its dialog or menu opens, so that it gets the next key.
 * React's `autoFocus` focuses on mount and writes no attribute.
 */
export function focusedOnOpening(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
