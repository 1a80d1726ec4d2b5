import type { Bytes } from '../base/brand.ts'

/** Below so much available memory the server calls memory low. */
export interface LowMemoryLimit {
  readonly bytes: Bytes
  /**
   * - `configured`: a user set it
   * - `default`: the server's own, as it reports it
   * - `assumed`: the default of the server; the setting is not readable
   */
  readonly from: 'configured' | 'default' | 'assumed'
}

const MIB = 1024 ** 2

/** As the server judges it: extremely low is below a fifth of the limit. */
export const severityOf = (
  availableBytes: number,
  { bytes }: { readonly bytes: number },
): 'None' | 'Low' | 'ExtremelyLow' =>
  availableBytes < bytes / 5 ? 'ExtremelyLow' : availableBytes < bytes ? 'Low' : 'None'

/** The default of the server: min(2 GiB, a tenth of the memory). */
export const assumedLowMemoryLimit = (physicalBytes: number): LowMemoryLimit => ({
  bytes: Math.min(2048 * MIB, physicalBytes / 10) as Bytes,
  from: 'assumed',
})
