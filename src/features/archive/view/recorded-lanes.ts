import type {} from '../../../feeds/indexing/contract.ts'
import type {} from '../../../feeds/io/contract.ts'
import type {} from '../../../feeds/server/contract.ts'
import type {} from '../../stalls/contract.ts'
/** Timeline lanes for a recorded hour: findings, figures, I/O and batches. */
export const RECORDED_LANES = [
  'archive.hours',
  'archive.findings',
  'server.cpu',
  'io.journals',
  'stalls.stalls',
  'indexing.batches',
  'server.requests',
  'server.latency',
  'server.memory',
  'server.gc',
  'server.notifications',
].join(',')
