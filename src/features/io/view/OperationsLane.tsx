import type { ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import { useMoving, type Viewport } from '../../../capture/frame/useViewport.ts'
import { useRequest } from '../../../capture/client/useRequest.ts'
import { LabelLane } from '../../../charts/timeline/labels/LabelLane.tsx'

/** Operations of the server whose I/O this is, as far as they were collected while a panel of the server was open. */
export function OperationsLane({
  viewport,
  clock,
  version,
}: {
  readonly viewport: Viewport
  readonly clock: Clock
  readonly version: number
}): ReactNode {
  const { scale } = useMoving(viewport)
  const { startTicks, endTicks } = scale.range
  const { response } = useRequest('server.operations', { startTicks, endTicks }, { version, everyMs: 2000 })
  if (response === null || response.rows.length === 0) return null
  return (
    <LabelLane
      name="Operations"
      explains="Operations of databases in which other clients write, read every 20 s while a panel that shows the server is open"
      rows={response.rows}
      summary={response.summary}
      scale={scale}
      clock={clock}
    />
  )
}
