import { describe, expect, it } from 'vitest'
import { MeterBook } from './meter.ts'

describe('MeterBook', () => {
  it('counts by endpoint and in all', () => {
    const book = new MeterBook(() => 5000)
    book.request('/a')
    book.bytes('/a', 100)
    book.ended('/a', 12)
    book.request('/b')
    book.failure('/b')
    book.socketOpened()
    expect(book.read('why')).toEqual({
      sinceMs: 5000,
      requests: 2,
      sockets: 1,
      bytes: 100,
      requestsPerMinute: 2,
      bytesPerMinute: 100,
      slowed: 'why',
      endpoints: [
        { endpoint: '/a', requests: 1, bytes: 100, failures: 0, lastMs: 12 },
        { endpoint: '/b', requests: 1, bytes: 0, failures: 1, lastMs: null },
      ],
    })
  })

  it('forgets what is older than a minute, but not in the sums', () => {
    let nowMs = 1_000_000
    const book = new MeterBook(() => nowMs)
    for (let second = 0; second < 150; second++) {
      book.request('/a')
      book.bytes('/a', 10)
      nowMs += 1000
    }
    nowMs -= 1000
    expect(book.read(null)).toMatchObject({ requests: 150, bytes: 1500, requestsPerMinute: 60, bytesPerMinute: 600 })
    nowMs += 59_000
    expect(book.read(null).requestsPerMinute).toBe(1)
    nowMs += 3_600_000
    expect(book.read(null)).toMatchObject({ requests: 150, requestsPerMinute: 0, bytesPerMinute: 0 })
  })
})
