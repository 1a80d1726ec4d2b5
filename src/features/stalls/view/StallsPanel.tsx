import { useMemo, useState, type ReactNode } from 'react'
import { formatCount, formatDateTime } from '../../../base/text/format.ts'
import { spanFromMs, type Ticks, TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import { paramsOfPanel } from '../../../capture/client/panels.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import type { LaneId } from '../../../capture/frame/lanes/lane.ts'
import { LazyLanesBelow } from '../../../capture/frame/lanes/LazyLanesBelow.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import type { Viewport } from '../../../capture/frame/range/useViewport.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCoarseFirst } from '../../../capture/client/requests/useCoarseFirst.ts'
import { BY_CLICK_MS } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { isOnlyFiles, useView } from '../../../capture/client/view.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import {
  CAUSE_TITLES,
  FEW_EVENTS,
  MOST_EVENTS,
  STALL_LIMIT,
  type StallCause,
  type StallRow,
  type StallsResponse,
} from '../contract.ts'
import { parseRule, parseVolumes, unknownTimes } from '../link-settings.ts'
import { CounterExamples } from './CounterExamples.tsx'
import { JudgedHow } from './JudgedHow.tsx'
import { StalledShares } from './StalledShares.tsx'
import { StallSettings } from './StallSettings.tsx'
import { StallTable } from './StallTable.tsx'
import { VerdictTable } from './VerdictTable.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import report from '../../../ui/report.module.css'
import styles from './stalls.module.css'
import { describeStalls } from './words.ts'
import type {} from '../../../feeds/io/contract.ts'
import type {} from '../../../feeds/server/contract.ts'
import { cx } from '../../../ui/theme/cx.ts'
import { RunningText } from '../../../ui/RunningText.tsx'

/** Minimum time between two judgements while data arrive, ms. */
const EVERY_MS = 30_000
const EVERY_TICKS = EVERY_MS * (TICKS_PER_SECOND / 1000)
const LANES: readonly LaneId[] = ['stalls.stalls', 'io.journals']
/** Lanes whose contents the panel lists as text: each stall in the table, and the number of writes in the sentence. */
const LISTED: readonly LaneId[] = LANES

/** Later than any write. */
const NO_END = Number.MAX_SAFE_INTEGER as Ticks

/**
 * Range that is counted. In live mode it starts at a moment that moves in steps, so that not every frame causes a new
 * request. Null: all time.
 */
function countedIn({ live, settled }: Viewport, isAll: boolean): TimeRange | null {
  if (isAll) return null
  if (!live) return settled
  return { startTicks: (Math.floor(settled.startTicks / EVERY_TICKS) * EVERY_TICKS) as Ticks, endTicks: NO_END }
}

/** Journal writes that took too long: their number, the evidence for their causes, and a list of them. */
export default function StallsPanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view, open } = useView()
  const { sources, params, clock } = view
  const [chosen, setChosen] = useState<StallCause | null>(null)
  const own = paramsOfPanel('stalls', params)
  const { viewport, onWidth } = usePanelRange(state, NO_FOLDS)
  // While no range is chosen, files are in view as a whole.
  const range = countedIn(viewport, isOnlyFiles(view) && view.range === null)
  // Keeps CPU, garbage collections, memory and database loads collected, which are among the circumstances of stalls.
  useWanted('server.want', sources.length === 0 || isOnlyFiles(view) ? undefined : null)
  const wanted = {
    sources,
    rule: parseRule(own),
    volumes: parseVolumes(own.volumes ?? '') ?? [],
    unknown: unknownTimes(state.gaps),
    range,
  }
  // If there are many events, the newest are judged first, then all.
  const { response, error, isBusy } = useCoarseFirst(
    'stalls.judge',
    sources.length === 0
      ? undefined
      : { coarse: { ...wanted, most: FEW_EVENTS }, whole: { ...wanted, most: MOST_EVENTS } },
    ({ isComplete }) => isComplete,
    { version: state.version, everyMs: EVERY_MS, changedEveryMs: BY_CLICK_MS },
  )
  const within =
    range === null ? '' : viewport.live ? `since ${formatDateTime(range.startTicks, clock, 0)}` : 'in this range'
  /** Opens the event in I/O, selected, with some time before and after it. */
  const show = (startTicks: Ticks, span: TickSpan, selection: string | null): void => {
    const margin = Math.max(2 * span, TICKS_PER_SECOND)
    open('io', {
      range: { startTicks: (startTicks - margin) as Ticks, endTicks: (startTicks + span + margin) as Ticks },
      params: { 'io.hide': '', 'io.find': '', 'io.stalls': 'on' },
      selection,
    })
  }
  return (
    <PanelFrame panel={panel} extraClass={report.panel} notices={<PanelNotices what="I/O" />}>
      <RangeToolbar viewport={viewport} />
      <PanelSentence lines={[2, 4]}>
        {response === null ? 'Looking for stalls …' : <RunningText text={describeStalls(response, within)} />}
        {isBusy ? ' Judging all of them …' : ''}{' '}
        {response !== null && response.total === 0 && response.totalOfAll > 0 ? (
          <Button onClick={viewport.fit}>Show all</Button>
        ) : null}
      </PanelSentence>
      {error === null ? null : <ErrorNotice error={error} />}
      {sources.length === 0 ? null : (
        <LazyLanesBelow
          panel="stalls"
          preset={LANES}
          viewport={viewport}
          state={state}
          label="Stalls over time"
          onWidth={onWidth}
          listed={LISTED}
        />
      )}
      <div className={cx('column', styles.judged, response?.total === 0 && styles.none)}>
        {response === null ? null : (
          <Judgement response={response} chosen={chosen} onChoose={setChosen} onOpen={show} />
        )}
      </div>
      {/* Always at this place, so that what is typed stays when the first response comes. */}
      <StallSettings />
      {response === null ? null : <EachStall response={response} chosen={chosen} onOpen={show} />}
    </PanelFrame>
  )
}

interface PartProps {
  readonly response: StallsResponse
  /** Cause whose stalls are listed. Null: all causes. */
  readonly chosen: StallCause | null
  readonly onOpen: (startTicks: Ticks, span: TickSpan, selection: string | null) => void
}

function Judgement({
  response,
  chosen,
  onChoose,
  onOpen,
}: PartProps & { readonly onChoose: (cause: StallCause | null) => void }): ReactNode {
  const { view } = useView()
  const [counter, setCounter] = useState<StallCause | null>(null)
  const isOfMany = view.sources.length > 1
  const against = response.judgements.find(({ cause }) => cause === counter)
  return (
    <>
      <VerdictTable
        judgements={response.judgements}
        circumstances={response.circumstances}
        chosen={chosen}
        counter={counter}
        onChoose={onChoose}
        onCounter={setCounter}
      />
      {against === undefined || against.counterExamples.length === 0 ? null : (
        <CounterExamples
          cause={CAUSE_TITLES[against.cause]}
          examples={against.counterExamples}
          isOfMany={isOfMany}
          clock={view.clock}
          onOpen={({ startTicks, durationTicks, selection }) => onOpen(startTicks, durationTicks, selection)}
        />
      )}
      <StalledShares lanes={response.lanes} isOfMany={isOfMany} />
      <JudgedHow response={response} />
    </>
  )
}

function EachStall({ response, chosen, onOpen }: PartProps): ReactNode {
  const { view } = useView()
  const [kinds, setKinds] = useState<'writes' | 'all'>('writes')
  const rows = useMemo(() => {
    const isWanted = (row: StallRow): boolean =>
      chosen === null ? kinds === 'all' || row.of !== 'other' : row.of === 'write' && row.cause === chosen
    return response.stalls.filter(isWanted)
  }, [response, chosen, kinds])
  return (
    <>
      {response.others === 0 ? null : (
        <div className={styles.kinds}>
          <Segmented
            label="Kinds"
            options={[
              { value: 'writes', text: 'Journal writes' },
              { value: 'all', text: 'All kinds', title: 'Slow flushes, syncs and compressions as well' },
            ]}
            value={kinds}
            onChange={setKinds}
          />
        </div>
      )}
      {rows.length === 0 ? null : (
        <>
          {response.stalls.length >= STALL_LIMIT ? (
            <p className="faint">The longest {formatCount(STALL_LIMIT)} are listed.</p>
          ) : null}
          <StallTable
            rows={rows}
            version={`${String(response.version)} ${String(response.isComplete)} ${chosen ?? ''} ${kinds}`}
            withKinds={kinds === 'all'}
            isOfMany={view.sources.length > 1}
            clock={view.clock}
            selection={view.selection}
            onOpen={({ startTicks, durationMs, selection }) => onOpen(startTicks, spanFromMs(durationMs), selection)}
          />
        </>
      )}
    </>
  )
}
