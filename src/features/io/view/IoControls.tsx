import type { ReactNode } from 'react'
import { CompareMenu } from '../../../capture/frame/CompareMenu.tsx'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import type { ExportSubject } from '../../../capture/exporting/export-subject.ts'
import { RangeControls } from '../../../capture/frame/range/RangeControls.tsx'
import type { Frame } from '../../../charts/canvas/stage.ts'
import type { IoExportId } from '../../../feeds/io/contract/exports.ts'
import type { IoLanesResponse } from '../../../feeds/io/contract/lanes.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Filters } from './Filters.tsx'
import { drawOverview } from './timeline/overview-picture.ts'
import type { IoPalette } from './timeline/palette.ts'
import type { IoView } from './useIoView.ts'

/** Width below which the filters are closed at first. */
const WIDE_PX = 992

interface IoControlsProps {
  readonly view: IoView
  readonly met: IoLanesResponse
  readonly palette: IoPalette
  readonly exported: ExportSubject<'io.exportCount', IoExportId>
}

/** Range, filters, overview strip, and display options for the events in view. */
export function IoControls({ view, met, palette, exported }: IoControlsProps): ReactNode {
  const { settings, set, gaps, panelRange, range, sources, overview } = view
  const { known } = panelRange
  const drawStrip = (context: CanvasRenderingContext2D, frame: Frame): void => {
    if (overview !== null && known !== null)
      drawOverview(context, frame, { response: overview, extent: known, gaps }, palette)
  }
  return (
    <RangeControls
      range={panelRange}
      fold={{
        title: 'Shrink stretches of more than two seconds in which nothing happened',
        checked: settings.fold,
        onChange: (fold) => set({ fold }),
      }}
      filters={{
        active: view.activeFilters,
        isOpenAtFirst: window.innerWidth >= WIDE_PX,
        fields: (
          <Filters
            kinds={met.kinds}
            matchingLanes={met.matching}
            allLanes={met.all}
            settings={settings}
            onChange={set}
          />
        ),
      }}
      drawOverview={drawStrip}
      onOverviewWidth={view.onOverviewWidth}
    >
      <Button
        aria-pressed={settings.table}
        onClick={() => set({ table: !settings.table })}
        title="The same events as a table"
      >
        Table
      </Button>
      <Button
        aria-pressed={settings.distribution}
        onClick={() => set({ distribution: !settings.distribution })}
        title="How durations of the events in view are distributed, and their throughput"
      >
        Distribution
      </Button>
      <Segmented
        label="Lanes show"
        options={[
          { value: 'durations', text: 'Durations', title: 'Each event, as wide as it took' },
          { value: 'heat', text: 'Heat map', title: 'Latency heat map: how many events took how long' },
        ]}
        value={settings.lanes}
        onChange={(shown) => set({ lanes: shown })}
      />
      <Button
        aria-pressed={settings.stalls}
        onClick={() => set({ stalls: !settings.stalls })}
        title="Mark journal writes that stalled, by cause"
      >
        Mark stalls
      </Button>
      <CompareMenu range={range} of="io" sources={sources} />
      <ExportButton subject={exported} />
    </RangeControls>
  )
}
