import {
  backupOld,
  conflicts,
  databaseDisabled,
  databaseNode,
  hugeDocuments,
  storageFree,
  systemTransaction,
  tombstonesHeld,
  transactionsOpen,
  writesWait,
} from './rules/answers/databases.ts'
import { indexBehind, largeFanOut, manyReferences, staticIndexIdle, storesAllFields } from './rules/answers/indexes.ts'
import {
  clusterLogStalled,
  collections,
  coresUnused,
  kernelTime,
  manyConnections,
  manyThreads,
  memoryHolder,
  nodePromotable,
  observerSuspended,
  slowPing,
} from './rules/answers/server.ts'
import type { TriageRule } from './facts.ts'

/** Rules that one response decides, whenever it was given. */
export const ANSWER_RULES: readonly TriageRule[] = [
  clusterLogStalled,
  slowPing,
  observerSuspended,
  databaseDisabled,
  databaseNode,
  indexBehind,
  writesWait,
  backupOld,
  tombstonesHeld,
  transactionsOpen,
  systemTransaction,
  manyConnections,
  memoryHolder,
  collections,
  kernelTime,
  manyThreads,
  conflicts,
  hugeDocuments,
  largeFanOut,
  manyReferences,
  storesAllFields,
  staticIndexIdle,
  storageFree,
  nodePromotable,
  coresUnused,
]

/** Rules for packages only: for a live server other rules judge the same over time, also after a check that the user began. */
const OF_A_MOMENT = new Set([
  writesWait,
  indexBehind,
  databaseDisabled,
  databaseNode,
  slowPing,
  memoryHolder,
  kernelTime,
  manyThreads,
])
export const CHECK_RULES: readonly TriageRule[] = ANSWER_RULES.filter((rule) => !OF_A_MOMENT.has(rule))
