import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames } from '../../../../testing/recorded.ts'
import { readWidget, WIDGETS, type WidgetFrame } from './widgets.ts'

const frames = (line: (typeof RECORDED_LINES)[number]): WidgetFrame[] =>
  recordedFrames(line, 'cluster-dashboard-watch.ndjson')
    .map((text) => readWidget(JSON.parse(text)))
    .filter((frame) => frame !== null)

const first = <Type extends WidgetFrame['type']>(
  line: (typeof RECORDED_LINES)[number],
  type: Type,
): Extract<WidgetFrame, { type: Type }> =>
  frames(line).find((frame) => frame.type === type) as Extract<WidgetFrame, { type: Type }>

describe('readWidget', () => {
  it.each(RECORDED_LINES)('reads every frame of %s', (line) => {
    const types = new Set(frames(line).map(({ type }) => type))
    expect([...types].toSorted()).toEqual(['ServerTime', ...WIDGETS].toSorted())
    expect(frames(line).every(({ atTicks }) => atTicks > 0)).toBe(true)
  })

  it('reads what 7.1 sent', () => {
    expect(first('7.1', 'CpuUsage')).toEqual({
      type: 'CpuUsage',
      atTicks: parseTicks('2026-11-20T04:02:41.3368905Z'),
      cpu: { processPercent: 0, machinePercent: 84, cores: 2, usedCores: 2 },
    })
    expect(first('7.1', 'MemoryUsage').memory).toMatchObject({
      severity: 'None',
      physicalBytes: 25_276_510_208,
      dirtyBytes: 131_072,
    })
    expect(first('7.1', 'StorageUsage').volumes).toMatchObject([
      { mount: '/', label: null, freeBytes: 48_625_377_280, isLow: false, io: { writeBytesPerSecond: 20_429 * 1024 } },
    ])
    expect(first('7.1', 'DatabaseOverview').databases.get('ring')).toMatchObject({ online: false, documents: 50 })
    expect(first('7.1', 'DatabaseStorageUsage').sizes.get('<System>')?.sizeBytes).toBe(67_371_008)
    expect(first('7.1', 'ClusterOverview').node).toMatchObject({ state: 'Leader' })
    const { gc } = first('7.1', 'GcInfo')
    expect(gc.pauseTimePercent).toBe(0.36)
    expect(gc.kinds.map(({ kind, index }) => [kind, index])).toEqual([
      ['Ephemeral', 256],
      ['Background', 246],
      ['FullBlocking', 13],
    ])
    expect(gc.kinds[0]?.heaps.map(({ heap }) => heap)).toEqual(['gen0', 'gen1', 'gen2', 'loh', 'poh'])
  })

  it('an average that 5.4 does not report is unknown, not 0', () => {
    expect(first('5.4', 'Traffic').traffic.averageMs).toBeNull()
    // A sum of four seconds divided by three.
    const rates = recordedFrames('7.1', 'cluster-dashboard-watch.ndjson').flatMap((text) => {
      const { Data } = JSON.parse(text) as { Data: { Type: string; RequestsPerSecond: number } }
      const frame = readWidget(JSON.parse(text))
      return frame?.type === 'Traffic' ? [[Data.RequestsPerSecond, frame.traffic.requestsPerSecond]] : []
    })
    expect(rates.length).toBeGreaterThan(2)
    for (const [reported, shown] of rates) expect(shown).toBe((reported! * 3) / 4)
    expect(first('7.1', 'Traffic').traffic.averageMs).toBeCloseTo(0.917)
  })

  it('passes over widgets that it does not know, also one with a name of the language', () => {
    const Date = '2026-11-20T04:02:41Z'
    expect(readWidget({ Id: 1, Data: { Type: 'OngoingTasks', Date } })).toBeNull()
    expect(readWidget({ Id: 1, Data: { Type: 'constructor', Date } })).toBeNull()
  })

  it('knows no cores before a server has its first database: it sends −1', () => {
    const frame = { Type: 'CpuUsage', Date: '2026-11-20T04:02:41Z', ProcessCpuUsage: 1, MachineCpuUsage: 2 }
    expect(readWidget({ Data: { ...frame, UtilizedCores: -1, NumberOfCores: -1 } })).toMatchObject({
      cpu: { machinePercent: 2, cores: null },
    })
  })

  it('says what is wrong', () => {
    expect(() => readWidget({ Id: 1 })).toThrow('$.Data')
    expect(() => readWidget({ Data: { Type: 'CpuUsage', Date: 'soon' } })).toThrow('a date')
    const Date = '2026-11-20T04:02:41Z'
    expect(() => readWidget({ Data: { Type: 'CpuUsage', Date, ProcessCpuUsage: 'much' } })).toThrow('ProcessCpuUsage')
    expect(() => readWidget({ Data: { Type: 'IoStats', Date, Items: {} } })).toThrow('an array')
  })
})
