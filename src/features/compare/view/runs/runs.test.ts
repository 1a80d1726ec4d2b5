import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type { Bottleneck } from '../../../../feeds/server/contract.ts'
import type { LineFigures } from '../../contract.ts'
import { describeBottleneck } from './bottleneck-words.ts'
import { RunLog, runLogOfPage } from './run-log.ts'
import { formatRuns, isOfServer, keptFigures, parseRuns, runOfSource, sourceOfRun, type Run } from './runs.ts'

const estimate = { value: 5, low: 4, high: 6, lowest: 3, highest: null }
const line = (name: string, count: number): LineFigures => ({
  path: `Databases/${name}`,
  name,
  kind: 'JournalWrite',
  count,
  bytes: 100 as Bytes,
  knownTicks: 10 as TickSpan,
  rate: estimate,
  quantiles: [estimate, estimate, estimate],
  unit: 'ticks' as const,
  role: 'duration' as const,
  mean: null,
  atLoad: null,
  max: 9,
  sampleTicks: 0 as TickSpan,
  rollUps: 0,
})
const run = (id: string, savedMs: number, parts: Partial<Run> = {}): Run => ({
  id,
  name: `run ${id}`,
  savedMs,
  from: 'Orders, 7.1.5',
  machine: { cores: 8, memoryGib: null, volumes: 'nvme' },
  workload: 'import',
  bottleneck: 'Disk, 60 %',
  figures: { feed: 'io', startTicks: 0 as Ticks, endTicks: 9 as Ticks, lines: [line('Orders', 12)], left: 0 },
  ...parts,
})

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  vi.stubGlobal('addEventListener', () => undefined)
  return () => vi.unstubAllGlobals()
})

describe('what limited a run', () => {
  it('is what did so longest, of the time that was measured', () => {
    const step = (label: Bottleneck['label'], title: string, from: number, to: number): Bottleneck => ({
      label,
      title,
      startTicks: from as Ticks,
      endTicks: to as Ticks,
      evidence: [],
      competing: [],
      others: [],
    })
    const steps = [step('disk', 'Disk', 0, 30), step('unknown', 'Not measured', 30, 90), step('cpu', 'CPU', 90, 100)]
    expect(describeBottleneck([...steps, step('disk', 'Disk', 100, 130)])).toMatch(
      /^Disk, 85[.\d]* % of the time that was measured$/,
    )
    expect(describeBottleneck(steps.slice(1, 2))).toBe('')
  })
})

describe('runs', () => {
  it('come back from a file as they were', () => {
    expect(parseRuns(formatRuns([run('a', 1), run('b', 2)]))).toEqual([run('a', 1), run('b', 2)])
  })

  it('that were kept before there were figures of the server are still read', () => {
    const { unit: _unit, role: _role, mean: _mean, sampleTicks: _sample, max, ...old } = line('Orders', 12)
    const kept = { ...run('a', 1), figures: { ...run('a', 1).figures, lines: [{ ...old, maxTicks: max }] } }
    expect(parseRuns(formatRuns([kept as unknown as Run]))?.[0]?.figures.lines[0]).toMatchObject(line('Orders', 12))
  })

  it('that were kept with load by part of the range are read without it', () => {
    const atLoad = { load: 2, spread: 1, slope: 0.5, slopeError: 0.01, quantiles: [estimate, estimate, estimate] }
    const of = (lines: readonly LineFigures[]): Run => run('a', 1, { figures: { ...run('a', 1).figures, lines } })
    const kept = formatRuns([of([{ ...line('Orders', 12), atLoad }])])
    expect(parseRuns(kept)?.[0]?.figures.lines[0]?.atLoad).toEqual(atLoad)
    const old = JSON.stringify({ ...(JSON.parse(kept) as object), version: 1 })
    expect(parseRuns(old)).toEqual([of([line('Orders', 12)])])
  })

  it('are not read from something else, and without those that make no sense', () => {
    expect(parseRuns('no')).toBeNull()
    expect(parseRuns('{"runs":[]}')).toBeNull()
    const broken = { ...run('b', 2), figures: { feed: 'io', lines: [{ count: 'many' }] } }
    expect(parseRuns(formatRuns([run('a', 1), broken as unknown as Run]))).toEqual([run('a', 1)])
  })

  it('keep lines with single events, those with most', () => {
    const lines = [...Array.from({ length: 70 }, (_, i) => line(`i${i}`, 70 - i)), line('none', 0)]
    const kept = keptFigures({ ...run('a', 1).figures, lines, left: 3 })
    expect(kept.lines).toHaveLength(60)
    expect(kept.left).toBe(13)
  })

  it('are kept in the browser, newest first, bounded', () => {
    const log = new RunLog()
    expect(log.put([run('a', 1), run('b', 2)])).toBe(0)
    log.put([run('a', 3, { name: 'again' })])
    expect(new RunLog().getSnapshot().runs.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'again'],
      ['b', 'run b'],
    ])
    log.remove('a')
    expect(log.getSnapshot().runs.map(({ id }) => id)).toEqual(['b'])
    expect(log.put(Array.from({ length: 100 }, (_, i) => run(`r${i}`, 10 + i)))).toBe(1)
    expect(log.getSnapshot().runs).toHaveLength(100)
  })

  it('that the browser does not store are kept for this page, and that is known', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      },
    })
    const log = new RunLog()
    expect(log.getSnapshot()).toEqual({ runs: [], isStored: true })
    log.put([run('a', 1)])
    expect(log.getSnapshot()).toEqual({ runs: [run('a', 1)], isStored: false })
    expect(new RunLog().getSnapshot().runs).toEqual([])
  })

  it('that the browser does not store outlast the panel, and what other pages store', () => {
    let [stored, hasRoom] = [formatRuns([run('old', 1)]), false]
    vi.stubGlobal('localStorage', {
      getItem: () => stored,
      setItem: (_key: string, value: string) => {
        if (!hasRoom) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
        stored = value
      },
    })
    let changed: (event: Pick<StorageEvent, 'key'>) => void = () => undefined
    vi.stubGlobal('addEventListener', (_type: string, listener: typeof changed) => {
      changed = listener
    })
    const log = runLogOfPage()
    expect(runLogOfPage()).toBe(log)
    log.put([run('own', 2)])
    const idsOf = (): unknown => [log.getSnapshot().runs.map(({ id }) => id), log.getSnapshot().isStored]
    expect(idsOf()).toEqual([['own', 'old'], false])
    stored = formatRuns([run('other', 3)])
    changed({ key: 'rookery.runs' })
    expect(idsOf()).toEqual([['other', 'own'], false])
    hasRoom = true
    changed({ key: 'rookery.runs' })
    expect(idsOf()).toEqual([['other', 'own'], true])
    expect(parseRuns(stored)?.map(({ id }) => id)).toEqual(['other', 'own'])
    stored = formatRuns([])
    changed({ key: 'rookery.runs' })
    expect(idsOf()).toEqual([[], true])
  })

  it('are sources of links by their id', () => {
    expect(runOfSource(sourceOfRun('x'))).toBe('x')
    expect(runOfSource('db:run')).toBeNull()
  })

  it('take the machine of the server where all sources are of it, and none is a file or a run', () => {
    expect(
      [['db:a', 'db:b'], ['server'], ['file:a'], ['db:a', 'file:a'], [sourceOfRun('x')], []].map(isOfServer),
    ).toEqual([true, true, false, false, false, false])
  })
})
