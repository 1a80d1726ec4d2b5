import { Suspense, useId, type ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { EmptyView } from '../../../capture/frame/EmptyView.tsx'
import { ExportButton } from '../../../capture/exporting/ExportButton.tsx'
import { FirstMinute } from '../../../capture/frame/notices/SourceNotices.tsx'
import { NothingYet } from '../../../capture/frame/notices/NothingYet.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { useView } from '../../../capture/client/view.ts'
import { NO_FILTER } from '../../../feeds/io/contract/rows.ts'
import type { IoLane, IoLanesResponse } from '../../../feeds/io/contract/lanes.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { useScrollToOpened } from '../../../ui/hooks/useScrollToOpened.ts'
import { describeDoubled } from './doubled.ts'
import { ioExport } from './subject.ts'
import { IoBody } from './IoBody.tsx'
import { IoControls } from './IoControls.tsx'
import { LanePages } from './LanePages.tsx'
import { Legend } from './timeline/Legend.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import lanePanel from '../../../ui/lane-panel.module.css'
import styles from './panel.module.css'
import { kindKey, type IoSettings } from './params.ts'
import { RowsTable } from './details/RowsTable.tsx'
import { StallKey } from './stalls/StallKey.tsx'
import { useIoView, type IoView } from './useIoView.ts'
import { usePalette, useSizes } from './usePanelParts.ts'
import { describeFolded } from './words.ts'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import { RunningText } from '../../../ui/RunningText.tsx'

const { Component: Distribution } = lazyPanel(() => import('./distribution/Distribution.tsx'))
const { Component: Journals } = lazyPanel(() => import('./journals/Journals.tsx'))

/** The I/O of all watched sources: a sentence, timeline, summary, slowest events, and rows as a table. */
export default function IoPanel({ panel }: PanelProps): ReactNode {
  const view = useIoView()
  const met = view.requested.response
  return (
    <PanelFrame panel={panel} extraClass={styles.panel} notices={<PanelNotices what="I/O" />}>
      {met === null || met.all === 0 ? (
        <NothingYet
          title="No I/O yet"
          request={view.requested}
          inFiles={<EmptyState title="No I/O in this file">Other data of the file may be in another panel.</EmptyState>}
          renderConnected={(names) => (
            <EmptyState title="No I/O yet">
              Connected to <bdi>{names}</bdi>: waiting for the first journal write, flush or sync, which appears here
              within three seconds.
            </EmptyState>
          )}
        />
      ) : view.isEmpty && view.isUnchosen ? (
        <NoEvents view={view} met={met} />
      ) : (
        <Events view={view} met={met} />
      )}
    </PanelFrame>
  )
}

interface PartProps {
  readonly view: IoView
  readonly met: IoLanesResponse
}

/** Shown instead of the sentence while no event is in view. */
function NoEvents({ view, met }: PartProps): ReactNode {
  const { liveSpan } = useView().view
  const { viewport } = view.panelRange
  return (
    <EmptyView
      sentence={view.sentence}
      what="I/O"
      lastTicks={met.lastTicks}
      nowTicks={viewport.ended ? null : view.state.nowTicks}
      spanTicks={liveSpan}
      clock={view.clock}
      onGo={viewport.setRange}
    >
      {view.activeFilters === 0 ? undefined : (
        <Button
          tone="primary"
          onClick={() => view.set({ filter: NO_FILTER, hiddenKinds: new Set(), find: '', page: 0 })}
        >
          Clear filters
        </Button>
      )}
    </EmptyView>
  )
}

function Events({ view, met }: PartProps): ReactNode {
  const { settings, set, sources, scope, range, gaps, panelRange, clock, summary, isEmpty, selected } = view
  const { state, lanes, heat } = view
  const { version } = state
  const { filter } = settings
  const keysId = useId()
  const palette = usePalette()
  const sizes = useSizes(settings.sizeScale)
  const distributionRef = useScrollToOpened(settings.distribution)
  const tableRef = useScrollToOpened(settings.table)
  const exported = ioExport({ sources, rows: scope, range, filter, known: panelRange.known, gaps })
  const eventsInView = { scope, range, filter, version, clock, selected, onSelect: view.show }
  const doubled = describeDoubled(met.doubled, range)
  const foldedWords = describeFolded(met.folded)
  return (
    <>
      {isEmpty ? (
        <NoEvents view={view} met={met} />
      ) : (
        <PanelSentence lines={[2, 6]}>
          <RunningText text={view.sentence} />
        </PanelSentence>
      )}
      {doubled === '' ? null : (
        <Notice tone="warn" title={doubled}>
          <p>
            Their paths are equal: unless they are of different servers, sums and shares of the wall time count the same
            events more than once. Choose one of them for figures.
          </p>
        </Notice>
      )}
      {foldedWords === '' ? null : <Notice tone="info" title={foldedWords} />}
      <FirstMinute remembers="at most 256 single events of a kind and file, and roll-ups of older ones." />
      {summary.error === null ? null : <ErrorNotice error={summary.error} tone="warn" />}
      <IoControls view={view} met={met} palette={palette} exported={exported} />
      {settings.stalls ? <StallKey marks={view.stalls} /> : null}
      <LanePages page={met.page} matching={met.matching} onPage={(page) => set({ page })} />
      <IoBody view={view} met={met} palette={palette} sizes={sizes} keysId={keysId} />
      {lanes.filter(showsJournals(settings)).map((lane) => (
        <Suspense key={lane.id}>
          <Journals lane={lane} gaps={gaps} version={version} clock={clock} />
        </Suspense>
      ))}
      {settings.distribution && !isEmpty ? (
        <div ref={distributionRef} className={styles.distribution}>
          <Suspense fallback={<Spinner>Counting …</Spinner>}>
            <Distribution {...eventsInView} gaps={gaps} summary={summary.response} />
          </Suspense>
        </div>
      ) : null}
      {settings.table ? (
        <div ref={tableRef} className={lanePanel.table}>
          <RowsTable
            {...eventsInView}
            manySources={view.manySources}
            sort={settings.sort}
            onSort={(sort) => set({ sort })}
            exporting={<ExportButton small subject={exported} label="Export events in view" />}
          />
        </div>
      ) : null}
      <Legend kinds={met.kinds} palette={palette} sizes={heat === null ? sizes : null} keysId={keysId} />
    </>
  )
}

/** Whether the files of the lane's journal writes are rows of the timeline. */
const showsJournals =
  ({ openLanes, openKinds }: IoSettings) =>
  ({ id }: IoLane): boolean =>
    openLanes.has(id) && openKinds.has(kindKey(id, 'JournalWrite'))
