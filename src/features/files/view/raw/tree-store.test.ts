import fc from 'fast-check'
import { expect, test } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { RawDocument } from '../../../../capture/raw/document.ts'
import type { RawStep } from '../../../../capture/raw/queries.ts'
import { formatPath } from './raw-path.ts'
import { TreeStore, isNode } from './tree-store.ts'
import type { TreeRow } from './tree-store.ts'

const NEVER = new AbortController().signal

async function treeOf(text: string) {
  const document = new RawDocument(() => Promise.resolve({ blob: new Blob([text]) }))
  while (!document.status().isWhole) await new Promise((done) => setTimeout(done, 1))
  const store = new TreeStore((at, first, count, signal) =>
    document.children({ file: 0, entry: null, at, first, count }, signal ?? NEVER),
  )
  await store.refresh(document.status())
  return { document, store }
}

/** Every row, fetched. */
async function rowsOf(store: TreeStore): Promise<TreeRow[]> {
  for (;;) {
    const { rows, rowAt } = store.getSnapshot()
    store.want(0, rows)
    const all = Array.from({ length: rows }, (_, row) => rowAt(row)!)
    if (all.every(({ child }) => child !== null)) return all
    await new Promise((done) => setTimeout(done, 1))
  }
}

const stepsOf = (row: TreeRow): readonly RawStep[] => [
  ...row.parent,
  { parent: row.parent.at(-1)?.child.at ?? -1, child: row.child! },
]

/** Expected rows: depth and path of all that is open, the plain way. */
function naive(value: unknown, path: string, isOpen: (path: string) => boolean, depth = 0): string[] {
  const own = `${depth} ${path}`
  if (typeof value !== 'object' || value === null || !isOpen(path)) return [own]
  const children = Array.isArray(value)
    ? value.map((child, i) => naive(child, `${path}[${i}]`, isOpen, depth + 1))
    : Object.entries(value).map(([key, child]) => naive(child, `${path}.${key}`, isOpen, depth + 1))
  return [own, ...children.flat()]
}

const keys = fc.stringMatching(/^[a-z]{1,3}$/)
const json = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.nat(9),
    fc.array(tie('node'), { maxLength: 5 }),
    fc.dictionary(keys, tie('node'), { maxKeys: 5 }),
  ),
})).node

law(
  'rows are all that is open, from top to bottom, whatever was opened and closed in which order',
  [json, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 25 })],
  { numRuns: 60 },
  async (value, turns) => {
    const { store } = await treeOf(JSON.stringify(value))
    const open = new Set<string>()
    for (const [seed, opens] of turns) {
      const rows = await rowsOf(store)
      const row = rows[seed % rows.length]!
      if (!isNode(row.child!)) continue
      const path = formatPath(stepsOf(row), true)
      if (opens) {
        await store.open(row)
        open.add(path)
      } else {
        store.close(row)
        // Nodes inside of it that were open are closed with it.
        for (const each of open)
          if (each === path || each.startsWith(`${path}.`) || each.startsWith(`${path}[`)) open.delete(each)
      }
    }
    const rows = await rowsOf(store)
    expect(rows.map((row) => `${row.depth} ${formatPath(stepsOf(row), true)}`)).toEqual(
      naive(value, '$', (path) => open.has(path)),
    )
    const { rowOf } = store.getSnapshot()
    rows.forEach((row, i) => expect(rowOf(stepsOf(row))).toBe(i))
  },
)

test('a byte is revealed by opening all that it lies in', async () => {
  const text = JSON.stringify({ a: 1, list: Array.from({ length: 300 }, (_, n) => ({ n, deep: [[n]] })) })
  const { document, store } = await treeOf(text)
  const steps = await document.path(text.indexOf('[[250]]') + 2, NEVER)
  const row = await store.reveal(steps)
  expect(formatPath(steps, true)).toBe('$.list[250].deep[0][0]')
  expect((await rowsOf(store))[row!]).toMatchObject({ depth: 5, child: { preview: '250' } })
})

test('paths: names that are no identifiers stand in quotes, several documents have a number', async () => {
  const text = '{"a b":{"ü":[{"":1}]}}\n{"a":2}'
  const { document } = await treeOf(text)
  expect(formatPath(await document.path(text.indexOf('1}'), NEVER), false)).toBe('$[0]["a b"].ü[0][""]')
  expect(formatPath(await document.path(text.indexOf('2}'), NEVER), false)).toBe('$[1].a')
})
