import { formatCount, formatLeastShare, formatPlural, formatShare } from './format.ts'

/**
 * CPU of a server and of its machine, percent, as the server reports them: the machine’s of all cores of the machine, the
 * server’s of the cores that it may use. Where affinity or a quota withholds cores from the process, the server sees fewer
 * cores than the machine has, and nothing reports how many those are. A quota of a part of a core is rounded up: a server
 * with 1.5 of 2 cores sees 2, uses at most 75 % of them, and reports the quota nowhere.
 */
export interface CpuShares {
  readonly machine: number
  readonly process: number
  /** Number of cores that the server sees; null: not reported. */
  readonly cores: number | null
  /** Number of them that it may use under its licence and settings; null: not reported. */
  readonly usedCores: number | null
}

/** Difference, percent, from which on the two are not of the same cores: they are rounded, and measured one after the other. */
const ROUNDED_PERCENT = 5

/** Share of the seen cores that the server may use, 0–1; 1: all, or not reported. */
export const usableShare = ({ cores, usedCores }: Pick<CpuShares, 'cores' | 'usedCores'>): number =>
  cores === null || usedCores === null || usedCores <= 0 || usedCores >= cores ? 1 : usedCores / cores

/**
 * Percent of the machine that other processes use at least: more where the machine has more cores than the server sees;
 * null if it is unknown, since the server’s share is no part of the machine’s.
 */
export function leastByOthers(shares: CpuShares): number | null {
  const least = shares.machine - shares.process * usableShare(shares)
  return least < -ROUNDED_PERCENT ? null : Math.max(0, least)
}

/** Names the cores that the server may use, such as `its 2 cores`. */
export function ownCores({ cores, usedCores }: Pick<CpuShares, 'cores' | 'usedCores'>): string {
  const used = usedCores ?? cores
  if (used === null) return 'its cores'
  if (cores !== null && used < cores) return `its ${formatCount(used)} of ${formatPlural(cores, 'core')}`
  return used === 1 ? 'its only core' : `its ${formatPlural(used, 'core')}`
}

/** Phrase on who uses the CPU, such as `this server used 39 % of its 2 cores, other processes at least 57 % of the machine`. */
export function describeShares(shares: CpuShares): string {
  const others = leastByOthers(shares)
  return `this server used ${formatShare(shares.process / 100)} of ${ownCores(shares)}, ${
    others === null
      ? 'other processes an unknown share: the machine has more cores than this server sees'
      : `other processes at least ${formatLeastShare(others / 100)} of the machine`
  }`
}
