import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../base/ticks.ts'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { RECORDED_LINES, recordedJson } from '../../testing/recorded.ts'
import { Governor } from '../governor/governor.ts'
import { DETAILS } from './database-details.ts'
import { readEnvironments, sumOfStorage, readUnloadedEnvironments } from './environments.ts'
import { readTasks } from './ongoing-tasks.ts'

const signal = new AbortController().signal

describe('storage environments', () => {
  it.each(RECORDED_LINES)('of an unloaded database are read from the list of %s', (line) => {
    const { Databases: all } = recordedJson(line, 'databases.json') as {
      Databases: { Name: string; UpTime: string | null }[]
    }
    for (const entry of all) {
      // 5.4 answers a request for one with the entry itself.
      const environments = readUnloadedEnvironments(line === '5.4' ? entry : { Databases: [entry] })
      expect([entry.Name, environments.length > 0]).toEqual([entry.Name, entry.UpTime === null])
      expect(
        environments.filter(({ dataBytes, volumeFreeBytes }) => !(dataBytes > 0) || volumeFreeBytes === null),
      ).toEqual([])
    }
  })

  const file = (bytes: number) => ({ AllocatedSpaceInBytes: bytes, UsedSpaceInBytes: bytes - 10, FreeSpaceInBytes: 10 })
  const REPORT = {
    Results: [
      { Name: 'A', Type: 'Index', Report: { DataFile: file(100), Journals: [], TempFiles: [] } },
      {
        Name: 'shop',
        Type: 'Documents',
        Report: {
          DataFile: file(900),
          Journals: [{ AllocatedSpaceInBytes: 7 }, { AllocatedSpaceInBytes: 8 }],
          TempFiles: [{ AllocatedSpaceInBytes: 64 }],
        },
      },
    ],
  }

  it('of a loaded one are its own report, largest first', () => {
    expect(readEnvironments(REPORT)).toMatchObject([
      { name: 'shop', type: 'Documents', dataBytes: 900, freeBytes: 10, journalBytes: 15, tempBytes: 64 },
      { name: 'A', type: 'Index', dataBytes: 100, freeBytes: 10, journalBytes: 0, tempBytes: 0 },
    ])
    expect(sumOfStorage(readEnvironments(REPORT))).toEqual({ bytes: 1015, tempBytes: 64 })
  })

  it('of an unloaded one that the list does not report are not known, and nothing is loaded', async () => {
    const raven = new FakeRaven()
    raven.databases.set('shop', 'unloaded')
    raven.on(/^\/databases\?name=/, () => ({ Databases: [{ Name: 'shop', UpTime: null }] }))
    raven.on(/storage\/report/, () => REPORT)
    const governor = new Governor(raven.env)
    expect(await DETAILS.environments(governor, { database: 'shop' }, signal)).toEqual({ loaded: false })
    expect(raven.loads).toEqual([])
    expect(await DETAILS.environments(governor, { database: 'shop', load: true }, signal)).toMatchObject({
      loaded: true,
      environments: [{ name: 'shop' }, { name: 'A' }],
    })
  })
})

describe('ongoing tasks', () => {
  const BACKUP = {
    TaskId: 74,
    TaskType: 'Backup',
    ResponsibleNode: { NodeTag: null },
    TaskState: 'Disabled',
    TaskConnectionStatus: 'NotActive',
    TaskName: 'nightly',
    Error: null,
    LastFullBackup: '2026-11-22T00:39:54.0325147Z',
    NextBackup: { DateTime: '2026-11-23T02:00:00.0000000Z' },
  }

  it.each(['OngoingTasks', 'OngoingTasksList'])('are read from %s, as the version calls it', (field) => {
    expect(readTasks({ [field]: [BACKUP] })).toEqual({
      total: 1,
      tasks: [
        {
          id: 74,
          name: 'nightly',
          type: 'Backup',
          state: 'Disabled',
          connection: 'NotActive',
          node: null,
          error: null,
          subscription: null,
          lastFullTicks: parseTicks('2026-11-22T00:39:54.0325147Z'),
          lastIncrementalTicks: null,
          nextTicks: parseTicks('2026-11-23T02:00:00.0000000Z'),
        },
      ],
    })
  })
})
