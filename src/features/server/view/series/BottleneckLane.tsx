import { seriesWindow } from '../../../../capture/client/requests/series-window.ts'
import type { ReactNode } from 'react'
import { useMoving, type LaneBelowProps } from '../../../../capture/frame/range/useViewport.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { LabelLane } from '../../../../charts/timeline/labels/LabelLane.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import styles from '../server.module.css'

/** A label needs some width to be seen. */
const LABEL_PX = 5

/** Limits of the server, under its figures. */
export function BottleneckLane({ viewport, clock, version }: LaneBelowProps): ReactNode {
  const { scale } = useMoving(viewport)
  const { startTicks, endTicks, maxPoints } = seriesWindow(scale.range, scale.widthPx / LABEL_PX)
  const params = { startTicks, endTicks, most: Math.min(1000, maxPoints) }
  const { response, error } = useRequest('server.bottlenecks', params, { version, everyMs: 2000 })
  if (response === null) return error === null ? null : <ErrorNotice error={error} tone="warn" />
  return (
    <LabelLane
      name="Bottleneck"
      explains="What limited the server, of what was measured"
      rows={[response.intervals]}
      scale={scale}
      clock={clock}
    >
      <dl className={styles.rules}>
        {response.rules.map(({ title, reason }) => (
          <div key={reason}>
            <dt>{title}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </LabelLane>
  )
}
