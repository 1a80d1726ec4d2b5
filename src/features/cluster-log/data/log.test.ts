import { describe, expect, it } from 'vitest'
import { RECORDED_LINES, recordedJson } from '../../../testing/recorded.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { mergeCommands } from './log.ts'
import { readClusterLog, type ClusterCommand } from './wire.ts'

describe('the cluster log', () => {
  it.each(RECORDED_LINES)('of %s is read with its kinds, times and commit index', (line) => {
    const log = readClusterLog(recordedJson(line, 'cluster-log.json'))
    const kinds = log.commands.map(({ kind }) => kind)
    expect(kinds).toContain('AddDatabase')
    expect(kinds).toContain('Noop')
    expect(log).toMatchObject({
      node: 'A',
      role: 'Leader',
      term: 1,
      commitIndex: log.commands.length,
      criticalError: null,
    })
    for (const { atTicks } of log.commands) expect(atTicks).toBeLessThanOrEqual(log.nowTicks)
  })

  const at = (index: number, atTicks = index * 10): ClusterCommand => ({
    index,
    term: 1,
    atTicks: atTicks as Ticks,
    kind: 'Noop',
  })

  it('keeps what the server has truncated, and drops what another log replaced', () => {
    expect(mergeCommands([at(1), at(2)], [at(3), at(2)]).map(({ index }) => index)).toEqual([1, 2, 3])
    expect(mergeCommands([at(1), at(2)], [])).toHaveLength(2)
    expect(mergeCommands([at(1), at(2)], [at(2, 25)]).map(({ atTicks }) => atTicks)).toEqual([25])
    expect(mergeCommands([at(1, 900)], [at(5)]).map(({ index }) => index)).toEqual([5])
  })
})
