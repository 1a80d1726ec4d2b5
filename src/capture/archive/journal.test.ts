import { describe, expect, test } from 'vitest'
import { encodeBlock, JOURNAL_MAGIC, readJournal } from './journal.ts'
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
    expect(read(JOURNAL)).toEqual({
      end: { goodBytes: JOURNAL.length, broken: null, skipped: 0, newer: 0 },
      records: BLOCKS.flat(),
    })
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
    expect(end).toEqual({ goodBytes: JOURNAL.length, broken: 'The last block is cut.', skipped: 0, newer: 0 })
    expect(records).toEqual(BLOCKS.flat())
  })

  test('with a byte that is another one has all blocks but its own, and no record that was not written', () => {
    for (let at = 0; at < JOURNAL.length; at++)
      for (const mask of [0x10, 0x01, 0xff]) {
        const bytes = JOURNAL.slice()
        bytes[at] = (bytes[at] ?? 0) ^ mask
        const { end, records } = read(bytes)
        const block = ENDS.filter((endAt) => endAt <= at).length - 1
        expect(records).toEqual(BLOCKS.filter((_, i) => i !== block).flat())
        expect(end.broken).not.toBeNull()
        expect(end.skipped).toBe(block < BLOCKS.length - 1 ? 1 : 0)
      }
  })

  test('says between which records something was skipped', () => {
    const bytes = JOURNAL.slice()
    bytes.fill(0, ENDS[1], (ENDS[1] ?? 0) + 12)
    const seen: string[] = []
    const end = readJournal(
      bytes,
      (record) => void seen.push(record.t === 'known' ? String(record.atMs) : record.t),
      () => void seen.push('skipped'),
    )
    expect(seen).toEqual(['1', '2', 'skipped', '4', '5', '6'])
    expect(end).toEqual({ goodBytes: JOURNAL.length, broken: 'A block is not as written.', skipped: 1, newer: 0 })
  })

  test('of a later version has the records of the kinds that this one knows, and counts the others', () => {
    const later = [{ t: 'session', id: 1 }, known(1), { t: 'toString' }, {}] as ArchiveRecord[]
    const { end, records } = read(joined(JOURNAL_MAGIC, encodeBlock(later), encodeBlock([known(2)])))
    expect(records).toEqual([known(1), known(2)])
    expect(end).toMatchObject({ broken: null, newer: 3 })
  })

  test('of 16 MB without a block after the damage is given up within seconds', () => {
    const rest = new Uint8Array(16 << 20)
    let state = 1
    for (let at = 0; at < rest.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      rest[at] = state >>> 16
    }
    const fromMs = performance.now()
    const { end, records } = read(joined(JOURNAL, rest))
    expect(records).toEqual(BLOCKS.flat())
    expect(end).toMatchObject({ goodBytes: JOURNAL.length, skipped: 0 })
    expect(end.broken).not.toBeNull()
    expect(performance.now() - fromMs).toBeLessThan(10_000)
  })
})
