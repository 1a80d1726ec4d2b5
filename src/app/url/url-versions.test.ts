import { describe, expect, it } from 'vitest'
import { upgrade } from './url-versions.ts'
import type { UrlPair, UrlUpgrader } from './url-versions.ts'

const rename =
  (from: string, to: string): UrlUpgrader =>
  (pairs) =>
    pairs.map(([key, value]): UrlPair => [key === from ? to : key, value])

const UPGRADERS = new Map([
  [1, rename('source', 'src')],
  [2, rename('src', 's')],
])

describe('upgrade', () => {
  it('walks every step from the version of the link to the current one', () => {
    const notes: string[] = []
    expect(
      upgrade(
        [
          ['v', '1'],
          ['source', 'a'],
          ['source', 'b'],
        ],
        UPGRADERS,
        notes,
        3,
      ),
    ).toEqual([
      ['s', 'a'],
      ['s', 'b'],
    ])
    expect(
      upgrade(
        [
          ['src', 'a'],
          ['v', '2'],
        ],
        UPGRADERS,
        notes,
        3,
      ),
    ).toEqual([['s', 'a']])
    expect(
      upgrade(
        [
          ['v', '3'],
          ['src', 'a'],
        ],
        UPGRADERS,
        notes,
        3,
      ),
    ).toEqual([['src', 'a']])
    expect(notes).toEqual([])
  })

  it('reads a link without a version as a current one', () => {
    expect(upgrade([['source', 'a']], UPGRADERS, [], 3)).toEqual([['source', 'a']])
  })

  it('says when there is no way up, and keeps what it has', () => {
    const notes: string[] = []
    expect(
      upgrade(
        [
          ['v', '0'],
          ['source', 'a'],
        ],
        UPGRADERS,
        notes,
        3,
      ),
    ).toEqual([['source', 'a']])
    expect(notes).toEqual(['This link is of version 0, which cannot be read fully.'])
  })
})
