import { neighbourBox, parentBox, widestChild, type FlameBoxes } from './flame-boxes.ts'

/** Result of a key on a flame graph: a step to another box, or a movement of the chart. */
export type FlameMove =
  | { readonly type: 'focus'; readonly box: number }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'pan'; readonly share: number }
  | { readonly type: 'enter' | 'out' | 'all' }

/**
 * Maps a key to a move; null: not handled, or no box in that direction. Arrows follow the picture: a callee is below in
 * an icicle and above in a flame graph. Without a focus the first arrow goes to `first`.
 */
export function flameMove(
  boxes: FlameBoxes,
  key: string,
  focus: number | null,
  first: number | null,
  upwards: boolean,
): FlameMove | null {
  const step = (next: number | null): FlameMove | null => {
    const box = focus === null ? first : next
    return box === null ? null : { type: 'focus', box }
  }
  const at = focus ?? 0
  switch (key) {
    case 'ArrowUp':
      return step(upwards ? widestChild(boxes, at) : parentBox(boxes, at))
    case 'ArrowDown':
      return step(upwards ? parentBox(boxes, at) : widestChild(boxes, at))
    case 'ArrowLeft':
      return step(neighbourBox(boxes, at, -1))
    case 'ArrowRight':
      return step(neighbourBox(boxes, at, 1))
    case 'Enter':
      return { type: 'enter' }
    case 'Backspace':
    case 'Escape':
      return { type: 'out' }
    case '0':
    case 'Home':
      return { type: 'all' }
    case '+':
    case '=':
    case 'w':
      return { type: 'zoom', factor: 0.7 }
    case '-':
    case 's':
      return { type: 'zoom', factor: 1 / 0.7 }
    case 'a':
      return { type: 'pan', share: -0.15 }
    case 'd':
      return { type: 'pan', share: 0.15 }
    default:
      return null
  }
}
