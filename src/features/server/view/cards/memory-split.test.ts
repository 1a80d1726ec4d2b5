import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { readKernelMemory } from '../../../../ravendb/machine/kernel-memory.ts'
import { healthyServer } from '../../../../testing/server/fake-server.ts'
import { RECORDED_LINES, recordedJson, recordedText } from '../../../../testing/recorded.ts'
import { GcLog, readMemoryGc } from '../../../../feeds/server/data/figures/gc.ts'
import { MemoryStore } from '../../../../feeds/server/data/figures/memory.ts'
import { readFilePages } from '../../../../feeds/server/data/wire/memory-detail.ts'
import type { ServerMemory } from '../../../../feeds/server/contract/machine.ts'
import { splitMemory } from './memory-split.ts'

const healthy = await (await healthyServer()).capture().request('server.now', null)
const at = 0 as Ticks

/** Responses of a server of that version within one second. */
function recorded(line: (typeof RECORDED_LINES)[number]) {
  const book = new MemoryStore()
  const kernel = readKernelMemory(recordedText(line, 'proc-status.txt'), recordedText(line, 'proc-meminfo.txt'))
  book.kernel = { ...kernel, atTicks: at }
  const files = readFilePages(recordedJson(line, 'memory-smaps.json'), recordedText(line, 'proc-status.txt'))
  book.files = { ...files, atTicks: at }
  const log = new GcLog()
  log.takeDetail(readMemoryGc(recordedJson(line, 'memory-gc.json')), at)
  return { kernel, memory: book.now(null)!, gc: log.now(null)! }
}

describe('the split of memory', () => {
  it.each(RECORDED_LINES)('of %s is what the kernel counted', (line) => {
    const { kernel, memory, gc } = recorded(line)
    const { parts, privateBytes } = splitMemory(memory, gc)
    const bytes = (ids: readonly string[]): number =>
      parts.reduce((sum, part) => sum + (ids.includes(part.id) ? part.bytes : 0), 0)
    expect(privateBytes).toBe(kernel.process.anonymousBytes + kernel.process.sharedBytes)
    expect(parts.reduce((sum, part) => sum + (part.isPrivate ? part.bytes : 0), 0)).toBe(privateBytes)
    expect(bytes(['clean', 'reclaimable', 'free'])).toBe(kernel.availableBytes)
    expect(bytes(['clean'])).toBe(memory.files!.cleanBytes)
    expect(bytes(['code'])).toBe(kernel.process.sharedBytes)
    // Large and pinned objects do not vanish after a minor collection, and gaps are no objects.
    for (const { heap, afterBytes, fragmentedAfterBytes } of gc.newest!.heaps)
      expect(bytes([heap])).toBe(afterBytes - fragmentedAfterBytes)
  })

  it('keeps dirty file pages as they were when they were asked for, however much private memory grew since', () => {
    const { memory, gc } = recorded('7.1')
    const { process } = memory
    const files = { ...memory.files!, dirtyBytes: (200 * 1024 ** 2) as Bytes }
    const grown = { ...process!, anonymousBytes: (process!.anonymousBytes + 600 * 1024 ** 2) as Bytes }
    for (const each of [process, grown])
      expect(splitMemory({ ...memory, files, process: each }, gc).parts).toContainEqual(
        expect.objectContaining({ id: 'dirty', bytes: files.dirtyBytes }),
      )
  })

  it('draws the line at the low-memory limit', () => {
    const split = splitMemory(healthy.memory!, healthy.gc)
    expect(split.lowFromBytes).toBe(healthy.memory!.physicalBytes - 2 * 1024 ** 3)
  })

  it('does not divide private memory that no collection was reported of', () => {
    const { parts, privateBytes } = splitMemory(healthy.memory!, null)
    expect(parts[0]).toMatchObject({ id: 'private', bytes: healthy.memory!.process!.anonymousBytes })
    expect(privateBytes).toBe(parts[0]!.bytes + parts[1]!.bytes)
  })

  it('has no split where only the server’s own figures are known', () => {
    const memory: ServerMemory = { ...healthy.memory!, source: 'server', process: null }
    const { parts, privateBytes } = splitMemory(memory, healthy.gc)
    expect(privateBytes).toBeNull()
    expect(parts.map(({ id }) => id)).toEqual(['used', 'reclaimable', 'free'])
  })

  it('never is more than the machine, whatever the figures', () => {
    const some = fc.nat({ max: 2 ** 36 }).map((count) => count as Bytes)
    const memory: fc.Arbitrary<ServerMemory> = fc.record({
      atTicks: fc.constant(at),
      source: fc.constantFrom('kernel', 'server'),
      whyServer: fc.constant(null),
      physicalBytes: some,
      freeBytes: some,
      availableBytes: some,
      unwrittenBytes: some,
      residentBytes: some,
      swapBytes: some,
      process: fc.option(fc.record({ anonymousBytes: some, sharedBytes: some, fileBytes: some })),
      files: fc.option(fc.record({ atTicks: fc.constant(at), cleanBytes: some, dirtyBytes: some })),
      own: fc.constant(null),
      severity: fc.constant('None'),
      severityFrom: fc.constant('limit'),
      lowLimit: fc.record({ bytes: some, from: fc.constant('default') }),
    })
    fc.assert(
      fc.property(memory, fc.boolean(), (of, withGc) => {
        const { parts, physicalBytes } = splitMemory(of, withGc ? healthy.gc : null)
        expect(parts.every((part) => part.bytes > 0)).toBe(true)
        expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(physicalBytes)
      }),
    )
  })
})
