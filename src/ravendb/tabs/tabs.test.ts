import { expect, test } from 'vitest'
import { openChannel } from './tabs.ts'

test('a channel passes messages on, and drops what is posted after its end', async () => {
  const [from, to] = [openChannel('rookery tests of tabs'), openChannel('rookery tests of tabs')]
  const received = new Promise((resolve) => (to.onmessage = ({ data }) => resolve(data)))
  from.postMessage({ type: 'hello' })
  expect(await received).toEqual({ type: 'hello' })
  from.close()
  to.close()
  expect(() => from.postMessage({ type: 'late' })).not.toThrow()
})
