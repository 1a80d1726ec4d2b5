import { COMPRESSED, stallsOfCompressed } from '../../../../testing/stalls/compressed-stalls.ts'
import { testScenarios } from '../../../../testing/stalls/scored-stalls.ts'

testScenarios(COMPRESSED, stallsOfCompressed)
