import { Observed } from '../../../../base/observed.ts'
import type { RawChild, RawChildren, RawStatus, RawStep } from '../../../../capture/raw/queries.ts'
import { RAW_ROOT } from '../../../../capture/raw/queries.ts'
import { RowPages, rowAt } from '../../../../ui/table/row-pages.ts'

/** Requests children; for an open node only while it is in view. */
export type RequestChildren = (at: number, first: number, count: number, signal?: AbortSignal) => Promise<RawChildren>

/** An open node: its children are rows. */
interface OpenNode {
  readonly at: number
  readonly steps: readonly RawStep[]
  readonly pages: RowPages<RawChild>
  /** Number of known children; more may come until `isWhole`. */
  count: number
  isWhole: boolean
  /** Open children by index, in order. */
  readonly open: Map<number, OpenNode>
  /** Number of rows of everything open within it. */
  rows: number
  /** Increases when loaded children may have become longer. */
  version: number
}

export interface TreeRow {
  readonly row: number
  readonly depth: number
  readonly index: number
  /** Number of the parent's children; −1: more may come. */
  readonly siblings: number
  /** Steps to the parent. */
  readonly parent: readonly RawStep[]
  /** Node of the row; null: not loaded. */
  readonly child: RawChild | null
  readonly isOpen: boolean
}

/** The current tree; a new object with each change. */
export interface TreeSnapshot {
  readonly rows: number
  readonly error: unknown
  /** The row with this number; null: none. */
  readonly rowAt: (row: number) => TreeRow | null
  /** Row of the last step; null: not in an open node. */
  readonly rowOf: (steps: readonly RawStep[]) => number | null
}

const PAGE = 100

const wantedOf = (node: OpenNode): { readonly version: string; readonly order: string } => ({
  version: String(node.version),
  order: '',
})

/** Open nodes of a document, and their children in view. Rows are numbered from top to bottom. */
export class TreeStore {
  readonly #request: RequestChildren
  readonly #root: OpenNode
  readonly #snapshot: Observed<TreeSnapshot>
  #seen = { readBytes: -1, isWhole: false }

  constructor(request: RequestChildren) {
    this.#request = request
    this.#root = this.#node(RAW_ROOT, [])
    this.#snapshot = new Observed(this.#shot(0, null))
  }

  readonly subscribe = (changed: () => void): (() => void) => this.#snapshot.subscribe(changed)

  readonly getSnapshot = (): TreeSnapshot => this.#snapshot.get()

  /** Responses are no longer needed. */
  dispose(): void {
    endFlights(this.#root)
  }

  /** Finds whether open nodes have more children than known, and whether those without an end have one. */
  async refresh({ readBytes, isWhole }: Pick<RawStatus, 'readBytes' | 'isWhole'>): Promise<void> {
    if (readBytes === this.#seen.readBytes && isWhole === this.#seen.isWhole) return
    this.#seen = { readBytes, isWhole }
    const growing: OpenNode[] = []
    const collect = (node: OpenNode): void => {
      if (!node.isWhole) growing.push(node)
      if (hasOpenEnd(node)) node.version++
      for (const child of node.open.values()) collect(child)
    }
    collect(this.#root)
    await Promise.all(growing.map((node) => this.#learn(node)))
    this.#publish()
  }

  #shot(rows: number, error: unknown): TreeSnapshot {
    return { rows, error, rowAt: (row) => this.#rowAt(row), rowOf: (steps) => this.#rowOf(steps) }
  }

  #rowAt(row: number): TreeRow | null {
    let node = this.#root
    let rest = row
    for (;;) {
      const inner = childAt(node, rest)
      if (inner.node === null) {
        if (inner.index < 0 || inner.index >= node.count) return null
        const held = rowAt(node.pages.getSnapshot(), PAGE, wantedOf(node), inner.index)
        return {
          row,
          depth: node.steps.length,
          index: inner.index,
          siblings: node.isWhole ? node.count : -1,
          parent: node.steps,
          child: held?.row ?? null,
          isOpen: node.open.has(inner.index),
        }
      }
      node = inner.node
      rest = inner.rest
    }
  }

  /** Loads missing rows from `first` to `end`. */
  want(first: number, end: number): void {
    const wanted = new Map<OpenNode, { first: number; end: number }>()
    for (let row = first; row < end; row++) {
      let node = this.#root
      let rest = row
      for (let inner = childAt(node, rest); ; inner = childAt(node, rest)) {
        if (inner.node !== null) {
          node = inner.node
          rest = inner.rest
          continue
        }
        const known = wanted.get(node)
        wanted.set(node, { first: known?.first ?? inner.index, end: inner.index + 1 })
        break
      }
    }
    for (const [node, span] of wanted)
      node.pages.want({
        ...wantedOf(node),
        total: node.count,
        first: span.first,
        end: span.end,
        fetchRows: async (offset, limit, signal) => (await this.#request(node.at, offset, limit, signal)).children,
      })
  }

  /** Opens the node of a row; resolves when its children are counted. */
  async open({ parent, child, index }: TreeRow): Promise<void> {
    const holder = this.#find(parent)
    if (holder === null || child === null || !isNode(child) || holder.open.has(index)) return
    await this.#openIn(holder, child)
  }

  close({ parent, index }: TreeRow): void {
    const holder = this.#find(parent)
    const node = holder?.open.get(index)
    if (holder === null || node === undefined) return
    endFlights(node)
    holder.open.delete(index)
    this.#publish()
  }

  /** Opens every node on the path, and resolves to the row of the last step. */
  async reveal(steps: readonly RawStep[]): Promise<number | null> {
    let node = this.#root
    for (const step of steps.slice(0, -1)) {
      const { child } = step
      const open = node.open.get(child.index) ?? (isNode(child) ? await this.#openIn(node, child) : null)
      if (open === null) break
      node = open
    }
    return this.#rowOf(steps.slice(0, node.steps.length + 1))
  }

  #rowOf(steps: readonly RawStep[]): number | null {
    let node = this.#root
    let row = 0
    for (const [depth, { child }] of steps.entries()) {
      row += child.index
      for (const [index, open] of node.open) if (index < child.index) row += open.rows
      if (depth === steps.length - 1) return row
      const next = node.open.get(child.index)
      if (next === undefined) return null
      node = next
      row++
    }
    return null
  }

  #find(steps: readonly RawStep[]): OpenNode | null {
    let node: OpenNode | undefined = this.#root
    for (const { child } of steps) node = node?.open.get(child.index)
    return node ?? null
  }

  async #openIn(holder: OpenNode, child: RawChild): Promise<OpenNode> {
    const node = this.#node(child.at, [...holder.steps, { parent: holder.at, child }])
    if (child.count !== null) node.count = child.count
    node.isWhole = child.end !== null
    holder.open.set(child.index, node)
    const sorted = [...holder.open].toSorted(([a], [b]) => a - b)
    holder.open.clear()
    for (const [index, each] of sorted) holder.open.set(index, each)
    if (!node.isWhole) await this.#learn(node)
    this.#publish()
    return node
  }

  #node(at: number, steps: readonly RawStep[]): OpenNode {
    const pages = new RowPages<RawChild>(PAGE)
    pages.subscribe(() => this.#publish())
    return { at, steps, pages, count: 0, isWhole: false, open: new Map(), rows: 0, version: 0 }
  }

  async #learn(node: OpenNode): Promise<void> {
    try {
      const { count, isWhole } = await this.#request(node.at, 0, 0)
      if (count === node.count && isWhole === node.isWhole) return
      node.count = count
      node.isWhole = isWhole
      this.#publish()
    } catch {
      // Known rows stay; the next request shows the error.
    }
  }

  #publish(): void {
    let error: unknown = null
    const count = (node: OpenNode): number => {
      error ??= node.pages.getSnapshot().error
      node.rows = node.count
      for (const child of node.open.values()) node.rows += count(child)
      return node.rows
    }
    const rows = count(this.#root)
    this.#snapshot.set(this.#shot(rows, error))
  }
}

function endFlights(node: OpenNode): void {
  node.pages.dispose()
  for (const child of node.open.values()) endFlights(child)
}

function hasOpenEnd(node: OpenNode): boolean {
  for (const { rows } of node.pages.getSnapshot().pages.values()) if (rows.some(({ end }) => end === null)) return true
  return false
}

export const isNode = (child: RawChild): boolean => child.kind === 'object' || child.kind === 'list'

/** Row `row` of a node: one of its own children (`node` null), or a row within an open one. */
function childAt(
  node: OpenNode,
  row: number,
): { readonly node: null; readonly index: number } | { readonly node: OpenNode; readonly rest: number } {
  let above = 0
  for (const [index, open] of node.open) {
    if (row <= index + above) break
    if (row <= index + above + open.rows) return { node: open, rest: row - index - above - 1 }
    above += open.rows
  }
  return { node: null, index: row - above }
}
