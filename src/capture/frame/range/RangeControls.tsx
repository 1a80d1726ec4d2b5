import { useState, type ReactNode } from 'react'
import { formatDateTime } from '../../../base/text/format.ts'
import type { Draw } from '../../../charts/canvas/stage.ts'
import { Overview } from '../../../charts/timeline/Overview.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import { useView } from '../../client/view.ts'
import styles from './RangeControls.module.css'
import { RangeToolbar } from './RangeToolbar.tsx'
import type { PanelRange } from './usePanelRange.ts'

export interface RangeControlsProps {
  readonly range: PanelRange
  readonly fold: { readonly title: string; readonly checked: boolean; readonly onChange: (fold: boolean) => void }
  readonly filters: {
    /** Number of active filters. */
    readonly active: number
    readonly isOpenAtFirst: boolean
    readonly fields: ReactNode
  }
  /** Draws the overview strip. */
  readonly drawOverview: Draw
  readonly onOverviewWidth: (widthPx: number) => void
  /** Further buttons of the panel. */
  readonly children: ReactNode
}

/** Controls above a timeline: toolbar of the range, filters, and overview. */
export function RangeControls(props: RangeControlsProps): ReactNode {
  const { range, fold, filters, drawOverview, onOverviewWidth, children } = props
  const { viewport, known } = range
  const { clock } = useView().view
  const [filtersOpen, setFiltersOpen] = useState(filters.isOpenAtFirst)
  return (
    <>
      <RangeToolbar viewport={viewport}>
        <Toggle label="Fold idle" {...fold} />
        <Button aria-expanded={filtersOpen} onClick={() => setFiltersOpen(!filtersOpen)}>
          {filters.active === 0 ? 'Filters' : `Filters: ${String(filters.active)}`}
        </Button>
        {children}
      </RangeToolbar>
      {filtersOpen ? filters.fields : null}
      <div className={styles.overview}>
        {known === null ? null : (
          <Overview
            label="Overview of everything seen"
            extent={known}
            range={viewport.range}
            draw={drawOverview}
            onRange={viewport.setRange}
            onWidth={onOverviewWidth}
            describe={(at) => formatDateTime(at, clock, 3)}
          />
        )}
      </div>
    </>
  )
}
