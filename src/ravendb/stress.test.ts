import { describe, expect, it } from 'vitest'
import { Stress } from './stress.ts'

describe('whether the server is short of CPU', () => {
  it('is what the dashboard tells, also where a look before it told otherwise', () => {
    const stress = new Stress(() => 0)
    expect(stress.why).toBeNull()
    stress.tell('pulse', 'no CPU')
    expect(stress.why).toBe('no CPU')
    stress.tell('dashboard', null)
    expect(stress.why).toBeNull()
    stress.tell('dashboard', 'no credits')
    expect(stress.why).toBe('no credits')
    stress.tell('dashboard', undefined)
    expect(stress.why).toBe('no CPU')
  })

  it('has to be looked for once the dashboard has been silent for 20 s', () => {
    let nowMs = 0
    const stress = new Stress(() => nowMs)
    stress.tell('pulse', null)
    expect(stress.isFollowed).toBe(false)
    stress.tell('dashboard', null)
    expect(stress.isFollowed).toBe(true)
    nowMs = 20_000
    expect(stress.isFollowed).toBe(false)
  })
})
