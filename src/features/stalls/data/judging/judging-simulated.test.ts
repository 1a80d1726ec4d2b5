import { testScenarios } from '../../../../testing/scored-stalls.ts'
import { SIMULATED, simulateStalls } from '../../../../testing/simulated-stalls.ts'

testScenarios(SIMULATED, simulateStalls)
