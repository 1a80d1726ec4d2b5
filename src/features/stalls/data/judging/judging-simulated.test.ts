import { testScenarios } from '../../../../testing/stalls/scored-stalls.ts'
import { SIMULATED, simulateStalls } from '../../../../testing/stalls/simulated-stalls.ts'

testScenarios(SIMULATED, simulateStalls)
