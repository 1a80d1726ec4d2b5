import { expect, it } from 'vitest'
import { createFeeds } from './feeds.ts'
import { PANELS } from './panels.ts'

const FEEDS = createFeeds().map(({ name }) => name)

it.each([
  ['io', ['io', 'server']],
  ['stalls', ['io', 'server']],
  ['activity', ['server']],
  ['compare', ['io', 'indexing', 'server']],
  ['triage', ['server']],
  ['index-definitions', ['indexing']],
  ['query', ['indexing']],
  ['files', []],
])('%s shows the feeds that it draws or judges, so that they do not pause while it is in front', (id, feeds) => {
  expect(PANELS.find((panel) => panel.id === id)?.shows).toEqual(feeds)
})

it('names feeds that the worker has', () => {
  for (const { shows } of PANELS) for (const feed of shows) expect(['databases', ...FEEDS]).toContain(feed)
  for (const { fileFeeds, shows } of PANELS) expect(shows).toEqual(expect.arrayContaining([...fileFeeds]))
})

it('has an icon of its own for each panel: a collapsed rail shows nothing else', () => {
  expect(new Set(PANELS.map(({ icon }) => icon)).size).toBe(PANELS.length)
})
