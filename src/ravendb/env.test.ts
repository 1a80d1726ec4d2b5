import { expect, it, vi } from 'vitest'
import { realEnv } from './env.ts'

it.each([2 ** 31, 1e12, Number.POSITIVE_INFINITY])('a timer of %s ms does not run at once', async (delayMs) => {
  const env = realEnv('http://raven')
  const run = vi.fn()
  const id = env.setTimeout(run, delayMs)
  await new Promise((done) => setTimeout(done, 20))
  env.clearTimeout(id)
  expect(run).not.toHaveBeenCalled()
})
