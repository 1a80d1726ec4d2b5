import { DEVICES, stallsOfDevices } from '../../../../testing/stalls/device-stalls.ts'
import { LIMITED, stallsOfLimits } from '../../../../testing/stalls/limited-stalls.ts'
import { QUEUED, queueStalls } from '../../../../testing/stalls/queued-stalls.ts'
import { SLOWING, stallsOfSlowing } from '../../../../testing/stalls/slowing-stalls.ts'
import { testScenarios } from '../../../../testing/stalls/scored-stalls.ts'

testScenarios(QUEUED, queueStalls)
testScenarios(DEVICES, stallsOfDevices)
testScenarios(LIMITED, stallsOfLimits)
testScenarios(SLOWING, stallsOfSlowing)
