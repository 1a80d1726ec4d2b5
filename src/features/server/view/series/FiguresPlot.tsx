import type { ReactNode } from 'react'
import type { Gap } from '../../../../capture/client/state.ts'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import styles from '../server.module.css'
import { layoutGaps, type ServerPicture } from './draw.ts'
import { SeriesPlot, type SeriesPlotProps } from './SeriesPlot.tsx'

/** Width of the plot before it is first measured. */
export const ASSUMED_WIDTH_PX = 900
/** Height of axis and border together. */
const AROUND_PX = 38

interface FiguresPlotProps
  extends Omit<SeriesPlotProps, 'picture'>, Pick<ServerPicture, 'layout' | 'series' | 'known'> {
  readonly gaps: readonly Gap[]
}

/** Plot of the charts; its height fits the content. */
export function FiguresPlot({ layout, series, gaps, known, ...props }: FiguresPlotProps): ReactNode {
  const tokens = useCanvasTokens()
  return (
    <div className={styles.plot} style={{ ['--content' as string]: `${String(layout.heightPx + AROUND_PX)}px` }}>
      <SeriesPlot
        picture={{ layout, series, gaps: layoutGaps(layout, gaps), tokens, clock: props.clock, known }}
        {...props}
      />
    </div>
  )
}
