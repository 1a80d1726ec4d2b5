import { markSpan, type MarkColumns } from './marks.ts'
import type { TimeScale } from '../scale.ts'

/** Narrower marks are drawn after wider ones, so that a short event is visible on top of a long one. */
const NARROW_PX = 2

/** Rectangles to draw, by the code of their style: x and width alternate. */
export interface MarkSpans {
  readonly wide: readonly (readonly number[])[]
  readonly narrow: readonly (readonly number[])[]
}

/**
 * Rectangles for the marks of one row, grouped by style, so that each style is set once. Marks in the same pixel column
 * become one with the highest code; neighbouring columns of one code become one rectangle. At most two rectangles a
 * pixel are drawn, however many marks there are.
 */
export function markSpans(
  scale: TimeScale,
  marks: MarkColumns,
  codes: number,
  codeAt: (mark: number) => number,
): MarkSpans {
  const wide: number[][] = Array.from({ length: codes }, () => [])
  const narrow: number[][] = Array.from({ length: codes }, () => [])
  let columnPx = -1
  let columnEndPx = -1
  let columnCode = -1
  const endColumn = (): void => {
    if (columnCode >= 0) narrow[columnCode]?.push(columnPx, columnEndPx - columnPx)
    columnCode = -1
  }
  for (let i = 0; i < marks.length; i++) {
    const { startPx, endPx } = markSpan(scale, marks.startTicks[i] ?? 0, marks.durationTicks[i] ?? 0)
    if (endPx <= 0) continue
    if (startPx >= scale.widthPx) break
    const code = codeAt(i)
    if (endPx - startPx >= NARROW_PX) {
      const left = Math.max(-2, startPx)
      wide[code]?.push(left, Math.min(scale.widthPx + 2, endPx) - left)
      continue
    }
    const pixel = Math.floor(startPx)
    if (columnCode >= 0 && pixel < columnEndPx && pixel >= columnEndPx - 1) {
      // Same column: the higher code wins; the columns before it keep their code.
      if (code > columnCode) {
        if (pixel > columnPx) narrow[columnCode]?.push(columnPx, pixel - columnPx)
        columnPx = pixel
        columnCode = code
      }
      columnEndPx = Math.max(columnEndPx, pixel + 1)
      continue
    }
    if (columnCode === code && pixel === columnEndPx) {
      columnEndPx = pixel + 1
      continue
    }
    endColumn()
    columnPx = pixel
    columnEndPx = pixel + 1
    columnCode = code
  }
  endColumn()
  return { wide, narrow }
}
