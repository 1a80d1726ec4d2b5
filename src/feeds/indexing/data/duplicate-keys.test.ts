import { expect, test } from 'vitest'
import type { BatchScratch } from './batches/batch.ts'
import { readBatches } from './reading/decode.ts'
import { OperationNames } from './names.ts'

/** Operations with their times and figures, and what else was reported of the batch. */
function shown({ paths, nodeTicks, nodes, details, id, documentsIn }: BatchScratch, names: OperationNames) {
  return {
    id,
    documentsIn,
    operations: Array.from({ length: nodes }, (_, i) => [names.pathText(paths[i]!), nodeTicks[i]]),
    details: [...details],
  }
}

const batch = (rest: string): string =>
  `{"Results":[{"Name":"A","Performance":[{"Id":1,"Started":"2026-11-20T04:00:00.0000000Z","DurationInMs":1,${rest}}]}]}`
const operation = (name: string, rest = ''): string => `{"Name":"${name}","DurationInMs":1${rest}}`

test.each([
  ['a count', '"InputCount":1,"InputCount":2'],
  ['a tree', `"Details":${operation('Old', `,"Operations":[${operation('x')}]`)},"Details":${operation('New')}`],
  [
    'operations',
    `"Details":${operation('Indexing', `,"Operations":[${operation('Map', `,"Operations":[${operation('x')}]`)}],"Operations":[${operation('Reduce')}]`)}`,
  ],
  [
    'figures',
    `"Details":${operation('Indexing', ',"MapDetails":{"CurrentlyAllocated":5,"AllocationBudget":6},"MapDetails":{"CurrentlyAllocated":7}')}`,
  ],
  ['a figure', `"Details":${operation('Indexing', ',"MapDetails":{"CurrentlyAllocated":5}')}`],
  ['a name', `"Details":{"Name":"Old","Name":"New","DurationInMs":1,"DurationInMs":2}`],
])('of %s that comes again the last counts, as for JSON.parse', (_, rest) => {
  const names = new OperationNames()
  const read = (text: string): unknown[] => {
    const batches: unknown[] = []
    const { first } = readBatches(new TextEncoder().encode(text), names, (_name, each) =>
      batches.push(shown(each, names)),
    )
    expect(first).toBeNull()
    return batches
  }
  const text = batch(rest)
  expect(read(text)).toHaveLength(1)
  expect(read(text)).toEqual(read(JSON.stringify(JSON.parse(text))))
})
