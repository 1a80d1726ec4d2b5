import { useMemo, useState, type ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { spanFromMs, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { paramsOfPanel } from '../../../capture/client/panels.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCoarseFirst } from '../../../capture/client/requests/useCoarseFirst.ts'
import { BY_CLICK_MS } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { isOnlyFiles, useView } from '../../../capture/client/view.ts'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { DEFAULT_RULE, FEW_EVENTS, MOST_EVENTS, STALL_LIMIT, type StallCause, type StallRow } from '../contract.ts'
import { CounterExamples } from './CounterExamples.tsx'
import { CAUSE_TITLES } from '../data/causes.ts'
import { formatRule, formatVolumes, parseRule, parseVolumes, unknownTimes } from '../data/settings.ts'
import { StalledShares } from './StalledShares.tsx'
import { StallTable } from './StallTable.tsx'
import { VerdictTable } from './VerdictTable.tsx'
import report from '../../../ui/report.module.css'
import styles from './stalls.module.css'
import { describeCoverage, describeStalls } from './words.ts'

/** Judged again at most so often while data arrive, ms. */
const EVERY_MS = 30_000

/** Journal writes that took too long: how many, what the evidence says of their causes, and each of them. */
export default function StallsPanel({ panel }: PanelProps): ReactNode {
  const { version, gaps } = useCaptureState()
  const { view, change, open } = useView()
  const { sources, params } = view
  const [chosen, setChosen] = useState<StallCause | null>(null)
  const [counter, setCounter] = useState<StallCause | null>(null)
  const [kinds, setKinds] = useState<'writes' | 'all'>('writes')
  const own = paramsOfPanel('stalls', params)
  const rule = parseRule(own)
  const volumesText = own.volumes ?? ''
  const volumes = parseVolumes(volumesText) ?? []
  // CPU, garbage collections, memory and loads, by which stalls are judged as well.
  useWanted('server.want', sources.length === 0 || isOnlyFiles(view) ? undefined : null)
  const wanted = { sources, rule, volumes, unknown: unknownTimes(gaps) }
  // Of many the newest are judged first, then all.
  const { response, error, isBusy } = useCoarseFirst(
    'stalls.judge',
    sources.length === 0
      ? undefined
      : { coarse: { ...wanted, most: FEW_EVENTS }, whole: { ...wanted, most: MOST_EVENTS } },
    ({ isComplete }) => isComplete,
    { version, everyMs: EVERY_MS, changedEveryMs: BY_CLICK_MS },
  )
  const rows = useMemo(() => {
    if (response === null) return []
    const isWanted = (row: StallRow): boolean =>
      chosen === null ? kinds === 'all' || row.of !== 'other' : row.of === 'write' && row.cause === chosen
    return response.stalls.filter(isWanted)
  }, [response, chosen, kinds])
  const isOfMany = sources.length > 1
  const against = response?.judgements.find(({ cause }) => cause === counter)

  const setRule = (parts: Partial<typeof rule>): void => change({ params: formatRule({ ...rule, ...parts }) })
  const setVolumes = (text: string): string | null => {
    const parsed = parseVolumes(text)
    if (parsed === null) return 'Write: part of a path = name of its volume; …'
    change({ params: { 'stalls.volumes': formatVolumes(parsed) } })
    return null
  }
  /** In I/O, selected, with some time around it. */
  const show = (startTicks: number, span: number, selection: string | null): void => {
    const margin = Math.max(2 * span, TICKS_PER_SECOND)
    open('io', {
      range: { startTicks: (startTicks - margin) as Ticks, endTicks: (startTicks + span + margin) as Ticks },
      params: { 'io.hide': '', 'io.find': '', 'io.stalls': 'on' },
      selection,
    })
  }

  return (
    <PanelFrame panel={panel} extraClass={report.panel} notices={<PanelNotices what="I/O" />}>
      <p className="large" role="status">
        {response === null ? 'Looking for stalls …' : describeStalls(response, rule)}
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      <div className={styles.tools}>
        <NumberField
          label="At least"
          unit="ms"
          value={rule.leastMs}
          min={1}
          onChange={(leastMs) => setRule({ leastMs: leastMs ?? DEFAULT_RULE.leastMs })}
        />
        <NumberField
          label="Times the median"
          value={rule.timesMedian}
          min={1}
          onChange={(timesMedian) => setRule({ timesMedian: timesMedian ?? DEFAULT_RULE.timesMedian })}
        />
        <div className={styles.wide}>
          <CommitField
            label="Volumes"
            placeholder="part of a path = volume; another = volume"
            value={volumesText}
            onCommit={setVolumes}
          />
        </div>
      </div>
      {response === null || response.writes + response.stalls.length === 0 ? null : (
        <>
          <p className="faint">
            {describeCoverage(response)}
            {isBusy ? ' Judging all of them …' : ''}
            {isOnlyFiles(view)
              ? null
              : ' What still runs is not reported yet: the server reports I/O when it has ended.'}
          </p>
          <StalledShares lanes={response.lanes} isOfMany={isOfMany} />
          <VerdictTable
            judgements={response.judgements}
            circumstances={response.circumstances}
            chosen={chosen}
            counter={counter}
            onChoose={setChosen}
            onCounter={setCounter}
          />
          {against === undefined || against.counterExamples.length === 0 ? null : (
            <CounterExamples
              cause={CAUSE_TITLES[against.cause]}
              examples={against.counterExamples}
              isOfMany={isOfMany}
              clock={view.clock}
              onOpen={({ startTicks, durationTicks, selection }) => show(startTicks, durationTicks, selection)}
            />
          )}
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
                isOfMany={isOfMany}
                clock={view.clock}
                selection={view.selection}
                onOpen={({ startTicks, durationMs, selection }) => show(startTicks, spanFromMs(durationMs), selection)}
              />
            </>
          )}
        </>
      )}
    </PanelFrame>
  )
}
