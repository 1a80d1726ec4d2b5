import { expect, it } from 'vitest'
import { formatAgo } from '../../../base/text/figures.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { troubledServer } from '../../../testing/server/fake-server.ts'
import { SERVER_NOW } from '../../../testing/server/server-load.ts'
import { describeSince } from './words.ts'

it('tells since when a finding holds, and that it may be longer', async () => {
  const { items, more } = await (await troubledServer()).capture().request('triage.now', null)
  const first = items.find(({ rule }) => rule === 'index-errored')
  const noted = more.find(({ rule }) => rule === 'rights')
  expect(describeSince(first!, SERVER_NOW, 'utc')).toBe('since 04:04:35 (9 min)')
  expect(describeSince(noted!, SERVER_NOW, 'utc')).toBe('since before 04:02:35')
  expect(describeSince({ ...first!, sinceTicks: null }, SERVER_NOW, 'utc')).toBe('start unknown')
  expect(describeSince(first!, null, 'utc')).toBe('since 2026-11-20 04:04:35')
  expect(formatAgo(SERVER_NOW, (SERVER_NOW + 30_000_000) as Ticks)).toBe('3 seconds')
})
