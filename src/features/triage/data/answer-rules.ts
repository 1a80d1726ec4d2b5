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
import {
  indexBehind,
  indexOff,
  largeFanOut,
  manyReferences,
  staticIndexIdle,
  storesAllFields,
} from './rules/answers/indexes.ts'
import { certificatesEnd } from './rules/answers/certificates.ts'
import {
  clusterLogStalled,
  electionTimeout,
  nodePromotable,
  nodeRole,
  observerSuspended,
  slowPing,
} from './rules/answers/cluster.ts'
import {
  busyThread,
  collections,
  coresUnused,
  heapFragmented,
  kernelTime,
  manyConnections,
  manyThreads,
  memoryHolder,
} from './rules/answers/server.ts'
import { storageFails } from './rules/answers/writes.ts'
import type { TriageRule } from './facts.ts'

/** Rules that judge by a single response, whenever it was received. */
export const ANSWER_RULES: readonly TriageRule[] = [
  storageFails,
  clusterLogStalled,
  slowPing,
  observerSuspended,
  certificatesEnd,
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
  heapFragmented,
  kernelTime,
  manyThreads,
  busyThread,
  conflicts,
  hugeDocuments,
  largeFanOut,
  manyReferences,
  storesAllFields,
  staticIndexIdle,
  indexOff,
  storageFree,
  nodePromotable,
  nodeRole,
  electionTimeout,
  coresUnused,
]

/** Rules for packages only. For a live server other rules judge the same facts over time, also after a check. */
const OF_A_MOMENT = new Set([storageFails, writesWait, indexBehind])
export const CHECK_RULES: readonly TriageRule[] = ANSWER_RULES.filter((rule) => !OF_A_MOMENT.has(rule))
