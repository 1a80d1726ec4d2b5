import { expect, it } from 'vitest'
import { changesSince, readDatabaseCounts } from './counts.ts'
import { readTasks } from './ongoing-tasks.ts'

/* As 7.1.5 responded. */
const STATS = {
  CountOfDocuments: 290,
  CountOfRevisionDocuments: 12,
  CountOfTombstones: 3,
  CountOfDocumentsConflicts: 0,
  CountOfAttachments: 0,
  CountOfCounterEntries: 0,
  CountOfTimeSeriesSegments: 0,
  DatabaseId: '+NWii+F6N0+EydlNhXFmrA',
  LastDocEtag: 290,
  LastDatabaseEtag: 302,
}
const TASK = {
  TaskId: 7,
  TaskType: 'Subscription',
  ResponsibleNode: { NodeTag: 'A' },
  TaskState: 'Enabled',
  TaskConnectionStatus: 'NotActive',
  TaskName: 'sub1',
  Error: null,
  ChangeVectorForNextBatchStartingPoint: 'A:290-+NWii+F6N0+EydlNhXFmrA',
  LastBatchAckTime: '2026-11-28T03:38:06.9297713Z',
  LastClientConnectionTime: null,
}

it('reads the counts of a database, and how far a subscription is', () => {
  const counts = readDatabaseCounts(STATS)
  expect(counts).toMatchObject({ revisions: 12, tombstones: 3, lastEtag: 302 })
  const [task] = readTasks({ OngoingTasks: [TASK] }).tasks
  expect(task?.subscription).toMatchObject({
    connectedTicks: null,
    sent: TASK.ChangeVectorForNextBatchStartingPoint,
  })
  expect(task?.subscription?.acknowledgedTicks).toBeGreaterThan(0)
  expect(changesSince(task?.subscription?.sent ?? null, counts)).toBe(12)
  // Nothing was sent yet: all changes wait.
  expect(changesSince(null, counts)).toBe(302)
  expect(changesSince('B:5-other, A:300-+NWii+F6N0+EydlNhXFmrA', counts)).toBe(2)
  expect(changesSince('B:5-other', counts)).toBeNull()
  expect(changesSince(null, readDatabaseCounts({}))).toBeNull()
  expect(readTasks({ OngoingTasks: [{ ...TASK, TaskType: 'Backup' }] }).tasks[0]?.subscription).toBeNull()
  // 5.4 fills in nothing, whatever was sent.
  const unfilled = { ...TASK, SubscriptionId: 0, ChangeVectorForNextBatchStartingPoint: null, LastBatchAckTime: null }
  expect(readTasks({ OngoingTasksList: [unfilled] }).tasks[0]).toMatchObject({ name: 'sub1', subscription: null })
})
