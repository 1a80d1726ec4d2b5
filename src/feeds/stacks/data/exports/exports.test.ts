import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { describe, expect, it, test } from 'vitest'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import { Pieces } from '../../../../capture/exporting/pieces.ts'
import { recordedJson } from '../../../../testing/recorded.ts'
import { FrameTable } from '../frames.ts'
import type { StacksExportId, StacksExportParams } from '../../contract/samples.ts'
import { StackStore } from '../table.ts'
import { readStackDocuments } from '../live/wire.ts'
import { countExport, stackExporters } from './exporters.ts'
import { STACK_FORMATS } from '../../contract/formats.ts'
import { formatSpan } from './studio-json.ts'

function stage(...names: readonly string[]) {
  const store = new StackStore()
  const add = (document: unknown) => {
    const [read] = readStackDocuments(document, store.frames)
    return store.add(read!, { source: 'server', origin: 'file', cost: null, series: null })
  }
  for (const name of names) add(recordedJson('7.1', `stack-trace-${name}.json`))
  return { store, add }
}

const paramsOf = (store: StackStore, parts: Partial<StacksExportParams> = {}): StacksExportParams => ({
  samples: { snapshots: [...store.snapshots.keys()], jobs: null, waits: null },
  weight: 'samples',
  fold: false,
  ...parts,
})

async function bytesOf(store: StackStore, id: StacksExportId, of = paramsOf(store)): Promise<Uint8Array> {
  const plan = await stackExporters(store)[id](of)
  const out = new Pieces()
  const parts: Uint8Array[] = []
  let rows = 0
  for (const done of plan.steps(out) as ExportSteps) {
    expect(done).toBeGreaterThanOrEqual(rows)
    rows = done
    for (let piece = out.take(); piece !== null; piece = out.take()) parts.push(piece)
  }
  for (let piece = out.finish(); piece !== null; piece = out.finish()) parts.push(piece)
  expect(rows).toBe(plan.rows)
  return Buffer.concat(parts)
}

const textOf = async (store: StackStore, id: StacksExportId, of?: StacksExportParams) =>
  new TextDecoder().decode(await bytesOf(store, id, of))

describe('formats', () => {
  it('has an exporter for each', () => {
    expect(Object.keys(stackExporters(new StackStore()))).toEqual(STACK_FORMATS.map(({ id }) => id))
  })

  test.each(STACK_FORMATS.map(({ id }) => id))('%s of nothing is still a document', async (id) => {
    const { store } = stage()
    await expect(bytesOf(store, id)).resolves.toBeInstanceOf(Uint8Array)
  })

  it('counts what goes out', () => {
    const { store } = stage('writing', 'idle')
    expect(countExport(store, paramsOf(store))).toEqual({
      snapshots: 2,
      samples: 60,
      frames: expect.any(Number) as number,
    })
  })
})

describe('JSON', () => {
  const normal = (document: unknown) => {
    const frames = new FrameTable()
    return readStackDocuments(document, frames).map((read) => ({
      nodeTag: read.nodeTag,
      atTicks: read.atTicks,
      problems: read.problems,
      entries: read.entries.map((entry) => ({
        ids: entry.threadIds,
        pseudo: entry.pseudo,
        frames: entry.frames.map((id) => frames.text(id)),
      })),
      threads: read.threads
        .map((thread) => ({ ...thread, cpuPercent: Math.fround(thread.cpuPercent), io: thread.io === null }))
        .toSorted((a, b) => a.id - b.id),
    }))
  }

  test.each(['idle', 'indexing', 'writing', 'threadId'])('of %s reads as what the server sent', async (name) => {
    const { store } = stage(name)
    const text = await textOf(store, 'stacks.json')
    expect(normal(JSON.parse(text))).toEqual(normal(recordedJson('7.1', `stack-trace-${name}.json`)))
  })

  it('has what the official Studio reads: Results with ThreadIds and StackTrace, Threads with Id, Name, CpuUsage', async () => {
    const { store } = stage('writing')
    const { Results, Threads } = JSON.parse(await textOf(store, 'stacks.json')) as {
      Results: { ThreadIds: number[]; StackTrace: string[] }[]
      Threads: { Id: number; Name: string; CpuUsage: number; State: number }[]
    }
    expect(Results.every(({ ThreadIds, StackTrace }) => ThreadIds.length > 0 && StackTrace[0]!.length > 0)).toBe(true)
    expect(Threads.find(({ Name }) => Name === "'bench' TxMT")).toMatchObject({
      State: 2,
      CpuUsage: Math.fround(3.58094824524136),
    })
  })

  it('of several snapshots is a document a line; of one job only that job', async () => {
    const { store } = stage('writing', 'idle')
    const lines = (await textOf(store, 'stacks.json')).trim().split('\n')
    expect(lines).toHaveLength(2)
    const of = paramsOf(store, { samples: { ...paramsOf(store).samples, jobs: ['merger:bench'] } })
    const only = JSON.parse((await textOf(store, 'stacks.json', of)).split('\n')[0]!) as {
      Results: unknown[]
      Threads: unknown[]
    }
    expect([only.Results.length, only.Threads.length]).toEqual([1, 1])
  })

  test.each([
    [0, '00:00:00'],
    [3810, '00:00:03.8100000'],
    [0.0001, '00:00:00.0000001'],
    [90_061_000, '1.01:01:01'],
    [Number.NaN, null],
    [-1, null],
  ])('a span of %d ms is %s', (ms, text) => {
    expect(formatSpan(ms)).toBe(text)
  })
})

describe('text', () => {
  it('is a heading, what it does, and its frames', async () => {
    const { store } = stage('writing')
    const text = await textOf(store, 'stacks.text')
    expect(text).toContain('# Stacks of node A, 2026-11-20T03:48:26.3055371Z: 33 threads\n')
    expect(text).toMatch(
      /\nThread \d+ "'bench' TxMT", Running, 3\.58 % of all cores\n {2}Transaction merger of bench · Writes the journal · waits for the disk: journal write\n {4}CPU_TIME\n {4}Voron!Voron\.Impl\.Journal\.JournalWriter\.Write/,
    )
  })

  it('lets no name begin a line of its own', async () => {
    const { store, add } = stage()
    add({
      Results: [{ ThreadIds: [1], StackTrace: ['a\nThread 7 "fake"', 'b;c'] }],
      Threads: [{ Id: 1, Name: 'x\nThread 8' }],
    })
    expect((await textOf(store, 'stacks.text')).match(/^Thread/gm)).toHaveLength(1)
    expect(await textOf(store, 'stacks.folded')).toBe('b:c;a\\nThread 7 "fake" 1\n')
  })
})

describe('folded stacks', () => {
  it('have every sample, root first', async () => {
    const { store } = stage('writing', 'writing')
    const lines = (await textOf(store, 'stacks.folded')).trim().split('\n')
    const sum = lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
    expect(sum).toBe(66)
    expect(lines.find((line) => line.includes('JournalWriter.Write'))).toMatch(
      /^System\.Private\.CoreLib!.*;Voron!Voron\.Impl\.Journal\.JournalWriter\.Write\(int64,unsigned int8\*,int32\) 2$/,
    )
    const threads = (await textOf(store, 'stacks.folded', paramsOf(store, { weight: 'threads', fold: true })))
      .trim()
      .split('\n')
    expect(threads.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)).toBeCloseTo(33)
  })
})

describe('speedscope', () => {
  it('is what its schema wants', async () => {
    const { store } = stage('writing', 'indexing')
    const file = JSON.parse(await textOf(store, 'stacks.speedscope', paramsOf(store, { weight: 'cpu' }))) as {
      $schema: string
      shared: { frames: { name: string; file?: string }[] }
      profiles: {
        type: string
        name: string
        unit: string
        startValue: number
        endValue: number
        samples: number[][]
        weights: number[]
      }[]
    }
    expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json')
    expect(file.shared.frames.every(({ name }) => name !== '')).toBe(true)
    expect(file.profiles[0]!.name).toBe('All jobs')
    expect(file.profiles.map(({ name }) => name)).toContain('Index Orders/Js of bench')
    for (const { type, unit, samples, weights, startValue, endValue } of file.profiles) {
      expect([type, unit, startValue, samples.length]).toEqual(['sampled', 'none', 0, weights.length])
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(endValue)
      expect(samples.flat().every((frame) => frame >= 0 && frame < file.shared.frames.length)).toBe(true)
    }
    const [all, ...jobs] = file.profiles.map(({ endValue }) => endValue)
    expect(jobs.reduce((a, b) => a + b, 0)).toBeCloseTo(all!)
  })
})

describe('pprof', () => {
  it('says of every sample its stack, its values and its job', async () => {
    const { store } = stage('writing', 'indexing')
    const profile = Profile.decode(gunzipSync(await bytesOf(store, 'stacks.pprof')))
    const string = (at: number | bigint) => profile.stringTable.strings[Number(at)]
    expect(string(0)).toBe('')
    expect(profile.sampleType.map(({ type, unit }) => [string(type), string(unit)])).toEqual([
      ['samples', 'count'],
      ['cpu', 'millipercent'],
    ])
    const functions = new Map(profile.function.map(({ id, systemName }) => [id, string(systemName)]))
    const locations = new Map(profile.location.map(({ id, line }) => [id, functions.get(line[0]!.functionId)]))
    const samples = profile.sample.map(({ locationId, value, label }) => ({
      stack: locationId.map((id) => locations.get(id)),
      values: value.map(Number),
      labels: label.map(({ key, str }) => [string(key), string(str)]),
    }))
    expect(samples.reduce((sum, { values }) => sum + values[0]!, 0)).toBe(66)
    expect(samples.every(({ stack }) => stack.every((frame) => frame !== undefined && frame !== ''))).toBe(true)
    const merger = samples.find(({ stack }) => stack[0]?.includes('JournalWriter.Write'))!
    expect(merger.values).toEqual([1, 3581])
    expect(merger.labels).toEqual([
      ['job', 'Transaction merger'],
      ['database', 'bench'],
    ])
    expect(merger.stack.at(-1)).toContain('ExecutionContext.RunInternal')
    expect(new Date(Number(BigInt(profile.timeNanos) / 1_000_000n)).toISOString()).toBe('2026-11-20T03:48:09.020Z')
    expect(string(profile.defaultSampleType)).toBe('samples')
  })
})
