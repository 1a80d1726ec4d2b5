import { describe, expect, test } from 'vitest'
import { RECORDED_LINES, recordedFrames } from '../../../../testing/recorded.ts'
import { readThreads } from '../watching/server-wire.ts'
import { joinThreads, type ThreadCandidate } from './threads.ts'

const index = (database: string, name: string): ThreadCandidate => ({
  key: `db:${database}|${name}`,
  source: `db:${database}`,
  database,
  name,
})

describe('threads of indexes', () => {
  test('both forms of their names, with what the server appends', () => {
    const { known } = joinThreads(
      [
        { name: 'Indexing of Users/ByName of shop\n', bytes: 10 },
        { name: 'Idx shop Orders/Totals', bytes: 20 },
        { name: '.NET TP Worker', bytes: 99 },
        { name: 'Idx other Users/ByName', bytes: 30 },
      ],
      [index('shop', 'Users/ByName'), index('shop', 'Orders/Totals')],
    )
    expect([...known]).toEqual([
      ['db:shop|Users/ByName', 10],
      ['db:shop|Orders/Totals', 20],
    ])
  })

  test('a name cut to 15 characters is given away only where one index fits', () => {
    const two = [index('shop', 'Users/ByName'), index('shop', 'Users/ByEmail')]
    const cut = { name: 'Idx shop Users/', bytes: 7 }
    expect(cut.name).toHaveLength(15)
    expect([...joinThreads([cut], two.slice(0, 1)).known]).toEqual([['db:shop|Users/ByName', 7]])
    const { known, ambiguous } = joinThreads([cut, cut], two)
    expect([known.size, [...ambiguous]]).toEqual([0, ['db:shop|Users/ByName', 'db:shop|Users/ByEmail']])
  })

  test('names of two databases that read alike are not guessed', () => {
    const { known } = joinThreads([{ name: 'Idx a b c', bytes: 1 }], [index('a', 'b c'), index('a b', 'c')])
    expect(known.size).toBe(0)
  })

  test('what the server does not know stays unknown', () => {
    const { known } = joinThreads([{ name: 'Idx a X', bytes: null }], [index('a', 'X')])
    expect(known.get('db:a|X')).toBeNull()
  })

  test.each(RECORDED_LINES)('every indexing thread of a recorded %s is given to its index', (line) => {
    const frames = recordedFrames(line, 'threads-info-watch.ndjson').slice(1)
    const names = frames.flatMap((frame) => readThreads(JSON.parse(frame)).threads.map(({ name }) => name.trim()))
    const candidates = new Map(
      names.flatMap((name) => {
        const match = /^Indexing of (.+) of (\w+)$/.exec(name)
        const [, own = '', database = ''] = match ?? []
        return match === null ? [] : [[name, index(database, own)] as const]
      }),
    )
    expect(candidates.size).toBeGreaterThan(10)
    for (const frame of frames) {
      const { atTicks, threads } = readThreads(JSON.parse(frame))
      const { known } = joinThreads(threads, [...candidates.values()])
      expect(atTicks).toBeGreaterThan(0)
      expect(known.size).toBe(threads.filter(({ name }) => candidates.has(name.trim())).length)
      expect(known.size).toBeGreaterThan(0)
    }
  })
})
