/** Names of the delimiters, as in the action. */
export type Delimiter = 'Comma' | 'Semicolon' | 'Tab' | 'Pipe'

export const CHARS: Readonly<Record<Delimiter, string>> = { Comma: ',', Semicolon: ';', Tab: '\t', Pipe: '|' }
export const DELIMITERS = Object.keys(CHARS) as readonly Delimiter[]

/**
 * Parses the first rows of a CSV text, including quoted fields. `isWhole`: the text is complete; otherwise its last row
 * may be truncated and is left out.
 */
export function csvRows(
  text: string,
  delimiter: Delimiter,
  most: number,
  isWhole: boolean,
): readonly (readonly string[])[] {
  const separator = CHARS[delimiter]
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endRow = (): void => {
    row.push(field)
    field = ''
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  // A byte order mark belongs to no field.
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length && rows.length < most; at++) {
    const char = text[at] ?? ''
    if (isQuoted) {
      if (char !== '"') field += char
      else if (text[at + 1] === '"') {
        field += '"'
        at++
      } else isQuoted = false
    } else if (char === '"' && field === '') isQuoted = true
    else if (char === separator) {
      row.push(field)
      field = ''
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[at + 1] === '\n') at++
      endRow()
    } else field += char
  }
  if (rows.length < most && isWhole && (field !== '' || row.length > 0)) endRow()
  return rows
}

/** The delimiter that splits the first line into the most fields. */
export function likelyDelimiter(text: string): Delimiter {
  const fields = (delimiter: Delimiter): number => csvRows(text, delimiter, 1, true)[0]?.length ?? 0
  return DELIMITERS.reduce((best, each) => (fields(each) > fields(best) ? each : best))
}

export const NOT_UTF8 = 'The file is no text in UTF-8: save it as CSV UTF-8.'

/**
 * Reason why the text of a file cannot become documents; null: no problem was found. `isWhole`: the text is complete, as
 * for `csvRows`.
 */
export function csvProblem(text: string, rows: readonly (readonly string[])[], isWhole: boolean): string | null {
  // `exactText` reads a byte that is no UTF-8 as an unpaired surrogate. The server would write U+FFFD for it.
  if (text.includes('\u0000') || /[\uD800-\uDFFF]/u.test(text)) return NOT_UTF8
  const note = /^\uFEFF?(sep=.?)(?:\r|\n|$)/iu.exec(text)?.[1]
  if (note !== undefined) return `The first line, “${note}”, is a note for Excel and names no fields: remove it.`
  const [head, ...lines] = rows
  if (head === undefined) return isWhole ? 'The file is empty.' : null
  const names = new Set<string>()
  for (const name of head) {
    if (names.has(name)) return `The first line has the field “${name}” twice.`
    names.add(name)
  }
  const id = head.indexOf('@id')
  if (id >= 0 && lines.some((line) => (line[id] ?? '').trim() === ''))
    return 'A line has no @id: the server takes none or all of them. Fill them, or leave the column out.'
  return lines.length === 0 && isWhole ? 'The file has a line of names, and no line of values.' : null
}

/** Warning that the server changes a value of these rows: it makes a number of `007`; null: none was found. */
export function csvWarning([, ...lines]: readonly (readonly string[])[]): string | null {
  const value = lines.flat().find((field) => /^-?0\d+$/u.test(field))
  return value === undefined ? null : `The server makes the number ${Number(value)} of “${value}”.`
}
