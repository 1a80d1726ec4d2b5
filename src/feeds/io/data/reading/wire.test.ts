import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import { formatTicks } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../../testing/recorded.ts'
import { readIo } from './decode.ts'
import { COMPRESSED, FILE_SIZE, NO_SIZE } from './wire.ts'

interface RawFile {
  File: string
  Status: string
  Recent: { Type: string; Start: string; Duration: number; Size?: number; OriginalSize?: number }[]
  History: { Type: string; Size: number }[]
}
interface Raw {
  Environments: { Path: string; Type: string; Files: RawFile[] }[]
}

/** The plainest possible reading, to compare with. */
const naiveRows = (raw: Raw) =>
  raw.Environments.flatMap(({ Path, Files }) =>
    Files.flatMap(({ File, Recent }) =>
      Recent.map((row) => [
        Path,
        File,
        row.Type,
        row.Start,
        Math.round(row.Duration * 10_000),
        row.OriginalSize ?? row.Size,
      ]),
    ),
  )

const readRows = (document: ReturnType<typeof readIo>) =>
  document.environments.flatMap(({ path, files }) =>
    files.flatMap(({ name, kinds }) =>
      kinds.flatMap(({ kind, events: { columns, length } }) =>
        Array.from({ length }, (_, row) => [
          path,
          name,
          kind,
          formatTicks(columns[0]![row] as never),
          columns[1]![row],
          columns[2]![row],
        ]),
      ),
    ),
  )

const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe.each(RECORDED_LINES)('answers of %s', (line) => {
  test.each(['io-metrics.json', 'admin-io-metrics.json'])(
    '%s: every event is read as a naive reading has it',
    (name) => {
      const raw = recordedJson(line, name) as Raw
      const document = readIo(bytesOf(raw))
      expect(document.problems).toEqual({ count: 0, first: null })
      expect(naiveRows(raw).length).toBeGreaterThan(50)
      expect(sorted(readRows(document))).toEqual(sorted(naiveRows(raw)))
      const rollUps = document.environments.flatMap(({ files }) =>
        files.flatMap(({ kinds }) => kinds.flatMap((kind) => kind.rollUps)),
      )
      const rawRollUps = raw.Environments.flatMap(({ Files }) => Files.flatMap(({ History }) => History))
      expect(rollUps.map(({ sizeBytes }) => sizeBytes).toSorted((a, b) => a - b)).toEqual(
        rawRollUps.map(({ Size }) => Size).toSorted((a, b) => a - b),
      )
    },
  )

  test('every frame of the live socket is read', () => {
    for (const frame of recordedFrames(line, 'io-metrics-live.ndjson')) {
      const raw = JSON.parse(frame) as Raw
      expect(sorted(readRows(readIo(bytesOf(raw))))).toEqual(sorted(naiveRows(raw)))
    }
  })
})

const file = (recent: unknown[], history: unknown[] = []) => ({
  Environments: [
    {
      Path: '/data',
      Type: 'Documents',
      Files: [{ File: 'Raven.voron', Status: 'Molten', Recent: recent, History: history }],
    },
  ],
})
const event = {
  Start: '2026-11-20T04:01:30.6364827Z',
  Size: 4096,
  FileSize: 8192,
  Duration: 0.46,
  Type: 'JournalWrite',
}

describe('odd documents', () => {
  test('what a live delta leaves out of a compression is not reported, and not zero', () => {
    const [kind] = readIo(
      bytesOf(
        file([
          { ...event, Type: 'Compression', Size: undefined, OriginalSize: 9000, CompressedSize: 0, Acceleration: 0 },
        ]),
      ),
    ).environments[0]!.files[0]!.kinds
    expect(kind!.events.columns[COMPRESSED]![0]).toBe(-1)
    expect(kind!.events.columns[2]![0]).toBe(9000)
  })

  test('a kind and a status that are not known are kept by their names', () => {
    const [read] = readIo(bytesOf(file([{ ...event, Type: 'ScratchSpill' }]))).environments[0]!.files
    expect(read).toMatchObject({ status: 'Molten', kinds: [{ kind: 'ScratchSpill' }] })
  })

  test.each([-4096, 1e300, 0.5, '12,5', null])('an event whose Size is %j is kept without one', (size) => {
    const document = readIo(bytesOf(file([event, { ...event, Size: size }, event])))
    expect(document.problems.count).toBe(0)
    const { columns, length } = document.environments[0]!.files[0]!.kinds[0]!.events
    expect(length).toBe(3)
    expect([columns[2]![1], columns[FILE_SIZE]![1]]).toEqual([0, NO_SIZE])
  })

  test.each([
    ['Duration', -1],
    ['Duration', 1e308],
    ['Duration', '12 apples'],
    ['Duration', null],
    ['Start', '2026-02-31T00:00:00Z'],
    ['Start', 0],
    ['Type', 7],
  ])('an event whose %s is %j is left out and counted, the rest stays', (field, value) => {
    const document = readIo(bytesOf(file([event, { ...event, [field]: value }, event])))
    expect(document.problems.count).toBe(1)
    expect(document.problems.first).toMatch(
      /^byte \d+: expected an event with Type, Start and Duration, got .*, .*, .*$/,
    )
    expect(document.environments[0]!.files[0]!.kinds[0]!.events.length).toBe(2)
  })

  test('a roll-up that ends before it starts is kept by its duration, and that is counted', () => {
    const rollUp = { ...event, End: '2026-11-20T04:01:29.0000000Z', ActiveDuration: 1, MaxDuration: 1, MinDuration: 1 }
    const { environments, problems } = readIo(bytesOf(file([], [rollUp])))
    expect(problems.count).toBe(1)
    const [kept] = environments[0]!.files[0]!.kinds[0]!.rollUps
    expect((kept?.endTicks ?? 0) - (kept?.startTicks ?? 0)).toBe(event.Duration * 10_000)
  })

  test.each([null, 7, 'text', [], {}, { Environments: {} }])('%j is reported as not being I/O metrics', (document) => {
    const { problems } = readIo(bytesOf(document))
    expect(problems.count).toBeNull()
    expect(problems.first).toContain('expected')
  })

  test('environments and files without names are counted where they have rows', () => {
    const Files = [{ File: 'a', Recent: [event] }]
    const { problems } = readIo(
      bytesOf({ Environments: [7, { Path: 7, Files }, { Path: '/a', Files: [{ File: null, Recent: [event] }] }] }),
    )
    expect(problems.count).toBe(3)
    expect(problems.first).toMatch(/^byte 17: expected /)
  })
})
