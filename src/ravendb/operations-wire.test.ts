import { describe, expect, it } from 'vitest'
import { asObject } from '../base/json/check.ts'
import { recordedJson } from '../testing/recorded.ts'
import {
  newestFirst,
  readOperationChanged,
  readOperations,
  readOperationState,
  taskWords,
  withState,
} from './operations-wire.ts'

describe('operations as the server lists them', () => {
  it.each([
    ['7.1', ['7 DeleteByQuery: Processed 500 items.', '4 UpdateByQuery: Processed 1,000 items.']],
    ['5.4', ['6 DeleteByCollection: Processed 1,501 items.']],
  ] as const)('%s: newest first, with their result', (line, words) => {
    const operations = newestFirst(readOperations(recordedJson(line, 'operations.json'), 'shop'))
    expect(operations.map(({ id, task, text }) => `${id} ${task}: ${text}`)).toEqual(words)
    for (const { database, status, startTicks, endTicks, share } of operations) {
      expect({ database, status, share }).toEqual({ database: 'shop', status: 'Completed', share: null })
      expect(endTicks).toBeGreaterThan(startTicks ?? Number.NaN)
    }
  })

  it('have the text of the query that they patch or delete by', () => {
    const [first] = readOperations(recordedJson('7.1', 'operations.json'), 'shop')
    expect(first?.query).toBe('from Ts where N < 1000 update { this.P = 1 }')
  })

  it('of the server come by its notifications, and are brought up to date by a state', () => {
    const started = readOperationChanged(asObject(recordedJson('7.1', 'operation-changed.json'), '$'))
    expect(started).toMatchObject({
      database: null,
      id: 11,
      task: 'DatabaseCompact',
      status: 'InProgress',
      isKillable: true,
      share: null,
      text: 'Started database compaction for shop',
    })
    const done = withState(started, readOperationState(recordedJson('7.1', 'compact-operation-state-done.json')))
    expect(done).toMatchObject({ status: 'Completed', id: 11, share: null })
    const failed = withState(started, readOperationState(recordedJson('6.2', 'compact-operation-state-done.json')))
    expect(failed).toMatchObject({ status: 'Faulted', text: 'Compact is not supported for Corax indexes.' })
  })

  it('say how far they are where the server does', () => {
    const state = (progress: object) =>
      withState(
        readOperations(recordedJson('7.1', 'operations.json'), 'shop')[0]!,
        readOperationState({ Progress: progress, Result: null, Status: 'InProgress' }),
      )
    expect(state({ Processed: 1200, Total: 6000 })).toMatchObject({ share: 0.2, text: '1,200 of 6,000 processed.' })
    expect(state({ Total: 4096 })).toMatchObject({ share: null, text: '4,096 processed.' })
    // As 7.1.5 reports a bulk insert.
    expect(
      state({ Total: 2600, BatchCount: 13, LastProcessedId: 'bulk/2600', DocumentsProcessed: 2600 }),
    ).toMatchObject({
      share: null,
      processed: 2600,
      total: null,
      batches: 13,
      text: '2,600 items in 13 batches.',
    })
    expect(state({ Documents: { ReadCount: 1063 } })).toMatchObject({ share: null, text: '1,063 documents read.' })
    expect(state({})).toMatchObject({ share: null, text: 'It is running.' })
  })
})

describe('names of tasks', () => {
  it.each([
    ['UpdateByQuery', 'Patch by query'],
    ['TransactionsRecording', 'Transactions recording'],
    ['', 'Operation'],
    ['constructor', 'constructor'],
  ])('%s → %s', (task, words) => expect(taskWords(task)).toBe(words))
})
