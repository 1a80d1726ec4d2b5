import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Trie } from './trie.ts'

it('shares what paths have in common, and gives each path back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(4), { maxLength: 12 }), { maxLength: 200 }), (paths) => {
      const trie = new Trie(2)
      const nodes = paths.map((path) => path.reduce((node, frame) => trie.child(node, frame), 0))
      paths.forEach((path, i) => {
        expect(trie.path(nodes[i]!).toReversed()).toEqual(path)
        expect(trie.depth(nodes[i]!)).toBe(path.length)
        expect(path.reduce((node, frame) => trie.findChild(node, frame), 0)).toBe(nodes[i])
      })
      expect(new Set(nodes).size).toBe(new Set(paths.map((path) => path.join())).size)
      for (let node = 1; node < trie.length; node++) expect(trie.parent(node)).toBeLessThan(node)
    }),
  )
})

it('knows what lies below a node', () => {
  const trie = new Trie()
  const a = trie.child(0, 7)
  const b = trie.child(a, 8)
  const other = trie.child(0, 9)
  expect([trie.isWithin(b, a), trie.isWithin(b, 0), trie.isWithin(a, b), trie.isWithin(other, a)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(trie.findChild(0, 3)).toBe(-1)
})
