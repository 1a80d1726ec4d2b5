import { visibleText } from '../../base/text/visible.ts'

/** A cell: text, number, boolean, or unknown (null and NaN: an empty cell). */
export type Cell = string | number | boolean | null

/**
 * Puts a `'` before a text that a spreadsheet could read as a formula, as OWASP advises: one that begins with `= + -
 * @`, their full-width forms, tab, carriage return or line feed, also after white space or control characters. Plain
 * numbers (`-1.5e3`) stay as they are.
 */
export const guardFormula = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

const FORMULA = /^[\s\p{Cc}]*[\t\r\n=+\-@＝＋－＠]/u
const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** A cell with `;` is quoted as well, since spreadsheets in some countries use it as the separator. */
const NEEDS_QUOTES = /[",;]|^\s|\s$/

/** Fast path: letters and digits, to which none of the rules applies. */
const PLAIN_TEXT = /^\w(?:[\w ./:-]*\w)?$/

/** Cell by RFC 4180, with hidden characters as visible escapes. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return Number.isNaN(cell) ? '' : String(cell)
  if (cell === null) return ''
  if (typeof cell === 'boolean') return String(cell)
  if (PLAIN_TEXT.test(cell)) return cell
  const guarded = visibleText(guardFormula(cell))
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Line with its line end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** As `FORMULA`, with the apostrophes that a text has itself, so that the guard before them can be removed again. */
const GUARDED = /^'*[\s\p{Cc}]*[\t\r\n=+\-@＝＋－＠]/u
const NEEDS_EXACT_QUOTES = /["\r\n,;]|^\s|\s$/

/**
 * Cell that keeps a text of a database: its line breaks and hidden characters, and an empty text (`""`), which is not
 * unknown. A text that a spreadsheet could read as a formula begins with one `'` more, which can be removed again.
 */
export function exactCsvCell(cell: string | null): string {
  if (cell === null) return ''
  if (PLAIN_TEXT.test(cell)) return cell
  const guarded = GUARDED.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
  return cell === '' || NEEDS_EXACT_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Line of exact cells with its line end. */
export const exactCsvLine = (cells: readonly (string | null)[]): string => `${cells.map(exactCsvCell).join(',')}\r\n`
