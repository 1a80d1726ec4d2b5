import { expect, it } from 'vitest'
import { DEVICES, stallsOfDevices } from '../../../../testing/stalls/device-stalls.ts'
import { LIMITED, stallsOfLimits } from '../../../../testing/stalls/limited-stalls.ts'
import { QUEUED, queueStalls } from '../../../../testing/stalls/queued-stalls.ts'
import { judged, testScenarios } from '../../../../testing/stalls/scored-stalls.ts'

testScenarios(QUEUED, queueStalls)
testScenarios(DEVICES, stallsOfDevices)
testScenarios(LIMITED, stallsOfLimits)

it.each([7, 8, 19])(
  'finds no limit where each environment keeps its own speed beside others (seed %i)',
  async (seed) => {
    const { judgements } = await judged(
      stallsOfLimits('limited: own speed, in parallel', seed * 7919, 9 * 60_000),
      seed,
    )
    expect(judgements.find(({ cause }) => cause === 'ceiling')?.limit).toBeNull()
    expect(judgements.find(({ cause }) => cause === 'size')?.verdict).toBe('explains')
  },
)
