import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_MS } from '../../../base/ticks.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import { cardResponse } from './responses/card.ts'
import { MOST_LISTED } from './responses/largest.ts'
import { operationsResponse } from './responses/operations.ts'
import { FURTHER_OPERATIONS, MOST_NODES } from '../contract/limits.ts'
import { readBatches } from './reading/decode.ts'
import { NO_FILTER } from '../contract/batches.ts'
import { indexKey } from './index-table.ts'
import { BatchStore } from './table.ts'

const OPERATIONS = 10_000
const startTicks = parseTicks('2026-11-20T04:00:00Z')
const index = indexKey('f', 'Orders')

/** Batch with operations below Map of 0.1 ms each, each with one inside of it. */
const bytes = bytesOf({
  Results: [
    {
      Name: 'Orders',
      Performance: [
        {
          Id: 1,
          Started: '2026-11-20T04:00:00.0000000Z',
          Completed: '2026-11-20T04:00:02.0000000Z',
          DurationInMs: OPERATIONS / 10,
          InputCount: 1,
          Details: {
            Name: 'Indexing',
            DurationInMs: OPERATIONS / 10,
            Operations: [
              {
                Name: 'Map',
                DurationInMs: OPERATIONS / 10,
                Operations: Array.from({ length: OPERATIONS }, (_, i) => ({
                  Name: `Collection_${i}`,
                  DurationInMs: 0.1,
                  Operations: [{ Name: 'Linq', DurationInMs: 0.05, Operations: [] }],
                })),
              },
              { Name: 'Storage/Commit', DurationInMs: 0, Operations: [] },
            ],
          },
        },
      ],
    },
  ],
})

test('a batch of very many operations keeps its time and its count', async () => {
  const store = new BatchStore()
  const ingest = store.begin('f', Number.NaN)
  expect(readBatches(bytes, store.names, ingest.take)).toEqual({ count: 0, first: null })
  ingest.end(true)
  const range = { startTicks, endTicks: (startTicks + 10_000 * TICKS_PER_MS) as typeof startTicks }
  const params = { ...range, indexes: [index], filter: NO_FILTER }
  const response = await operationsResponse(store, params, new AbortController().signal)
  expect(response.operations.length).toBeLessThan(2 * MOST_LISTED)
  // Nodes are the root, Map, pairs of operations, then what represents the others.
  const kept = (MOST_NODES - 2) / 2
  expect(response.leftOut).toBe(2 * (OPERATIONS - kept) + 1)
  const further = response.operations.find(({ name, parent }) => name === FURTHER_OPERATIONS && parent >= 0)
  expect(further?.totalTicks).toBe((OPERATIONS - kept) * 1000)
  const self = response.operations.reduce((sum, { selfTicks }) => sum + selfTicks, 0)
  expect(self + response.unlisted.selfTicks + response.otherTicks).toBe(response.busyTicks)

  const card = cardResponse(store, { index, startTicks, id: 1 })
  expect(card?.operations.length).toBeLessThan(2 * MOST_LISTED)
  expect(card?.operationsLeftOut).toBe(response.leftOut)
  expect((card?.operations.length ?? 0) + (card?.unlisted.count ?? 0)).toBeGreaterThanOrEqual(MOST_NODES)
})
