import type { Node } from 'jsonc-parser'
import { itemsOf, propertiesOf, rawText, textOf } from './json-text.ts'

/** A visible row of the tree. */
export interface TreeRow {
  /** Offset in the text: unique. */
  readonly at: number
  readonly depth: number
  /** Name of a property, or number of an item. */
  readonly name: string
  /** Value as written; for an object or array, the number of its children. */
  readonly value: string
  readonly kind: 'string' | 'number' | 'word' | 'nested'
  /** Whether the row is expanded; null: it has no children. */
  readonly isOpen: boolean | null
  /** String that may be the id of a document; null: it cannot be one. */
  readonly id: string | null
}

/** Maximum length of a document id, bytes of UTF-8. */
const LONGEST_ID = 512
const LONGEST_VALUE = 2000

/** Matches ids like `orders/1-A` and `Orders-1`: text, a slash or dash, text. */
const looksLikeId = (text: string): boolean => text.length <= LONGEST_ID && /^[\p{L}\p{N}_.@-]+[/-][^\s:]+$/u.test(text)

/** Visible rows of the tree, in text order. `isToggled`: offsets of rows that differ from the default. */
export function treeRows(text: string, root: Node, isToggled: ReadonlySet<number>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (name: string, node: Node, depth: number): void => {
    const isNested = node.type === 'object' || node.type === 'array'
    const children = isNested ? (node.children ?? []).length : 0
    const isOpen = children === 0 ? null : depth < 2 !== isToggled.has(node.offset)
    const value = isNested
      ? node.type === 'object'
        ? `{ ${String(children)} }`
        : `[ ${String(children)} ]`
      : rawText(text, node).slice(0, LONGEST_VALUE)
    const inside = node.type === 'string' ? textOf(text, node) : ''
    rows.push({
      at: node.offset,
      depth,
      name,
      value,
      kind: isNested ? 'nested' : node.type === 'string' || node.type === 'number' ? node.type : 'word',
      isOpen,
      id: looksLikeId(inside) && !inside.startsWith('@') ? inside : null,
    })
    if (isOpen === true) addChildren(node, depth + 1)
  }
  const addChildren = (node: Node, depth: number): void => {
    for (const { key, value } of propertiesOf(text, node)) add(key, value, depth)
    for (const [i, item] of itemsOf(node).entries()) add(String(i), item, depth)
  }
  addChildren(root, 0)
  return rows
}
