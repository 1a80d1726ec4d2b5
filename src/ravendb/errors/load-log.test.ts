import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeLoadLog, readLoadLog } from './load-log.ts'

const line = (time: string, words: string): string =>
  `[Load Database] 11/20/2026 ${time} :: Database 'slow' : ${words}\n`
/** As 7.1.5, 6.2.4 and 5.4.207 say it. */
const MESSAGE =
  'Database slow after 00:00:08 is still loading, try again later. Database initialization log: \n' +
  line('12:34:09', 'Starting database initialization') +
  line('12:34:09', 'Initializing DocumentStorage') +
  line('12:34:10', 'Recovering journal 4 (up to last journal 5)') +
  line('12:34:21', 'Initializing static index: `ByA`')

describe('the log of a load that takes long', () => {
  it('reports the steps with their times, and which one continues', () => {
    const log = readLoadLog(MESSAGE)!
    expect(log.waited).toBe('00:00:08')
    expect(log.steps.map(({ atMs, words }) => [(atMs - log.steps[0]!.atMs) / 1000, words])).toEqual([
      [0, 'Starting database initialization'],
      [0, 'Initializing DocumentStorage'],
      [1, 'Recovering journal 4 (up to last journal 5)'],
      [12, 'Initializing static index: `ByA`'],
    ])
    expect(describeLoadLog(log)).toBe('It is at “Initializing static index: `ByA`”, begun 12 s after the load.')
  })

  it('is none in any other message', () => {
    expect(readLoadLog('Too many databases loading concurrently, timed out waiting for them to load.')).toBeNull()
    fc.assert(fc.property(fc.string(), (text) => void readLoadLog(text)))
  })

  it('takes names and words that look like its own marks', () => {
    const log = readLoadLog("[Load Database] 01/02/2026 00:00:00 :: Database 'a' : b' : Database 'x' : y")!
    expect(log.steps).toHaveLength(1)
    expect(log.steps[0]!.words).toContain('y')
  })
})
