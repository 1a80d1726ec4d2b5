/** Length of a part of a long text that is shown at once, in UTF-16 units. */
export const WINDOW = 200_000

export interface TextWindow {
  readonly from: number
  readonly to: number
}

/** Limit of the shift of a window's end for the sake of a whole line. */
const LINE = 2000

/** Place at or before `at` where a line begins, if one does nearby; never within a surrogate pair. */
function lineStart(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const end = text.lastIndexOf('\n', at - 1)
  if (end >= at - LINE) return end + 1
  const isPair = /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '')
  return isPair ? at - 1 : at
}

export const windowCount = (text: string): number => Math.max(1, Math.ceil(text.length / WINDOW))

/** Part of a text by its number, from 0. All parts one after another are the text. */
export const windowAt = (text: string, index: number): TextWindow => ({
  from: lineStart(text, index * WINDOW),
  to: index + 1 >= windowCount(text) ? text.length : lineStart(text, (index + 1) * WINDOW),
})

/** Number of the part that holds a place. */
export function windowOf(text: string, at: number): number {
  const index = Math.min(windowCount(text) - 1, Math.floor(at / WINDOW))
  return at >= windowAt(text, index).to ? Math.min(index + 1, windowCount(text) - 1) : index
}
