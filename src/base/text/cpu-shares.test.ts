import { describe, expect, it } from 'vitest'
import { describeShares, leastByOthers, ownCores, usableShare } from './cpu-shares.ts'

const ALL = { machine: 97, process: 40, cores: 2, usedCores: 2 }

describe('shares of the CPU', () => {
  it('leave others what this server does not use, as a lower bound', () => {
    expect(leastByOthers(ALL)).toBe(57)
    expect(describeShares(ALL)).toBe(
      'this server used 40.0 % of its 2 cores, other processes at least 57.0 % of the machine',
    )
  })

  it('count the share of a server that its licence limits to some cores as one of those cores', () => {
    const limited = { machine: 40, process: 60, cores: 8, usedCores: 3 }
    expect(usableShare(limited)).toBe(3 / 8)
    expect(leastByOthers(limited)).toBe(17.5)
    expect(describeShares(limited)).toBe(
      'this server used 60.0 % of its 3 of 8 cores, other processes at least 17.5 % of the machine',
    )
  })

  it('are not subtracted where the machine has cores that the server does not see', () => {
    const pinned = { machine: 52, process: 99, cores: 1, usedCores: 1 }
    expect(leastByOthers(pinned)).toBeNull()
    expect(describeShares(pinned)).toBe(
      'this server used 99.0 % of its only core, other processes an unknown share: the machine has more cores than this server sees',
    )
    // Both are rounded, and measured one after the other.
    expect(leastByOthers({ ...ALL, machine: 38 })).toBe(0)
  })

  it('name its cores only where they are reported', () => {
    expect(ownCores({ cores: null, usedCores: null })).toBe('its cores')
    expect(ownCores({ cores: 8, usedCores: null })).toBe('its 8 cores')
    expect(usableShare({ cores: 8, usedCores: null })).toBe(1)
  })
})
