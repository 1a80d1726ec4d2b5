import { describe, expect, it } from 'vitest'
import { RECORDED_LINES, recordedJson } from '../../../testing/recorded.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { clusterLogResponses, mergeCommands } from './log.ts'
import type { ClusterLog } from '../contract.ts'
import { transferables } from '../../../capture/client/protocol.ts'
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

  it('stays when the server is gone, with the reason', async () => {
    const answers = [recordedJson('7.1', 'cluster-log.json'), null]
    const governor = {
      json: () => {
        const answer = answers.shift()
        return answer ? Promise.resolve(answer) : Promise.reject(new RavenError({ kind: 'network', endpoint: '/log' }))
      },
    } as unknown as Governor
    const { responses } = clusterLogResponses()
    // As the page receives it: what is transferred is gone in the worker.
    const read = async (): Promise<ClusterLog> => {
      const log = (await responses['clusterLog.read']?.(null, governor, new AbortController().signal)) as ClusterLog
      return structuredClone(log, { transfer: transferables(log) })
    }
    const first = await read()
    expect(first.failure).toBeNull()
    const { failure, ...later } = await read()
    expect(later).toEqual({ ...first, failure: undefined })
    expect(failure?.kind).toBe('network')
    const none = clusterLogResponses().responses
    await expect(none['clusterLog.read']?.(null, governor, new AbortController().signal)).rejects.toThrow(
      'did not answer',
    )
  })
})
