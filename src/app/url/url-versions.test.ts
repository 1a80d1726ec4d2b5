import { describe, expect, it } from 'vitest'
import { upgrade, UPGRADERS } from './url-versions.ts'
import type { UrlLink, UrlPair, UrlUpgrader } from './url-versions.ts'

const rename =
  (from: string, to: string): UrlUpgrader =>
  ({ panel, pairs }) => ({ panel, pairs: pairs.map(([key, value]): UrlPair => [key === from ? to : key, value]) })

const STEPS = new Map([
  [1, rename('source', 'src')],
  [2, rename('src', 's')],
])

/** `a=1&b=2` of a panel → the same after the steps. */
function upgraded(query: string, steps: ReadonlyMap<number, UrlUpgrader>, current: number, panel = 'io') {
  const notes: string[] = []
  const pairs = query.split('&').map((pair) => pair.split('=') as unknown as UrlPair)
  const text = ({ panel: to, pairs: all }: UrlLink): string => `${to}?${all.map((pair) => pair.join('=')).join('&')}`
  return { link: text(upgrade({ panel, pairs }, steps, notes, current)), notes }
}

describe('upgrade', () => {
  it.each([
    ['v=1&source=a&source=b', 'io?s=a&s=b'],
    ['src=a&v=2', 'io?s=a'],
    ['v=3&src=a', 'io?src=a'],
  ])('walks every step from the version of the link to the current one: %s', (query, link) => {
    expect(upgraded(query, STEPS, 3)).toEqual({ link, notes: [] })
  })

  it('takes every step with a link without a version, which may have keys of any', () => {
    expect(upgraded('source=a', STEPS, 3).link).toBe('io?s=a')
    expect(upgraded('s=a', STEPS, 3).link).toBe('io?s=a')
  })

  it('says when there is no way up, and keeps what it has', () => {
    expect(upgraded('v=0&source=a', STEPS, 3)).toEqual({
      link: 'io?source=a',
      notes: ['This link is of version 0, which cannot be read fully.'],
    })
  })
})

describe('links of version 1', () => {
  it.each([
    ['databases', 'v=1&databases.open=Orders', 'database?db=Orders'],
    ['databases', 'v=1&s=server&databases.open=Orders', 'database?s=server&db=Orders'],
    ['databases', 'v=1&databases.filter=a', 'databases?databases.filter=a'],
    ['io', 'v=1&s=db:B&databases.open=Orders', 'io?s=db:B'],
    ['server', 'v=1&server.view=cluster', 'cluster?'],
    ['io', 'v=1&server.view=cluster&io.fold=off', 'io?io.fold=off'],
    ['server', 'v=1&server.view=alerts', 'server?server.view=alerts'],
    ['activity', 'v=1', 'activity?activity.view=done'],
    ['activity', 'v=1&activity.view=queries', 'activity?activity.view=queries'],
    ['activity', 'v=2&clock=utc', 'activity?clock=utc'],
    ['activity', 'clock=utc', 'activity?clock=utc'],
  ])('open what they meant: %s?%s', (panel, query, link) => {
    expect(upgraded(query, UPGRADERS, 2, panel)).toEqual({ link, notes: [] })
  })
})
