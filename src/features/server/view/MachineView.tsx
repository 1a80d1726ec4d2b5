import { formatBeat, formatMoment } from '../../../base/text/figures.ts'
import { useId, useState, type ReactNode } from 'react'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { CompareMenu } from '../../../capture/frame/CompareMenu.tsx'
import type { LaneId } from '../../../capture/frame/lanes/lane.ts'
import { LazyLanesBelow } from '../../../capture/frame/lanes/LazyLanesBelow.tsx'
import { GapList, gapsIn } from '../../../capture/frame/notices/GapList.tsx'
import { toggled } from '../../../capture/client/param-text.ts'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import type { CaptureState } from '../../../capture/client/state.ts'
import { useViewport } from '../../../capture/frame/range/useViewport.ts'
import { useView } from '../../../capture/client/view.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import type { ServerNow } from '../../../feeds/server/contract/now.ts'
import { CreditsCard } from './cards/CreditsCard.tsx'
import { FiguresTable } from './FiguresTable.tsx'
import { GcCard } from './cards/GcCard.tsx'
import { LatencyCard } from './cards/LatencyCard.tsx'
import { LowMemoryCard } from './cards/LowMemoryCard.tsx'
import { MemoryBar, MemoryNotYet } from './cards/MemoryBar.tsx'
import { formatSettings, type ServerSettings } from './params.ts'
import { RunsCard } from './cards/RunsCard.tsx'
import { seriesGap } from './series/series-gap.ts'
import { ASSUMED_WIDTH_PX, FiguresPlot } from './series/FiguresPlot.tsx'
import { rowsByKey, useCharts } from './series/useCharts.ts'
import styles from './server.module.css'
import { useSeries } from './useServerData.ts'
import { VolumesCard } from './cards/VolumesCard.tsx'
import { WorkCard } from './cards/WorkCard.tsx'
import { cx } from '../../../ui/theme/cx.ts'

/** Length of the time range that is shown around a clicked moment. */
const AROUND_TICKS = 10 * 60 * TICKS_PER_SECOND
const SERVER_ONLY = ['server']
const LANES_OF_SERVER: readonly LaneId[] = ['server.bottleneck', 'server.operations']

interface MachineViewProps {
  readonly now: ServerNow
  readonly state: CaptureState
  readonly settings: ServerSettings
}

/** The machine and its server: memory as a bar, everything else over time, with the newest figures beside it. */
export function MachineView({ now, state, settings }: MachineViewProps): ReactNode {
  const { view, change } = useView()
  const { clock } = view
  const keysId = useId()
  const [widthPx, setWidthPx] = useState(0)
  const seen = seenOf(now, state)
  const viewport = useViewport(seen, widthPx > 0 ? widthPx : ASSUMED_WIDTH_PX, NO_FOLDS)
  const { range } = viewport
  const charts = useCharts(settings.closed)
  const requested = useSeries(charts.keys, range, widthPx > 0 ? widthPx : ASSUMED_WIDTH_PX, now.version)
  const { response } = requested
  charts.take(response)
  const { groups } = charts
  const series = rowsByKey(response)
  const gaps = response?.gaps.map(seriesGap) ?? []
  // Other figures than vital signs are collected only while a page of the server is open, so their gaps are not
  // reported.
  const vitalGaps = gaps.filter(({ lane }) => lane === null)
  const first = response?.series.find((rows) => rows.length > 0)

  const show = (at: Ticks): void =>
    change({
      range: { startTicks: Math.round(at - AROUND_TICKS) as Ticks, endTicks: Math.round(at + AROUND_TICKS) as Ticks },
    })
  const set = (parts: Partial<ServerSettings>): void => change({ params: formatSettings(parts) })

  const hasGaps = gapsIn(vitalGaps, range).length > 0
  const isShown =
    settings.show === '' || (settings.show === 'Gaps' ? response === null || hasGaps : hasCard(now, settings.show))

  return (
    <>
      {isShown ? null : (
        <p role="status">
          The link leads to “{settings.show}”, of which the server reports nothing now.{' '}
          <Button small onClick={() => set({ show: '' })}>
            Dismiss
          </Button>
        </p>
      )}
      {now.memory === null ? <MemoryNotYet /> : <MemoryBar memory={now.memory} gc={now.gc} nowTicks={now.nowTicks} />}
      <RangeToolbar viewport={viewport}>
        <Button
          aria-pressed={settings.table}
          title="The same figures as a table"
          onClick={() => set({ table: !settings.table })}
        >
          Table
        </Button>
        <CompareMenu range={viewport.settled} of="server" sources={SERVER_ONLY} />
      </RangeToolbar>
      {requested.error === null ? null : <ErrorNotice error={requested.error} tone="warn" />}
      <div className={styles.body}>
        <div className={styles.charts}>
          <FiguresPlot
            layout={charts.layout}
            series={series}
            gaps={gaps}
            known={seen.known}
            viewport={viewport}
            clock={clock}
            describedBy={keysId}
            onToggle={(id) => set({ closed: toggled(settings.closed, id) })}
            onWidth={setWidthPx}
          />
          <LazyLanesBelow
            panel="server"
            label="Lanes below the charts"
            preset={LANES_OF_SERVER}
            viewport={viewport}
            state={state}
          />
          <p id={keysId} className={cx('faint', styles.note)}>
            {now.extent !== null && range.startTicks < now.extent.startTicks
              ? `No data before ${formatMoment(now.extent.startTicks, now.nowTicks, clock)}. `
              : ''}
            Lines are means, bands reach from least to largest
            {first === undefined
              ? ''
              : `, a point is ${formatBeat(first.bucketTicks)} here, kept every ${formatBeat(first.tierSeconds * TICKS_PER_SECOND)}`}
            ; hatched: no data.{' '}
            <span title="Older figures are kept as sums, extremes and counts of longer spans.">
              Kept: 1 s for an hour, 10 s for a day, 1 min for a month.
            </span>
          </p>
          {settings.table ? <FiguresTable groups={groups} series={series} range={range} /> : null}
        </div>
        <aside className={cx('column', styles.side)} aria-label="Newest figures">
          {!hasGaps ? null : (
            <section aria-label="Gaps">
              <GapList gaps={vitalGaps} range={range} clock={clock} isOpen={settings.show === 'Gaps'} isOfFigures />
            </section>
          )}
          {now.credits === null ? null : <CreditsCard credits={now.credits} />}
          <WorkCard work={now.work} nowTicks={now.nowTicks} />
          <LatencyCard />
          <VolumesCard volumes={now.volumes} serverId={now.server.serverId} nowTicks={now.nowTicks} />
          {now.gc === null ? null : <GcCard gc={now.gc} />}
          {now.lowMemory === null ? null : (
            <LowMemoryCard events={now.lowMemory} clock={clock} onShow={(event) => show(event.atTicks)} />
          )}
          <RunsCard now={now} clock={clock} onShow={show} />
        </aside>
      </div>
    </>
  )
}

/** State for the shared time axis of this panel, over all figures of the server and of the capture. */
function seenOf(now: ServerNow, state: CaptureState): CaptureState & { readonly known: TimeRange | null } {
  const nowTicks = now.nowTicks ?? state.nowTicks
  const own = now.extent
  const extent =
    own === null || state.extent === null
      ? (own ?? state.extent)
      : {
          startTicks: Math.min(own.startTicks, state.extent.startTicks) as Ticks,
          endTicks: Math.max(own.endTicks, state.extent.endTicks) as Ticks,
        }
  const known = own === null ? null : { startTicks: own.startTicks, endTicks: nowTicks ?? own.endTicks }
  return { ...state, nowTicks, extent, known }
}

/** Whether the card with this label has data to show. */
function hasCard(
  { memory, credits, gc, lowMemory, volumes, server, lastVisitEndTicks }: ServerNow,
  label: string,
): boolean {
  switch (label) {
    case 'Memory':
      return memory !== null
    case 'CPU credits':
      return credits !== null
    case 'Garbage collection':
      return gc !== null
    case 'Low-memory events':
      return lowMemory !== null
    case 'Starts of the server':
      return server.restarts.length > 0 || lastVisitEndTicks !== null
    case 'Volumes':
      return volumes.length > 0
    default:
      return label === 'Transaction merger' || label === 'Latency of requests'
  }
}
