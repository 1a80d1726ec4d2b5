import { expect, it } from 'vitest'
import { areOfTwoNodes, placesOf } from './nodes.ts'
import { parseSourceId, sourceLabel, type SourceId } from './state.ts'

const of = (tag: string, folder: string): SourceId => `file:all.zip/2026-11-20 4-12-37 - Node - [${tag}].zip/${folder}`
const labelOf = (id: SourceId): string => {
  const ref = parseSourceId(id)
  return ref === null ? '' : sourceLabel(ref)
}

it('names folders of a cluster’s package by database and node, others by their path', () => {
  expect(labelOf(of('A', 'orders'))).toBe('orders on A · all.zip')
  expect(labelOf(of('B', 'server-wide'))).toBe('Server on B · all.zip')
  expect(labelOf('file:one.zip/orders')).toBe('one.zip/orders')
  expect(labelOf('file:Node - [A].zip/orders')).toBe('Node - [A].zip/orders')
  expect(labelOf('db:Node - [A].zip')).toBe('Node - [A].zip')
})

it('keeps sources of one node together, in the order of their first', () => {
  const sources = [of('B', 'x'), 'db:live', of('A', 'x'), of('B', 'y'), of('A', 'server-wide')]
  const places = placesOf(sources)
  expect(sources.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))).toEqual([
    of('B', 'x'),
    of('B', 'y'),
    'db:live',
    of('A', 'x'),
    of('A', 'server-wide'),
  ])
})

it('knows two servers by their nodes alone', () => {
  expect(areOfTwoNodes(of('A', 'x'), of('B', 'x'))).toBe(true)
  expect(areOfTwoNodes(of('A', 'x'), of('A', 'y'))).toBe(false)
  expect(areOfTwoNodes(of('A', 'x'), 'db:x')).toBe(false)
})
