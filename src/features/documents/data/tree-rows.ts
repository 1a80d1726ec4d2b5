import type { Node } from 'jsonc-parser'
import { itemsOf, propertiesOf, rawText, textOf } from './json-text.ts'

/** A value of the tree in sight. */
export interface TreeRow {
  /** Place in the text: unique. */
  readonly at: number
  readonly depth: number
  /** Name of a property, number of an item. */
  readonly name: string
  /** Value as it is written; of an object or array, the number of its parts. */
  readonly value: string
  readonly kind: 'string' | 'number' | 'word' | 'nested'
  /** Whether the row is open; null: the row has nothing to open. */
  readonly isOpen: boolean | null
  /** A text that may be the id of a document; null: it is none. */
  readonly id: string | null
}

/** Longest id of a document, bytes of UTF-8. */
const LONGEST_ID = 512
const LONGEST_VALUE = 2000

/** `orders/1-A`, `Orders-1`: something, a slash or dash, something. */
const looksLikeId = (text: string): boolean => text.length <= LONGEST_ID && /^[\p{L}\p{N}_.@-]+[/-][^\s:]+$/u.test(text)

/** Rows of all that is open, in the order of the text. `isToggled`: what is not as `depth` alone would have it. */
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
