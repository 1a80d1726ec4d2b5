import { expect, it, vi } from 'vitest'
import { IoFeed } from '../features/io/data/feed.ts'
import { warmUp } from './warm-up.ts'

it('reads its sample into tables of its own and computes a first picture', async () => {
  const reader = vi.spyOn(IoFeed.prototype, 'reader')
  await warmUp()
  for (const { value } of reader.mock.results) expect(value).toHaveProperty('rule')
  const rows = reader.mock.contexts.map((feed) => (feed as IoFeed).byteLength().rows)
  expect(rows).toEqual([2100, 2100, 2100])
  expect(new Set(reader.mock.contexts).size).toBe(3)
  reader.mockRestore()
})
