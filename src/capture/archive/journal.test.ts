import { describe, expect, test } from 'vitest'
import { CUT, encodeBlock, JOURNAL_MAGIC, readJournal } from './journal.ts'
import type { ArchiveRecord } from './records.ts'

const known = (atMs: number): ArchiveRecord => ({ t: 'known', until: { server: atMs * 2 }, atMs })
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const read = (bytes: Uint8Array) => {
  const records: ArchiveRecord[] = []
  return { end: readJournal(bytes, (record) => records.push(record)), records }
}

const BLOCKS = [[known(1), known(2)], [known(3)], [known(4), known(5), known(6)]]
const PARTS = [JOURNAL_MAGIC, ...BLOCKS.map(encodeBlock)]
const JOURNAL = joined(...PARTS)
/** Where each block ends, the magic first. */
const ENDS = PARTS.map((_, i) => joined(...PARTS.slice(0, i + 1)).length)

describe('a journal', () => {
  test('is read as it was written', () => {
    expect(read(JOURNAL)).toEqual({ end: { goodBytes: JOURNAL.length, broken: null }, records: BLOCKS.flat() })
  })

  test('cut at any byte has all blocks that were whole, and says that it was cut', () => {
    for (let bytes = 0; bytes < JOURNAL.length; bytes++) {
      const { end, records } = read(JOURNAL.subarray(0, bytes))
      const blocks = ENDS.filter((endAt) => endAt <= bytes).length - 1
      expect(records).toEqual(BLOCKS.slice(0, Math.max(0, blocks)).flat())
      expect(end.broken === null).toBe(ENDS.includes(bytes))
      expect(end.goodBytes).toBe(blocks < 0 ? 0 : ENDS[blocks])
    }
  })

  test('that ends in zeros, as after a crash of the machine, is cut', () => {
    const { end, records } = read(joined(JOURNAL, new Uint8Array(64)))
    expect(end).toEqual({ goodBytes: JOURNAL.length, broken: CUT })
    expect(records).toEqual(BLOCKS.flat())
  })

  test('with a byte that is another one has the blocks before it, and no record that was not written', () => {
    for (let at = JOURNAL_MAGIC.length; at < JOURNAL.length; at++) {
      const bytes = JOURNAL.slice()
      bytes[at] = (bytes[at] ?? 0) ^ 0x10
      const { end, records } = read(bytes)
      const blocks = ENDS.filter((endAt) => endAt <= at).length - 1
      expect(records).toEqual(BLOCKS.slice(0, blocks).flat())
      expect(end.broken).not.toBeNull()
    }
  })
})
