import { useEffect, useRef, type RefObject } from 'react'

/** Elements in which a letter is text or a choice, not a shortcut. */
const TYPING = [
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="range"])',
  'textarea',
  'select',
  'dialog',
  '[role="dialog"]',
  '[contenteditable]:not([contenteditable="false"])',
  // Host of a shadow root with an editor, which is the target of its events.
  '[data-typing]',
].join(', ')

/**
 * Single-letter shortcuts of a chart and its lists. They act only while the focus is in their area (WCAG 2.1.4) and not
 * in a text field. If the element with the focus has left the document, the area still counts: a user who steps with
 * `n` through cards that replace each other stays in it. An area with `tabIndex` −1 takes a click itself.
 */
export function useShortcuts(area: RefObject<HTMLElement | null>, keys: Readonly<Record<string, () => void>>): void {
  const last = useRef<{ readonly element: Element; readonly inside: boolean } | null>(null)
  useEffect(() => {
    const noteFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element) last.current = { element: target, inside: area.current?.contains(target) === true }
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [area])
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(target instanceof Element) || target.closest(TYPING) !== null) return
      const lost = target === document.body && last.current?.inside === true && !last.current.element.isConnected
      const act = keys[event.key]
      if (act === undefined || (area.current?.contains(target) !== true && !lost)) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}
