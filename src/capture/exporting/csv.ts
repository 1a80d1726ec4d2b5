import { visibleText } from '../../base/text/visible.ts'

/** A cell: a text, a number, yes or no, or nothing known (null and NaN: an empty cell). */
export type Cell = string | number | boolean | null

/**
 * A text that a spreadsheet could take for a formula gets a `'` before it, as OWASP advises: one that begins with
 * `= + - @`, their full-width twins, tab, carriage return or line feed, white space or control characters before it or not. Plain numbers
 * (`-1.5e3`) stay as they are.
 */
export const guardFormula = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

const FORMULA = /^[\s\p{Cc}]*[\t\r\n=+\-@＝＋－＠]/u
const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** `;` is the separator in some countries' spreadsheets: a cell with one is quoted, so it stays one cell there too. */
const NEEDS_QUOTES = /[",;]|^\s|\s$/

/** Letters and digits of most cells, to which none of the rules below applies. */
const PLAIN_TEXT = /^\w(?:[\w ./:-]*\w)?$/

/** Cell as RFC 4180 has it, hidden characters as visible escapes. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return Number.isNaN(cell) ? '' : String(cell)
  if (cell === null) return ''
  if (typeof cell === 'boolean') return String(cell)
  if (PLAIN_TEXT.test(cell)) return cell
  const guarded = visibleText(guardFormula(cell))
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Line with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`
