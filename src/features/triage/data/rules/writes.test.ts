import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { readEmptyTransactions, readStorageFailures } from '../../../../ravendb/answers/write-answers.ts'
import type { FailingWrites } from '../../../../feeds/server/contract.ts'
import type { TriageFacts } from '../facts.ts'
import { storageFails } from './answers/writes.ts'
import { writesFail } from './writes.ts'

const NOW = 2_000_000_000_000_000 as Ticks
const MIB = 1024 ** 2
const ago = (seconds: number): Ticks => (NOW - seconds * TICKS_PER_SECOND) as Ticks

const FULL = {
  request: 'POST /databases/demo/bulk_docs',
  status: 503,
  type: 'DiskFullException',
  message:
    "Errno: 28='No space left on device' (rc=4) - 'can't allocate more pages for '/vol/Databases/demo/Temp/scratch.0000000000.buffers'. Requested 268435456 (adjusted to 268435456)'. FailCode=FailAllocFile.",
}

const volume = (mount: string, freeBytes: number) => ({ mount, freeBytes: freeBytes as Bytes, totalBytes: 700 * MIB })
const find = (writes: readonly Partial<FailingWrites>[] | null) =>
  writesFail.find({
    writes:
      writes?.map((each) => ({
        database: 'demo',
        done: 0,
        failed: [{ status: 503, request: FULL.request, count: 5 }],
        failedSince: 5,
        sinceTicks: ago(4),
        untilTicks: ago(1),
        reason: null,
        ...each,
      })) ?? null,
    now: { volumes: [volume('/', 500 * MIB), volume('/vol', 44 * MIB)] },
    nowTicks: NOW,
  } as unknown as TriageFacts)

describe('writes that fail', () => {
  it('are critical where none is done any more, with the reason by the log and the disk that it names', () => {
    expect(find([{ reason: FULL, done: 40 }])).toMatchObject([
      {
        about: 'demo',
        level: 'critical',
        title: 'Writes to “demo” fail: the disk is full.',
        evidence: [
          '5 of 45 writes that were seen in the last minute failed: POST /databases/demo/bulk_docs, status 503.',
          expect.stringContaining('By the log of the server: DiskFullException: Errno: 28='),
          'The disk /vol has 44.0 MiB of 700 MiB free. 256 MiB at once were wanted.',
        ],
        sinceTicks: ago(4),
      },
    ])
  })

  it('are told with their number while others are done', () => {
    const [finding] = find([{ done: 95, failedSince: 0, untilTicks: ago(30) }])
    expect(finding).toMatchObject({
      level: 'warning',
      title: '5 of 100 writes to “demo” failed (status 503).',
      evidence: [
        '5 of 100 writes that were seen in the last minute failed, the last one 30.0 s ago: POST /databases/demo/bulk_docs, status 503.',
        'The log did not say why.',
      ],
    })
  })

  it('are unknown until requests are listened to', () => {
    expect(find(null)).toEqual([])
    expect(writesFail.unknown({ writes: null } as TriageFacts)).toHaveProperty('awaited')
    expect(writesFail.unknown({ writes: [] } as unknown as TriageFacts)).toBeNull()
  })
})

/* Times and sizes as 7.1.5 wrote them into a package made 3 s after its first 503. */
const event = (Type: string, second: number, Size: number | null) => ({
  Start: `2026-11-28T03:06:${second.toFixed(1).padStart(4, '0')}000000Z`,
  Size,
  Type,
  Duration: 240,
})
const flush = (second: number, Size: number) => event('DataFlush', second, Size)
const metrics = (...Recent: unknown[]) => ({
  Environments: [
    { Type: 'Documents', Files: [{ File: 'Raven.voron', Recent }] },
    { Type: 'Index', Files: [{ File: 'Raven.voron', Recent: [flush(59, 4096)] }] },
  ],
})
const merges = (...counts: number[]) => ({
  PerfMetrics: [
    {
      MetricType: 'Transaction',
      Recent: counts.map((CommandsCounter, n) => ({
        Start: `2026-11-28T03:06:${String(40 + n)}.0000000Z`,
        Counter: 1,
        CommandsCounter,
        Duration: 200,
        Type: 'Transaction',
      })),
    },
  ],
})
const packaged = (io: unknown, perf: unknown) => {
  const answered = (value: unknown) => ({ kind: 'answered', value, atTicks: null, entry: 'demo/io-metrics.json' })
  const answers = { storageIo: answered(readStorageFailures(io)), merges: answered(readEmptyTransactions(perf)) }
  return storageFails.find({
    answers: { databases: [{ name: 'demo', answers }], atTicks: NOW },
    nowTicks: NOW,
  } as unknown as TriageFacts)
}

/** Commits as pairs of seconds: compressed, and written unless null. */
const journal = (...commits: readonly (readonly [number, number | null])[]) =>
  commits.flatMap(([compressed, written]) => {
    const before = event('Compression', compressed, null)
    return written === null ? [before] : [before, event('JournalWrite', written, 20480)]
  })

describe('a storage that fails, in a package', () => {
  it('is found by flushes that wrote nothing; that writes fail, by transactions without commands', () => {
    const io = metrics(flush(31, 16384), flush(36, 0), flush(36.5, 0), flush(40, 0), flush(43, 0))
    expect(packaged(io, merges(1, 1, 0, 0, 0, 0))).toMatchObject([
      {
        about: 'demo',
        level: 'critical',
        title: 'Writes to “demo” fail: its disk is full, or refuses writes.',
        evidence: [
          '4 flushes to the data file in 7.00 s wrote nothing.',
          '4 transactions in 3.00 s executed no command.',
          expect.stringContaining('DiskFullException'),
        ],
      },
    ])
    expect(packaged(io, merges(1, 1, 1))[0]?.title).toContain('The data file of “demo” cannot be written')
  })

  it('is found by transactions that did not get into the journal', () => {
    const io = metrics(flush(31, 16384), ...journal([37, 37.1], [37.7, null], [38.6, null], [39.4, null], [40, null]))
    expect(packaged(io, merges(1, 1, 1, 1, 1))).toMatchObject([
      {
        title: 'Writes to “demo” fail: its disk is full, or refuses writes.',
        evidence: [
          '4 transactions in 2.30 s did not get into the journal.',
          expect.stringContaining('DiskFullException'),
        ],
      },
    ])
  })

  it('is none where writes conflict, a flush failed once, or a commit goes on', () => {
    expect(packaged(metrics(flush(31, 16384), ...journal([37, 37.1])), merges(1, 0, 0, 0, 0, 0))).toEqual([])
    const once = metrics(
      flush(31, 16384),
      flush(36, 0),
      flush(37, 0),
      flush(38, 8192),
      ...journal([39, 39.1], [40, null]),
    )
    expect(packaged(once, merges(0, 0, 0))).toEqual([])
    expect(packaged({ Environments: [] }, { PerfMetrics: [] })).toEqual([])
  })
})
