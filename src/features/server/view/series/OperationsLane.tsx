import type { ReactNode } from 'react'
import { useMoving, type LaneBelowProps } from '../../../../capture/frame/range/useViewport.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { LabelLane } from '../../../../charts/timeline/labels/LabelLane.tsx'

/** Bulk inserts and other operations of databases that are written to, and those of the server; nothing where there was none, as in files. */
export function OperationsLane({ viewport, clock, version }: LaneBelowProps): ReactNode {
  const { scale } = useMoving(viewport)
  const { startTicks, endTicks } = scale.range
  const { response } = useRequest('server.operations', { startTicks, endTicks }, { version, everyMs: 2000 })
  if (response === null || response.rows.length === 0) return null
  return (
    <LabelLane
      name="Operations"
      explains="Operations of databases in which other clients write, read every 20 s while a panel that shows the server is open: their pace and, of bulk inserts, what the transaction merger spent its time on; and those of the server, such as compactions and restores, which it pushes"
      rows={response.rows}
      summary={response.summary}
      scale={scale}
      clock={clock}
    />
  )
}
