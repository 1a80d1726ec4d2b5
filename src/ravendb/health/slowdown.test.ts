import { describe, expect, it } from 'vitest'
import { RavenError, type RavenErrorKind } from '../errors/errors.ts'
import { Slowdown } from './slowdown.ts'

function setup(): {
  slowdown: Slowdown
  wait: (ms: number) => void
  fail: (kind: RavenErrorKind, retryAfterMs?: number) => void
  factors: number[]
} {
  let nowMs = 0
  const factors: number[] = []
  const slowdown: Slowdown = new Slowdown(
    () => nowMs,
    () => factors.push(slowdown.factor),
  )
  return {
    slowdown,
    factors,
    wait: (ms) => void (nowMs += ms),
    fail: (kind, retryAfterMs) =>
      slowdown.failed(
        new RavenError({
          kind,
          endpoint: '/x',
          status: kind === 'busy' ? 503 : null,
          retryAfterMs: retryAfterMs ?? null,
        }),
      ),
  }
}

describe('Slowdown', () => {
  it('doubles while the server is busy, up to 16, and says so', () => {
    const { slowdown, wait, fail, factors } = setup()
    expect(slowdown.reason).toBeNull()
    for (let turn = 0; turn < 7; turn++) {
      fail('busy')
      wait(5000)
    }
    expect(factors).toEqual([2, 4, 8, 16])
    expect(slowdown.reason).toBe('The server is busy (status 503): polls go 16 times slower than planned.')
  })

  it('counts refusals that come together once', () => {
    const { slowdown, fail } = setup()
    fail('busy')
    fail('busy')
    fail('busy')
    expect(slowdown.factor).toBe(2)
  })

  it('returns to its pace with the first response where nothing at all came meanwhile', () => {
    const { slowdown, wait } = setup()
    for (let turn = 0; turn < 4; turn++) {
      slowdown.failed(new RavenError({ kind: 'timeout', endpoint: '/x' }), true)
      wait(2000)
    }
    expect(slowdown.factor).toBe(16)
    slowdown.answered(5)
    expect(slowdown.factor).toBe(1)
  })

  it('recovers step by step with good responses, and not at once', () => {
    const { slowdown, wait, fail } = setup()
    fail('timeout')
    wait(2000)
    fail('timeout')
    expect(slowdown.factor).toBe(4)
    for (let turn = 0; turn < 2; turn++) slowdown.answered(5)
    expect(slowdown.factor).toBe(4)
    wait(3000)
    slowdown.answered(5)
    expect(slowdown.factor).toBe(2)
    wait(3000)
    for (let turn = 0; turn < 3; turn++) slowdown.answered(null)
    expect(slowdown.factor).toBe(1)
    expect(slowdown.reason).toBeNull()
  })

  it('returns to the plan with the first response of a server that was away', () => {
    const { slowdown, wait, fail } = setup()
    for (let turn = 0; turn < 3; turn++) {
      fail('network')
      wait(2000)
    }
    expect(slowdown.factor).toBe(8)
    slowdown.answered(3)
    expect(slowdown.factor).toBe(1)
  })

  it('goes back at once also when calls timed out while it was away', () => {
    const { slowdown, wait, fail } = setup()
    for (const kind of ['network', 'timeout', 'network', 'timeout'] as const) {
      fail(kind)
      wait(2000)
    }
    expect(slowdown.factor).toBe(16)
    slowdown.answered(null)
    expect(slowdown.factor).toBe(1)
  })

  it('takes a slow answer to a cheap request for a sign', () => {
    const { slowdown } = setup()
    slowdown.answered(900)
    expect(slowdown.factor).toBe(1)
    slowdown.answered(2500)
    expect(slowdown.factor).toBe(2)
    expect(slowdown.reason).toContain('took 2.5 s')
  })

  it('waits as long as it is asked to', () => {
    const { slowdown, wait, fail } = setup()
    fail('busy', 30_000)
    expect(slowdown.notBeforeMs).toBe(30_000)
    wait(31_000)
    for (let turn = 0; turn < 3; turn++) slowdown.answered(1)
    expect(slowdown.reason).toBeNull()
  })

  it('ignores what is not urgent', () => {
    const { slowdown, fail } = setup()
    for (const kind of ['refused', 'database-unloaded', 'aborted', 'bad-request', 'not-json'] as const) fail(kind)
    expect(slowdown.factor).toBe(1)
  })
})
