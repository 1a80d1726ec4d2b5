import { parseTree, type Node } from 'jsonc-parser'

/* JSON as text: no function here converts digits to a number. */

/** Most levels of objects and lists that are parsed. The parser calls itself for each, and the stack ends at some 4,000. */
const PARSED_LEVELS = 1000

/** Whether a text has too many levels to be parsed. */
export function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length;) {
    at = after(STEP, text, at)
    const char = text[at]
    if (char === '"') at = after(IN_STRING, text, at + 1)
    else {
      depth += char === '{' || char === '[' ? 1 : -1
      if (depth > PARSED_LEVELS) return true
      at += 1
    }
  }
  return false
}

/** Syntax tree of a text; null: the text is not JSON, or too deep. */
export const jsonTree = (text: string): Node | null => (isDeep(text) ? null : (parseTree(text) ?? null))

export const rawText = (text: string, { offset, length }: Node): string => text.slice(offset, offset + length)

export interface Property {
  /** Key as written, with quotes. */
  readonly keyText: string
  readonly key: string
  readonly value: Node
}

/** Properties in text order; a repeated key occurs repeatedly. Empty for a value that is not an object. */
export const propertiesOf = (text: string, node: Node | null | undefined): readonly Property[] =>
  node?.type !== 'object'
    ? []
    : (node.children ?? []).flatMap(({ children: [key, value] = [] }): Property[] =>
        key === undefined || value === undefined
          ? []
          : [{ keyText: rawText(text, key), key: String(key.value), value }],
      )

export const propertyOf = (text: string, node: Node | null | undefined, name: string): Node | null =>
  propertiesOf(text, node).findLast(({ key }) => key === name)?.value ?? null

export const itemsOf = (node: Node | null | undefined): readonly Node[] =>
  node?.type === 'array' ? (node.children ?? []) : []

/** A string without its quotes and escapes; for any other value, its text as written. Empty for a missing value. */
export const textOf = (text: string, node: Node | null | undefined): string =>
  node === null || node === undefined ? '' : node.type === 'string' ? String(node.value) : rawText(text, node)

/** Position of a value in a text, without a syntax tree of its content. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export const SPACE = /[ \t\r\n]*/y
/** Matches text up to the next start or end of a string, an object or an array. */
const STEP = /[^"{}[\]]*/y
export const WORD = /[^,:{}[\]"\s]*/y
export const IN_STRING = /[^"\\]*(?:\\[^][^"\\]*)*"/y

export const after = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : text.length
}

/** Finds the end of the value that begins at `from`. */
function endOf(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return after(IN_STRING, text, from + 1)
  if (first !== '{' && first !== '[') return after(WORD, text, from)
  let depth = 0
  for (let at = from; at < text.length;) {
    at = after(STEP, text, at)
    const char = text[at]
    if (char === '"') at = after(IN_STRING, text, at + 1)
    else {
      depth += char === '{' || char === '[' ? 1 : -1
      at += 1
      if (depth === 0) return at
    }
  }
  return text.length
}

export interface SkimmedProperty extends Stretch {
  readonly key: string
  /** Offset at which the property begins, with its key. */
  readonly keyFrom: number
}

/**
 * Properties of an object of any size that begins at `from`: only its top level is read. The text must be valid JSON,
 * as from a server.
 */
export function skimObject(text: string, from: number): readonly SkimmedProperty[] {
  const found: SkimmedProperty[] = []
  for (let at = after(SPACE, text, from + 1); text[at] === '"';) {
    const keyFrom = at
    const keyTo = endOf(text, keyFrom)
    const colon = after(SPACE, text, keyTo)
    const valueFrom = after(SPACE, text, colon + 1)
    const to = endOf(text, valueFrom)
    found.push({ key: String(JSON.parse(text.slice(keyFrom, keyTo))), keyFrom, from: valueFrom, to })
    const next = after(SPACE, text, to)
    if (text[next] !== ',') break
    at = after(SPACE, text, next + 1)
  }
  return found
}

/** The first item of an array that begins at `from`; null: the array is empty. */
export function skimFirst(text: string, from: number): Stretch | null {
  const at = after(SPACE, text, from + 1)
  return text[at] === ']' || at >= text.length ? null : { from: at, to: endOf(text, at) }
}
