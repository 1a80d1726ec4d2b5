/** Maximum length of a text that can be edited, UTF-16 units: each keystroke creates a text of that length. */
export const EDITED_LENGTH = 16_000_000

/** Length of the part of a long text that is shown at once, in UTF-16 units. */
export const WINDOW = 200_000

export interface TextWindow {
  readonly from: number
  readonly to: number
}

/** Maximum distance, in UTF-16 units, by which a window is extended to begin at a line start. */
const LINE = 2000

/** Start of the line at or before `at`, if there is one nearby, otherwise `at`; never within a surrogate pair. */
function lineStart(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const end = text.lastIndexOf('\n', at - 1)
  if (end >= at - LINE) return end + 1
  const isPair = /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '')
  return isPair ? at - 1 : at
}

export const windowCount = (text: string): number => Math.max(1, Math.ceil(text.length / WINDOW))

/** Part of a text by its number, from 0. The parts, joined, are the text. */
export const windowAt = (text: string, index: number): TextWindow => ({
  from: lineStart(text, index * WINDOW),
  to: index + 1 >= windowCount(text) ? text.length : lineStart(text, (index + 1) * WINDOW),
})

/** Number of the part that contains a position. */
export function windowOf(text: string, at: number): number {
  const index = Math.min(windowCount(text) - 1, Math.floor(at / WINDOW))
  return at >= windowAt(text, index).to ? Math.min(index + 1, windowCount(text) - 1) : index
}
