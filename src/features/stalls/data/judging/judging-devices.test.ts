import { DEVICES, stallsOfDevices } from '../../../../testing/device-stalls.ts'
import { QUEUED, queueStalls } from '../../../../testing/queued-stalls.ts'
import { testScenarios } from '../../../../testing/scored-stalls.ts'

testScenarios(QUEUED, queueStalls)
testScenarios(DEVICES, stallsOfDevices)
