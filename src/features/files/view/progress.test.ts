import { describe, expect, test } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { FileState } from '../../../capture/client/state.ts'
import { describeProgress, describeRead, shareOf } from './progress.ts'

const MIB = 1 << 20
const file: FileState = {
  id: 1,
  name: 'a.json',
  phase: 'reading',
  totalBytes: (300 * MIB) as Bytes,
  readBytes: (100 * MIB) as Bytes,
  startedMs: 1000,
  endedMs: null,
  message: '',
  faultAt: null,
  sources: [],
  servers: 0,
  entries: [],
}

describe('progress', () => {
  test('says bytes, rate and time left', () => {
    expect(describeProgress(file, 3000)).toEqual({
      bytes: '100 MiB of 300 MiB',
      rate: '50.0 MiB/s',
      left: '4.00 s left',
    })
    expect(describeProgress({ ...file, readBytes: (299 * MIB) as Bytes }, 3000).left).toBe('less than a second left')
  })

  test('says nothing of a rate that it cannot know yet, or of a size that is not known', () => {
    expect(describeProgress(file, 1100)).toEqual({ bytes: '100 MiB of 300 MiB', rate: '', left: '' })
    expect(describeProgress({ ...file, readBytes: 0 as Bytes }, 9000).rate).toBe('')
    expect(describeProgress({ ...file, totalBytes: null }, 3000)).toEqual({
      bytes: '100 MiB',
      rate: '50.0 MiB/s',
      left: '',
    })
    expect(shareOf(5, null)).toBeUndefined()
    expect(shareOf(5, 0)).toBeUndefined()
    expect(shareOf(7, 5)).toBe(1)
  })

  test('says afterwards what was read, and how fast where that means something', () => {
    const read = { ...file, readBytes: file.totalBytes, endedMs: 3000 }
    expect(describeRead(read)).toBe('300 MiB in 2.00 s, 150 MiB/s')
    expect(describeRead({ ...read, endedMs: 1010 })).toBe('300 MiB')
  })
})
