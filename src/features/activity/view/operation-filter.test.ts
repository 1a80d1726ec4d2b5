import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../ravendb/operations-wire.ts'
import { choicesOf, filterOperations, NO_FILTER, OF_SERVER, type OperationFilter } from './operation-filter.ts'
import { formatSettings, parseSettings } from './params.ts'

const operation = (id: number, parts: Partial<Operation>): Operation => ({
  database: 'shop',
  id,
  task: 'UpdateByQuery',
  description: '',
  query: null,
  startTicks: null,
  endTicks: null,
  isKillable: false,
  status: 'Completed',
  text: '',
  share: null,
  processed: null,
  total: null,
  batches: null,
  ...parts,
})
const ALL = [
  operation(1, { query: 'from Orders update {}' }),
  operation(2, { database: 'other', task: 'DatabaseExport' }),
  operation(3, { database: null, task: 'DatabaseCompact', text: 'Disk full' }),
]
const idsOf = (parts: Partial<OperationFilter>): number[] =>
  filterOperations(ALL, { ...NO_FILTER, ...parts }).map(({ id }) => id)

describe('the filter of operations', () => {
  it('holds back other databases, types and texts', () => {
    expect(idsOf({})).toEqual([1, 2, 3])
    expect(idsOf({ database: 'other' })).toEqual([2])
    expect(idsOf({ database: OF_SERVER })).toEqual([3])
    expect(idsOf({ task: 'UpdateByQuery' })).toEqual([1])
    expect(idsOf({ find: ' orders ' })).toEqual([1])
    expect(idsOf({ find: 'compaction' })).toEqual([3])
    expect(idsOf({ find: 'disk FULL' })).toEqual([3])
    expect(idsOf({ database: 'other', find: 'disk' })).toEqual([])
  })

  it('offers what is listed, and what a link means though it is not', () => {
    expect(choicesOf(ALL, { ...NO_FILTER, database: 'gone' })).toEqual({
      databases: [OF_SERVER, 'gone', 'other', 'shop'],
      tasks: ['DatabaseCompact', 'DatabaseExport', 'UpdateByQuery'],
    })
  })

  it('is kept in links', () => {
    const settings = parseSettings({ 'activity.view': 'operations', 'activity.database': '$', 'activity.find': 'x y' })
    expect(settings.filter).toEqual({ database: OF_SERVER, task: '', find: 'x y' })
    expect(parseSettings(formatSettings(settings))).toEqual(settings)
  })
})
