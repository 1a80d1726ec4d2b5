import { describe, expect } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { formatTicks, msFromSpan } from '../../../../base/ticks.ts'
import { visibleText } from '../../../../base/text/visible.ts'
import { guardFormula } from '../../../../capture/exporting/csv.ts'
import type { TestCapture, TestEvent } from '../../../../testing/exported.ts'
import { everything, exportIo, storeOf, testCapture, wellFormed } from '../../../../testing/exported.ts'
import { LaneNames } from '../responses/lane-names.ts'
import type { IoStore } from '../table.ts'
import { EVENT_FIELDS } from './event-fields.ts'

/** An independent reader of RFC 4180: quotes, doubled quotes, CRLF. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at++
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    row.push(cell)
    if (text[at] === ',') at++
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n')
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

const labelOf = (store: IoStore, path: string): string => {
  const lane = [...store.lanes.values()].find((each) => each.path === path)!
  return new LaneNames().labelOf(lane).label
}

const orNull = (value: number): number | null => (value === -1 ? null : value)

/** The event as the fields of an export, made from what it was made from. */
const fieldsOf = (capture: TestCapture, store: IoStore, event: TestEvent) => ({
  start_utc: formatTicks(event.startTicks as never),
  duration_ms: msFromSpan(event.durationTicks as never),
  size_bytes: event.sizeBytes,
  kind: capture.kinds[event.kind]!,
  environment: labelOf(store, capture.lanes[event.lane]!.path),
  environment_type: capture.lanes[event.lane]!.type,
  path: capture.lanes[event.lane]!.path,
  file: capture.files[event.file]!.name,
  source: 'db:shop',
  file_size_bytes: orNull(event.fileSizeBytes),
  compressed_bytes: orNull(event.compressedBytes),
  acceleration: orNull(event.acceleration),
})

const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

const inOrder = (starts: readonly string[]): boolean => starts.every((start, i) => i === 0 || starts[i - 1]! <= start)

describe('CSV', () => {
  law(
    'read by another parser it is the rows, in order of time, with no cell that acts as a formula',
    [testCapture],
    { numRuns: 150 },
    async (capture) => {
      const store = storeOf(capture, 'db:shop')
      const { text, rows, planned } = await exportIo(store, 'io.csv', everything('db:shop'))
      const [head, ...lines] = parseCsv(text)
      expect(head).toEqual([...EVENT_FIELDS])
      expect([lines.length, planned]).toEqual([rows, rows])
      expect(inOrder(lines.map((line) => line[0]!))).toBe(true)
      const wanted = capture.events.map((event) =>
        Object.values(fieldsOf(capture, store, event)).map((value) =>
          typeof value === 'string' ? wellFormed(visibleText(guardFormula(value))) : String(value ?? ''),
        ),
      )
      expect(sorted(lines)).toEqual(sorted(wanted))
      for (const cell of lines.flat())
        expect(/^[\s\p{Cc}]*[=+\-@\t\r\n]/u.test(cell) && !Number.isFinite(Number(cell))).toBe(false)
    },
  )
})

describe('NDJSON', () => {
  law('each line is a row with every field, in order of time', [testCapture], { numRuns: 100 }, async (capture) => {
    const store = storeOf(capture, 'db:shop')
    const { text, rows } = await exportIo(store, 'io.ndjson', everything('db:shop'))
    const lines = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(text === '' || text.endsWith('\n')).toBe(true)
    expect(lines.length).toBe(rows)
    expect(inOrder(lines.map((line) => line['start_utc'] as string))).toBe(true)
    expect(sorted(lines)).toEqual(sorted(capture.events.map((event) => fieldsOf(capture, store, event))))
    for (const line of lines) expect(Object.keys(line)).toEqual([...EVENT_FIELDS])
  })
})
