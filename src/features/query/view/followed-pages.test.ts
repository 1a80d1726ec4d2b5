import { expect, it, vi } from 'vitest'
import { FollowedPages, type FollowedPage } from './followed-pages.ts'

/** As 7.1.5 pages an index with three entries for each of 600 documents, 100 results a page. */
function page(start: number): FollowedPage {
  const rows = Array.from({ length: 100 }, (_, i) => `{"N":${start / 3 + i}}`)
  return { start, rows, skipped: 200, total: 1800 }
}

it('reads each page from where the one before ended, and each result once', async () => {
  const request = vi.fn((start: number) => Promise.resolve(page(start)))
  const followed = new FollowedPages(page(0), request)
  const { signal } = new AbortController()
  await Promise.all([followed.read(200, signal), followed.read(300, signal)])
  expect([request.mock.calls.map(([start]) => start), followed.total]).toEqual([[300, 600], null])
  await followed.read(10_000, signal)
  expect(new Set(followed.rows).size).toBe(600)
  expect([followed.rows.length, followed.total]).toEqual([600, 600])
})

it('goes on after a page that failed or was not waited for', async () => {
  const request = vi.fn((start: number) => Promise.resolve(page(start)))
  request.mockImplementationOnce(() => Promise.reject(new Error('no')))
  const followed = new FollowedPages(page(0), request)
  await expect(followed.read(200, new AbortController().signal)).rejects.toThrow('no')
  await expect(followed.read(200, AbortSignal.abort())).rejects.toThrow('abort')
  await followed.read(200, new AbortController().signal)
  expect(followed.rows).toHaveLength(200)
})
