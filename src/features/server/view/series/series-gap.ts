import type { Gap } from '../../../../capture/client/state.ts'
import type { ServerGap } from '../../../../feeds/server/contract/series.ts'

/** A gap of the figures of the server as one of the capture. */
export const seriesGap = ({ isOfDetails, ...gap }: ServerGap, id: number): Gap => ({
  ...gap,
  id,
  source: 'server',
  lane: isOfDetails === true ? 'details' : null,
  kind: null,
  missingCount: null,
  missingBytes: null,
})
