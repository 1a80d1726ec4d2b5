import fc from 'fast-check'
import { expect } from 'vitest'
import { law } from '../../testing/law.ts'
import { Heap } from './heap.ts'

/** Pushes a number, takes the first away, or makes it come later by so much. */
const step = fc.oneof(
  fc.record({ push: fc.integer({ min: -20, max: 20 }) }),
  fc.constant({ pop: true }),
  fc.record({ later: fc.nat(30) }),
)

law('the first is at hand after any pushes, pops and changes of it', [fc.array(step)], (steps) => {
  const heap = new Heap<{ value: number }>((a, b) => a.value < b.value)
  let model: number[] = []
  for (const next of steps) {
    if ('push' in next) {
      heap.push({ value: next.push })
      model.push(next.push)
    } else if ('pop' in next) {
      heap.pop()
      model = model.slice(1)
    } else if (heap.top !== undefined) {
      heap.top.value += next.later
      heap.sink()
      model[0] = (model[0] ?? 0) + next.later
    }
    model = model.toSorted((a, b) => a - b)
    expect([heap.size, heap.top?.value]).toEqual([model.length, model[0]])
  }
})
