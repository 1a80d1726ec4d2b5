import { useId, useState, type ReactNode } from 'react'
import { formatDateTime, formatPlural } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { toggled } from '../../../capture/client/param-text.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import type { PackagedProps } from '../../../capture/frame/panel.ts'
import { RecordedPanel } from '../../../capture/frame/RecordedPanel.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { useViewport } from '../../../capture/frame/range/useViewport.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { FiguresTable } from './FiguresTable.tsx'
import { formatSettings, parseSettings, type ServerSettings } from './params.ts'
import { ASSUMED_WIDTH_PX, FiguresPlot } from './series/FiguresPlot.tsx'
import { rowsByKey, useCharts } from './series/useCharts.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './server.module.css'
import { formatBeat } from '../../../base/text/figures.ts'
import { useRecordedSeries } from './useServerData.ts'

/** Figures over time of a recorded server, for the hours of the recording that are open. */
export default function RecordedServer(props: PackagedProps): ReactNode {
  return (
    <RecordedPanel {...props}>
      {({ node, sources }) => <RecordedFigures key={node} recording={props.file} node={node} sources={sources} />}
    </RecordedPanel>
  )
}

interface RecordedFiguresProps {
  readonly recording: string
  readonly node: string
  readonly sources: readonly SourceId[]
}

function RecordedFigures({ recording, node, sources }: RecordedFiguresProps): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const { clock } = view
  const settings = parseSettings(view.params)
  const set = (parts: Partial<ServerSettings>): void => change({ params: formatSettings(parts) })
  const keysId = useId()
  const [widthPx, setWidthPx] = useState(0)
  const shownPx = widthPx > 0 ? widthPx : ASSUMED_WIDTH_PX
  // Extent of the recorded figures, which every response contains. The extent of the capture includes I/O of other
  // sources, which would stretch the view.
  const [extent, setExtent] = useState<TimeRange | null>(null)
  const seen = extent === null ? state : { ...state, extent, nowTicks: extent.endTicks }
  const viewport = useViewport(seen, shownPx, NO_FOLDS, true)
  const { range } = viewport
  const charts = useCharts(settings.closed)
  const { response, error } = useRecordedSeries(charts.keys, range, shownPx, state.version, sources)
  charts.take(response)
  const series = rowsByKey(response)
  const first = response?.series.find((rows) => rows.length > 0)
  const known = response?.extent ?? null
  if (known?.startTicks !== extent?.startTicks || known?.endTicks !== extent?.endTicks) setExtent(known)
  const isReading = state.files.some(({ endedMs }) => endedMs === null)
  return (
    <>
      <div className="row">
        <PanelSentence isBeside>
          {isReading ? 'Reading… ' : ''}
          {response === null
            ? 'Reading the figures of the recording.'
            : extent === null
              ? `No figures of ${node} are in the open hours of the recording ${recording}.`
              : `${formatPlural(response.available.length, 'figure')} of ${node}, recorded from ${formatDateTime(extent.startTicks, clock, 0)} to ${formatDateTime(extent.endTicks, clock, 0)} in ${recording}.`}
        </PanelSentence>
      </div>
      {error === null ? null : <ErrorNotice error={error} tone="warn" />}
      {response !== null && extent === null ? (
        <EmptyState title="No figures here">
          <PanelLink panel="archive">Open other hours in Archive</PanelLink>
        </EmptyState>
      ) : (
        <>
          <RangeToolbar viewport={viewport}>
            <Button
              aria-pressed={settings.table}
              title="The same figures as a table"
              onClick={() => set({ table: !settings.table })}
            >
              Table
            </Button>
          </RangeToolbar>
          <FiguresPlot
            layout={charts.layout}
            series={series}
            gaps={[]}
            known={extent}
            viewport={viewport}
            clock={clock}
            describedBy={keysId}
            onToggle={(id) => set({ closed: toggled(settings.closed, id) })}
            onWidth={setWidthPx}
          />
          <p id={keysId} className={cx('faint', styles.note)}>
            Lines are means, bands reach from least to largest
            {first === undefined ? '' : `, a point is ${formatBeat(first.bucketTicks)} here`}. A line breaks where
            nothing was recorded.
          </p>
          {settings.table ? <FiguresTable groups={charts.groups} series={series} range={range} /> : null}
        </>
      )}
      <p className="note">
        A recording has figures over time: what memory consists of, single collections, starts of the server and its
        disks’ forecast are not in it. Its notifications, findings and slow queries are in{' '}
        <PanelLink panel="archive">Archive</PanelLink>.
      </p>
    </>
  )
}
