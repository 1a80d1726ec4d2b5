import { describe, expect, it } from 'vitest'
import { beginWork, settled } from './settle.ts'

describe('settled', () => {
  it('waits for all that was begun, and counts an end only once', async () => {
    await settled()
    const [endFirst, endSecond] = [beginWork(), beginWork()]
    let done = false
    const wait = settled().then(() => (done = true))
    endFirst()
    endFirst()
    await Promise.resolve()
    expect(done).toBe(false)
    endSecond()
    await wait
    expect(done).toBe(true)
  })
})
