/**
 * Characters that are invisible but change how the text around them is read: controls (C0, DEL, C1), bidirectional
 * marks, embeddings, overrides and isolates, and the Unicode line and paragraph separators.
 */
const HIDDEN = String.raw`\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F`

const IN_LINE = new RegExp(String.raw`[\u0000-\u001F${HIDDEN}]`, 'g')
/** The same for texts of several lines; tabs, line feeds, and carriage returns before line feeds are allowed. */
export const HIDDEN_IN_LINES = new RegExp(String.raw`\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F${HIDDEN}]`, 'g')

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

/** Escape sequence of a character code. */
export const escapedCharacter = (code: number): string =>
  SHORT[String.fromCodePoint(code)] ?? String.raw`\u${code.toString(16).toUpperCase().padStart(4, '0')}`

const escaped = (char: string): string => escapedCharacter(char.charCodeAt(0))

/**
 * Makes a foreign text (a name, a path, an error) safe for one line: hidden characters become escapes such as `\n` and
 * `\u202E`, so that no name can break a line or reorder its surroundings. For display only: keys, links and requests
 * need the raw text.
 */
export const visibleText = (text: string): string => text.replaceAll(IN_LINE, escaped)

/** A foreign text of several lines (a stack trace, a query), its line breaks and tabs kept. For display only. */
export const visibleLines = (text: string): string => text.replaceAll(HIDDEN_IN_LINES, escaped)
