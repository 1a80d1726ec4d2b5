import { useState, type FocusEvent, type PointerEvent } from 'react'

interface Held<Value> {
  readonly value: Value
  readonly isHeld: boolean
  /** For the element under which the value must not change. */
  readonly handlers: {
    readonly onPointerEnter: (event: PointerEvent) => void
    readonly onPointerLeave: () => void
    readonly onFocus: (event: FocusEvent) => void
    readonly onBlur: () => void
  }
}

/**
 * Holds a value while the mouse rests on what shows it, or the keyboard is in it, so that a click or Enter meets what
 * was aimed at. Touch holds nothing: it does not rest. Holds only while `holds`.
 */
export function useHeld<Value>(value: Value, holds: boolean): Held<Value> {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const isHeld = holds && (pointed || focused)
  const [kept, setKept] = useState(value)
  if (!isHeld && kept !== value) setKept(value)
  return {
    value: isHeld ? kept : value,
    isHeld,
    handlers: {
      onPointerEnter: ({ pointerType }) => setPointed(pointerType === 'mouse'),
      onPointerLeave: () => setPointed(false),
      onFocus: ({ target }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  }
}
