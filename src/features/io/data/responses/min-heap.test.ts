import fc from 'fast-check'
import { expect } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { MinHeap } from './min-heap.ts'

law(
  'the least is at hand after any pushes and pops',
  [fc.array(fc.option(fc.integer({ min: -20, max: 20 })))],
  (steps) => {
    const heap = new MinHeap()
    let model: number[] = []
    for (const value of steps) {
      if (value === null) heap.pop()
      else heap.push(value)
      model = value === null ? model.slice(1) : [...model, value].toSorted((a, b) => a - b)
      expect([heap.size, heap.least]).toEqual([model.length, model[0] ?? Number.POSITIVE_INFINITY])
    }
  },
)
