import { databaseFaulted, databaseLoading } from './rules/databases.ts'
import { indexErrored, indexingErrors, indexingStopped, indexTrouble } from './rules/indexing.ts'
import { heldUpCommits, slowWrites } from './rules/stalls.ts'
import { longQueries, mergerQueue } from './rules/waiting.ts'
import { lowMemory, dirtyMemory, gcPauses } from './rules/memory.ts'
import { cpuBusy, cpuCredits, diskFull, diskQueue } from './rules/machine.ts'
import {
  serverUnresponsive,
  serverWasUnresponsive,
  serverAlerts,
  restartSeen,
  serverReplaced,
  clockJump,
  clusterNode,
} from './rules/server.ts'
import { writesFail } from './rules/writes.ts'
import { licence, rights } from './rules/access.ts'
import type { TriageRule } from './facts.ts'

/** All rules, in any order: findings are sorted by level and weight. */
export const TRIAGE_RULES: readonly TriageRule[] = [
  serverUnresponsive,
  serverWasUnresponsive,
  writesFail,
  databaseFaulted,
  databaseLoading,
  indexErrored,
  indexingErrors,
  indexTrouble,
  indexingStopped,
  slowWrites,
  heldUpCommits,
  longQueries,
  mergerQueue,
  lowMemory,
  dirtyMemory,
  cpuCredits,
  cpuBusy,
  diskFull,
  diskQueue,
  gcPauses,
  serverAlerts,
  restartSeen,
  serverReplaced,
  clockJump,
  licence,
  rights,
  clusterNode,
]
