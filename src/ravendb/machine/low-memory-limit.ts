import type { Bytes } from '../../base/brand.ts'

/** Available memory below which the server considers memory low. */
export interface LowMemoryLimit {
  readonly bytes: Bytes
  /**
   * `configured`: set by a user. `default`: the server's default, as it reports it. `assumed`: the server's default
   * rule; the setting is not readable.
   */
  readonly from: 'configured' | 'default' | 'assumed'
}

const MIB = 1024 ** 2

/** Severity as the server judges it: extremely low is below a fifth of the limit. */
export const severityOf = (
  availableBytes: number,
  { bytes }: { readonly bytes: number },
): 'None' | 'Low' | 'ExtremelyLow' =>
  availableBytes < bytes / 5 ? 'ExtremelyLow' : availableBytes < bytes ? 'Low' : 'None'

/** The server's default: min(2 GiB, a tenth of the memory). */
export const assumedLowMemoryLimit = (physicalBytes: number): LowMemoryLimit => ({
  bytes: Math.min(2048 * MIB, physicalBytes / 10) as Bytes,
  from: 'assumed',
})
