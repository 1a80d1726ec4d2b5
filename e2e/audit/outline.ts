import type { Page } from '@playwright/test'

interface Node {
  readonly role: string
  readonly name: string
  /** Text beside children, or instead of them. */
  readonly text: string
  readonly children: Node[]
}

/** The cells of a table by the name of row and column. */
export interface ShownTable {
  readonly columns: readonly string[]
  /** Cells of each row, the name of the row first. */
  readonly rows: readonly (readonly string[])[]
  /** Undefined: there is no such row or column. */
  readonly cell: (row: string, column: string) => string | undefined
}

/** Accessibility tree of a page at one moment: roles, names and texts. */
export class Outline {
  readonly #root: Node

  constructor(root: Node) {
    this.#root = root
  }

  /** The first with this role and name, in the order of the page. */
  find(role: string, name?: string | RegExp): Outline | undefined {
    for (const node of walk(this.#root)) if (node.role === role && matches(node.name, name)) return new Outline(node)
    return undefined
  }

  all(role: string): Outline[] {
    return [...walk(this.#root)].filter((node) => node.role === role).map((node) => new Outline(node))
  }

  get name(): string {
    return this.#root.name
  }

  /** Text of the root and of everything below it. */
  get text(): string {
    return textOf(this.#root)
  }

  /** Content of the table in here with this name; of the first one when no name is given. */
  table(name?: string): ShownTable | undefined {
    const table = this.#root.role === 'table' && name === undefined ? new Outline(this.#root) : this.find('table', name)
    if (table === undefined) return undefined
    const all = table.all('row').map((row) => row.#root.children.map((cell) => cell.name || textOf(cell)))
    const [columns = [], ...rows] = all
    return {
      columns,
      rows,
      cell: (row, column) => {
        const at = columns.indexOf(column)
        const named = (isRow: (name: string) => boolean) => rows.find((cells) => cells.slice(0, 2).some(isRow))
        // a cell with a name may hold more, such as a button
        const found = named((name) => name === row) ?? named((name) => name.startsWith(`${row} `))
        return at < 0 ? undefined : found?.[at]
      },
    }
  }

  /** The definitions of a term, in their order. */
  term(name: string): readonly string[] {
    for (const node of walk(this.#root)) {
      const at = node.children.findIndex((child) => child.role === 'term' && textOf(child) === name)
      if (at < 0) continue
      const after = node.children.slice(at + 1)
      const end = after.findIndex((child) => child.role !== 'definition')
      return (end < 0 ? after : after.slice(0, end)).map(textOf)
    }
    return []
  }
}

/** Reads the whole page at once, so that its figures are of one moment. */
export async function readOutline(page: Page): Promise<Outline> {
  return new Outline(parseOutline(await page.locator('body').ariaSnapshot()))
}

/** Parses an accessibility snapshot of Playwright: a YAML list of `role "name" [attributes]: text`. */
export function parseOutline(snapshot: string): Node {
  const root: Node = { role: 'root', name: '', text: '', children: [] }
  const open: { depth: number; node: Node }[] = [{ depth: -1, node: root }]
  for (const line of snapshot.split('\n')) {
    const [, indent = '', entry = ''] = /^( *)- (.*)$/.exec(line) ?? []
    if (entry === '' || entry.startsWith('/')) continue
    while ((open.at(-1)?.depth ?? -1) >= indent.length) open.pop()
    const node = parseEntry(entry)
    open.at(-1)?.node.children.push(node)
    open.push({ depth: indent.length, node })
  }
  return root
}

function parseEntry(entry: string): Node {
  const quoted = /^'((?:[^']|'')*)'(.*)$/.exec(entry)
  const whole = quoted === null ? entry : `${(quoted[1] ?? '').replaceAll("''", "'")}${quoted[2] ?? ''}`
  const [, role = '', name = '""', text = ''] =
    /^([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?(?: \[[^\]]*\])*:? ?(.*)$/.exec(whole) ?? []
  return { role, name: unquoted(name), text: unquoted(text), children: [] }
}

const unquoted = (text: string): string =>
  /^".*"$/.test(text) ? (JSON.parse(text.replaceAll(/\\x([0-9a-f]{2})/gi, String.raw`\u00$1`)) as string) : text

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of node.children) yield* walk(child)
}

const textOf = (node: Node): string =>
  node.text !== '' ? node.text : node.children.length > 0 ? node.children.map(textOf).join(' ') : node.name

const matches = (text: string, wanted: string | RegExp | undefined): boolean =>
  wanted === undefined || (typeof wanted === 'string' ? text === wanted : wanted.test(text))
