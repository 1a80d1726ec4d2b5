import { describe, expect, it } from 'vitest'
import { RECORDED_LINES, recordedText } from '../../testing/recorded.ts'
import { privateBytesOf, readKernelMemory } from './kernel-memory.ts'

const read = (line: (typeof RECORDED_LINES)[number]) =>
  readKernelMemory(recordedText(line, 'proc-status.txt'), recordedText(line, 'proc-meminfo.txt'))

describe('memory as the kernel reports it', () => {
  it('is in bytes, of kB that are 1024', () => {
    const { process, totalBytes } = read('7.1')
    expect(totalBytes).toBe(25_276_510_208)
    expect(process).toEqual({
      residentBytes: 1_948_828 * 1024,
      anonymousBytes: 1_086_880 * 1024,
      fileBytes: 728_396 * 1024,
      sharedBytes: 133_552 * 1024,
      swapBytes: 0,
    })
    expect(privateBytesOf(process)).toBe((1_086_880 + 133_552) * 1024)
  })

  it.each(RECORDED_LINES)('adds up on %s', (line) => {
    const { process, totalBytes, availableBytes, freeBytes } = read(line)
    expect(process.anonymousBytes + process.fileBytes + process.sharedBytes).toBe(process.residentBytes)
    expect(freeBytes).toBeLessThan(availableBytes)
    expect(availableBytes).toBeLessThan(totalBytes)
  })

  it('is no memory where a field is missing', () => {
    expect(() => readKernelMemory('VmRSS:\t 12 kB', recordedText('7.1', 'proc-meminfo.txt'))).toThrow('RssAnon')
    expect(() => readKernelMemory('', '')).toThrow('MemTotal')
  })
})
