import { describe, expect, it } from 'vitest'
import type { RawRow } from '../../../../capture/raw/queries.ts'
import type { LogLine } from './log-lines.ts'
import {
  LINE_UNITS,
  LogReader,
  countLevels,
  entryAround,
  findLines,
  lineAround,
  linesOfLevels,
  readHead,
  splitAtHits,
} from './log-lines.ts'

/** Lines as servers of these versions write them. */
const LINES_7_1 = [
  'Date|Level|ThreadID|Resource|Component|Logger|Message|Data',
  '2026-11-26 20:07:58.1793|INFO|1|Server||Raven.Server.Program| Build 71028, Version 7.1, SemVer 7.1.5, Commit 082d079',
  ' PID 25199, 64 bits, 2 Cores, Arch: X64',
  'librvnpal Expected Version: 62000, librvnpal Current Version: 62000|',
  "2026-11-26 20:58:00.8330|WARN|31|everywhere|Things/Broken|Raven.Server.Documents.Indexes.Workers.MapDocuments|Failed to execute mapping function on 'things/0'.|System.DivideByZeroException: Attempted to divide by zero.",
  '   at Raven.Server.Documents.Indexes.Static.Run()',
]
const LINES_5_4 = [
  'Time, Thread, Level, Source, Logger, Message, Exception',
  '2026-11-26T20:56:03.2527753Z, 1, Operations, Server, Raven.Server.Program,  Build 54178, Version 5.4, SemVer 5.4.207, Commit aee56ce',
  ' PID 31872, 64 bits, 2 Cores, Arch: X64',
  '2026-11-20T04:03:20.8984147Z, 51, Information, iodemo, Raven.Server.Documents.TransactionOperationsMerger, Merged 1 operations in 00:00:00.0001218 with 0 operations remaining. Status: CompletedAll',
]
const LINE_6_2 =
  '2026-11-20T04:03:01.0995194Z, 39, Information, Server, Raven.Server.RavenServerStartup, GET /databases/bench/queries?query=from%20index - 200 - 39 ms'

/** Rows as the raw viewer cuts them: at line breaks, and after so many characters. */
function rowsOf(text: string, most = 200): RawRow[] {
  const rows: RawRow[] = []
  let at = 0
  for (const line of text.split('\n')) {
    for (let from = 0; from === 0 || from < line.length; from += most) {
      rows.push({ at: at + from, parts: [line.slice(from, from + most)], isCut: from + most < line.length })
    }
    at += line.length + 1
  }
  return rows
}

function read(lines: readonly string[]): readonly LogLine[] {
  const reader = new LogReader()
  reader.feed(rowsOf(lines.join('\n')))
  reader.finish()
  return reader.lines
}

describe('heads', () => {
  it('are read of 7.1, with the component and the data', () => {
    expect(readHead(LINES_7_1[4]!)).toEqual({
      level: 'warn',
      head: {
        time: '2026-11-26 20:58:00.8330',
        level: 'WARN',
        source: 'everywhere',
        logger: 'Raven.Server.Documents.Indexes.Workers.MapDocuments',
        message:
          "Failed to execute mapping function on 'things/0'.|System.DivideByZeroException: Attempted to divide by zero.",
      },
    })
  })

  it('are read of 5.4 and 6.2, whose messages have commas that are not quoted', () => {
    expect(readHead(LINES_5_4[1]!)).toMatchObject({
      level: 'operations',
      head: { source: 'Server', logger: 'Raven.Server.Program' },
    })
    expect(readHead(LINES_5_4[1]!)?.head.message).toBe(' Build 54178, Version 5.4, SemVer 5.4.207, Commit aee56ce')
    expect(readHead(LINE_6_2)).toMatchObject({
      level: 'info',
      head: { time: '2026-11-20T04:03:01.0995194Z', level: 'Information', logger: 'Raven.Server.RavenServerStartup' },
    })
  })

  it.each([
    LINES_7_1[0]!,
    LINES_5_4[0]!,
    ' PID 1, 64 bits',
    '',
    '2026-11-26 20:07:58.1793|constructor|1|Server||L|m|',
    '2026-11-26 20:07:58.1793|LOUD|1|Server||L|m|',
    'Error: 2026-11-26 20:07:58.1793|ERROR|1|Server||L|m|',
  ])('are not seen in %j', (text) => {
    expect(readHead(text)).toBeNull()
  })
})

describe('lines', () => {
  it('that have no head belong to the line before them; those before all others have no level', () => {
    expect(read(LINES_7_1).map(({ level }) => level)).toEqual([null, 'info', 'info', 'info', 'warn', 'warn'])
    expect(read(LINES_5_4).map(({ level }) => level)).toEqual([null, 'operations', 'operations', 'info'])
  })

  it('longer than a row of the viewer are one line again, with the byte at which it begins', () => {
    const lines = read(LINES_7_1)
    expect(lines.map(({ text }) => text)).toEqual(LINES_7_1)
    expect(lines[5]?.at).toBe(LINES_7_1.slice(0, 5).join('\n').length + 1)
  })

  it('are held up to a length, and say so', () => {
    const [line, next] = read([`2026-11-26 20:07:58.1793|FATAL|1|S||L|${'x'.repeat(10_000)}`, 'after'])
    expect(line).toMatchObject({ level: 'fatal', isCut: true })
    expect(line?.text).toHaveLength(LINE_UNITS)
    expect(next).toMatchObject({ text: 'after', level: 'fatal', isCut: false })
  })

  it('of a log that ends within a line are all there', () => {
    const reader = new LogReader()
    reader.feed([{ at: 0, parts: ['half a li'], isCut: true }])
    reader.finish()
    reader.finish()
    expect(reader.lines.map(({ text }) => text)).toEqual(['half a li'])
  })

  it('are counted by the lines with a level, and hidden with what belongs to them', () => {
    const lines = read(LINES_7_1)
    expect([...countLevels(lines)]).toEqual([
      [null, 1],
      ['info', 1],
      ['warn', 1],
    ])
    expect(linesOfLevels(lines, new Set(['info', null]))).toEqual(lines.slice(4))
    expect(linesOfLevels(lines, new Set())).toBe(lines)
  })

  it('are one entry with those that belong to them', () => {
    const lines = read(LINES_7_1)
    expect(entryAround(lines, 2)).toEqual(lines.slice(1, 4))
    expect(entryAround(lines, 4)).toEqual(lines.slice(4))
    expect(entryAround(lines, 0)).toEqual(lines.slice(0, 1))
  })

  it('are found by a byte in them, but not by one of another part', () => {
    const lines = read(LINES_5_4)
    const third = lines[2]!.at
    expect(lineAround(lines, third + 5, true)).toBe(2)
    expect(lineAround(lines, 1_000_000, true)).toBe(3)
    expect(lineAround(lines, 1_000_000, false)).toBe(-1)
    expect(lineAround(lines.slice(1), 0, true)).toBe(-1)
  })
})

describe('what is looked for', () => {
  it('is found in all of a line, whatever the case', () => {
    const lines = read(LINES_7_1)
    expect(findLines(lines, 'RAVEN.server')).toEqual([1, 4, 5])
    expect(findLines(lines, '')).toEqual([])
    expect(findLines(lines, '|warn|')).toEqual([4])
  })

  it('is marked as it is written, and never where positions would not fit', () => {
    expect(splitAtHits('Error and error', 'ERROR')).toEqual(['', 'Error', ' and ', 'error', ''])
    expect(splitAtHits('<b>.*', '.*')).toEqual(['<b>', '.*', ''])
    expect(splitAtHits('none', 'x')).toEqual(['none'])
    expect(splitAtHits('İstanbul error', 'error')).toEqual(['İstanbul error'])
  })
})
