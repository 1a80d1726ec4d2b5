import { kindOf, memberOf } from '../../base/json/exact.ts'

/** A field of the entries of a map. Offsets are UTF-16 units of the map. */
export interface MapField {
  readonly name: string
  readonly expression: string
  /** Start of the expression. */
  readonly from: number
  readonly to: number
}

/** A C# map whose entries are created by one anonymous object. */
export interface MapShape {
  /** Name of the document variable in the map. */
  readonly variable: string
  /** End of the document source: `from o in docs.Orders`, `docs.Orders`. */
  readonly sourceTo: number
  readonly isLambda: boolean
  /** Start of the content of the object's braces. */
  readonly from: number
  readonly to: number
  readonly fields: readonly MapField[]
}

const QUERY = /^\s*from\s+(?:[\w<>[\]?]+\s+)?(@?\w+)\s+in\s+docs(?:\s*\.\s*\w+|\s*\[[^\]]*\])?/u
const LAMBDA =
  /^\s*docs(?:\s*\.\s*(?!Select\b|Where\b)\w+|\s*\[[^\]]*\])?(?=\s*\.\s*Select\s*\(\s*\(?\s*(@?\w+)\s*\)?\s*=>)/u
const OBJECT = /\bnew\s*\{/gu
/** Matches text that only closes a lambda. */
const END = /^[\s);]*$/u

/** Matches text in which brackets and commas do not count: comments, and strings of all kinds. */
const OPAQUE = /\/\/[^\n]*|\/\*[^]*?\*\/|(?:\$?@|@\$)"(?:[^"]|"")*"|\$?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/gu

/** Replaces comments by blanks and strings by quotes of the same length, so that offsets stay valid. */
const bare = (text: string): string =>
  text.replaceAll(OPAQUE, (found) => found.replaceAll(/[^\n]/gu, found.startsWith('/') ? ' ' : '"'))

/** Finds the fields of a map; null: it is a script, or written in an unsupported way. */
export function mapShapeOf(map: string): MapShape | null {
  const text = bare(map)
  const query = QUERY.exec(text)
  const lambda = query === null ? LAMBDA.exec(text) : null
  const source = query ?? lambda
  const variable = source?.[1]
  if (source === null || variable === undefined) return null
  for (const { index, 0: opening } of text.matchAll(OBJECT)) {
    const from = index + opening.length
    const to = closingOf(text, from)
    if (to !== null && END.test(text.slice(to + 1)))
      return {
        variable,
        sourceTo: source[0].length,
        isLambda: query === null,
        from,
        to,
        fields: fieldsOf(map, text, from, to),
      }
  }
  return null
}

/** Position of the brace that closes the one before `from`; null: it is not closed. */
function closingOf(text: string, from: number): number | null {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const unit = text[at] ?? ''
    if ('{(['.includes(unit)) depth++
    else if ('})]'.includes(unit) && --depth === 0) return at
  }
  return null
}

function fieldsOf(map: string, text: string, from: number, to: number): readonly MapField[] {
  const fields: MapField[] = []
  let begin = from
  let depth = 0
  for (let at = from; at <= to; at++) {
    const unit = text[at] ?? ''
    if (at === to || (unit === ',' && depth === 0)) {
      const field = fieldIn(map, text, begin, at)
      if (field !== null) fields.push(field)
      begin = at + 1
    } else if ('{(['.includes(unit)) depth++
    else if ('})]'.includes(unit)) depth--
  }
  return fields
}

function fieldIn(map: string, text: string, from: number, to: number): MapField | null {
  const part = text.slice(from, to)
  const named = /^\s*@?(\w+)\s*=(?![=>])\s*/u.exec(part)
  const begin = from + (named?.[0].length ?? part.length - part.trimStart().length)
  const end = from + map.slice(from, to).trimEnd().length
  const name = named?.[1] ?? /(\w+)\s*$/u.exec(part)?.[1]
  return name === undefined || end <= begin ? null : { name, expression: map.slice(begin, end), from: begin, to: end }
}

/** Paths of the document that an expression reads, such as `Company.Name`, without duplicates. */
export function pathsOf(expression: string, variable: string): readonly string[] {
  const found = bare(expression).matchAll(
    new RegExp(String.raw`(?<![\w.@])${variable}((?:\s*\.\s*\w+)+)(\s*\()?`, 'gu'),
  )
  const paths = [...found].map(([, path = '', call]) => {
    const names = path.replaceAll(/\s/gu, '').split('.').slice(1)
    // In a call, the last name is that of a method.
    return (call === undefined ? names : names.slice(0, -1)).join('.')
  })
  return [...new Set(paths.filter((path) => path !== ''))]
}

/** Value at a path of a document, as the server wrote it; null: there is none. */
export function valueAt(document: string, path: string): string | null {
  let value: string | null = document
  for (const name of path.split('.')) {
    if (value === null || kindOf(value) !== 'object') return null
    value = memberOf(value, name)
  }
  return value
}
