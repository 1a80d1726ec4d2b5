import fc from 'fast-check'
import { expect } from 'vitest'
import { law } from '../../../testing/law.ts'
import { Trie } from './trie.ts'

law(
  'shares what paths have in common, and gives each path back',
  [fc.array(fc.array(fc.nat(4), { maxLength: 12 }), { maxLength: 200 })],
  (paths) => {
    const trie = new Trie(2)
    const nodes = paths.map((path) => path.reduce((node, frame) => trie.child(node, frame), 0))
    paths.forEach((path, i) => {
      expect(trie.path(nodes[i]!).toReversed()).toEqual(path)
      expect(trie.depth(nodes[i]!)).toBe(path.length)
      expect(path.reduce((node, frame) => trie.child(node, frame), 0)).toBe(nodes[i])
    })
    expect(new Set(nodes).size).toBe(new Set(paths.map((path) => path.join())).size)
    for (let node = 1; node < trie.length; node++) expect(trie.parent(node)).toBeLessThan(node)
  },
)

law(
  'knows children of a node, and which frames call themselves',
  [fc.array(fc.array(fc.nat(4), { maxLength: 12 }), { maxLength: 200 })],
  (stacks) => {
    const trie = new Trie(2)
    for (const stack of stacks) {
      const node = trie.add(stack)
      expect(trie.path(node)).toEqual(stack)
    }
    const children = new Map<number, number[]>()
    for (let node = 1; node < trie.length; node++) {
      children.set(trie.parent(node), [...(children.get(trie.parent(node)) ?? []), node])
      expect(trie.repeats[node]).toBe(trie.path(trie.parent(node)).includes(trie.frame(node)) ? 1 : 0)
    }
    for (let node = 0; node < trie.length; node++) {
      const listed: number[] = []
      for (let child = trie.newest[node]!; child !== 0; child = trie.older[child]!) listed.push(child)
      expect(listed.toReversed()).toEqual(children.get(node) ?? [])
    }
  },
)
