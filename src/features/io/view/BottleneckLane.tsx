import type { ReactNode } from 'react'
import { useMoving, type LaneBelowProps } from '../../../capture/frame/range/useViewport.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { LabelLane } from '../../../charts/timeline/labels/LabelLane.tsx'

/** Steps of ten seconds are kept for a day. */
const MOST_LABELS = 240

/** What limited the server whose I/O this is; nothing where its figures are not there, as in files. */
export function BottleneckLane({ viewport, clock, version }: LaneBelowProps): ReactNode {
  const { scale } = useMoving(viewport)
  const { startTicks, endTicks } = scale.range
  const params = { startTicks, endTicks, most: MOST_LABELS }
  const { response } = useRequest('server.bottlenecks', params, { version, everyMs: 2000 })
  if (response === null || response.intervals.length === 0) return null
  return (
    <LabelLane
      name="Bottleneck"
      explains="What limited the server, of what was measured; its rules stand under Vitals › Machine"
      rows={[response.intervals]}
      scale={scale}
      clock={clock}
    />
  )
}
