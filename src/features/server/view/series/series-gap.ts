import type { Gap } from '../../../../capture/client/state.ts'
import type { ServerGap } from '../../../../feeds/server/contract/series.ts'

/** Converts a gap of the server's figures to a gap of the capture. */
export const seriesGap = ({ isOfDetails, ...gap }: ServerGap, id: number): Gap => ({
  ...gap,
  id,
  source: 'server',
  lane: isOfDetails === true ? 'details' : null,
  kind: null,
  missingCount: null,
  missingBytes: null,
})
