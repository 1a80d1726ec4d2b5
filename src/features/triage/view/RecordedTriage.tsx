import { useState, type ReactNode } from 'react'
import { type Clock, formatDateTime, formatDuration, formatPlural, formatTime } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import type { PackagedProps } from '../../../capture/frame/panel.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { RecordedPanel, type RecordedNode } from '../../../capture/frame/RecordedPanel.tsx'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { useViewport } from '../../../capture/frame/range/useViewport.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { RecordedFinding, RecordedTriage as Judgement } from '../../archive/contract.ts'
import { Reasons, RuleList } from './RuleList.tsx'
import { TriageList } from './TriageList.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './triage.module.css'
import recorded from './recorded.module.css'

const FIRST = 5
const MOST_LISTED = 100
/** Assumed width for the toolbar, which zooms by pixels; nothing here is drawn to scale. */
const ASSUMED_WIDTH_PX = 900

/** State of a recorded server at the end of the chosen range, and the findings of the recorder in that range. */
export default function RecordedTriage(props: PackagedProps): ReactNode {
  return (
    <RecordedPanel {...props} className={cx('column', styles.panel)}>
      {(server) => <Judged key={server.node} {...server} recording={props.file} />}
    </RecordedPanel>
  )
}

interface JudgedProps extends RecordedNode {
  readonly recording: string
}

function Judged({ recording, node, sources }: JudgedProps): ReactNode {
  const state = useCaptureState()
  const { view } = useView()
  const [extent, setExtent] = useState<TimeRange | null>(null)
  const seen = extent === null ? state : { ...state, extent, nowTicks: extent.endTicks }
  const viewport = useViewport(seen, ASSUMED_WIDTH_PX, NO_FOLDS, true)
  const range = extent === null ? view.range : viewport.settled
  const { response, error } = useRequest(
    'archive.triage',
    { sources, range },
    { version: state.version, everyMs: 1000 },
  )
  const known = response?.extent ?? null
  if (known?.startTicks !== extent?.startTicks || known?.endTicks !== extent?.endTicks) setExtent(known)
  const isReading = state.files.some(({ endedMs }) => endedMs === null)
  if (response === null)
    return error === null ? <Spinner>Judging the recording</Spinner> : <ErrorNotice error={error} />
  const { atTicks, items } = response
  return (
    <>
      <header className={styles.head}>
        <PanelSentence isHeading>
          {/* No tick: most rules are not judged again, and findings that held when a recorder was killed are not in its files. */}
          {isReading ? 'Reading… ' : ''}
          {atTicks === null
            ? response.sentence
            : `Recorded, until ${formatTime(atTicks, view.clock, 0)}: ${response.sentence}`}
        </PanelSentence>
      </header>
      {error === null ? null : <ErrorNotice error={error} tone="warn" />}
      <p className="note">
        {atTicks === null ? 'The' : `As of ${formatDateTime(atTicks, view.clock, 0)}, the end of the range, by the`}{' '}
        recording <bdi>{recording}</bdi> of <bdi>{node}</bdi>. Nothing can be changed here.{' '}
        <PanelLink panel="archive">Choose hours in Archive</PanelLink>
      </p>
      {extent === null ? null : <RangeToolbar viewport={viewport} />}
      {atTicks === null ? (
        <EmptyState title="Nothing of this time is open">
          <PanelLink panel="archive">Open other hours in Archive</PanelLink>
        </EmptyState>
      ) : (
        <>
          <TriageList items={items.slice(0, FIRST)} nowTicks={atTicks} clock={view.clock} waysOf={noWay} />
          {items.length <= FIRST ? null : (
            <details className={cx('faint', styles.fold)}>
              <summary>{formatPlural(items.length - FIRST, 'more finding')}, less urgent</summary>
              <TriageList items={items.slice(FIRST)} nowTicks={atTicks} clock={view.clock} waysOf={noWay} />
            </details>
          )}
          <FindingsOverTime
            findings={response.findings}
            isPart={response.lacksFindings}
            range={shownRange(response, range)}
            sources={sources}
            clock={view.clock}
          />
          <Unknown unknown={response.unknown} />
        </>
      )}
      <RuleList rules={response.rules} />
    </>
  )
}

/** Findings from recorded rows have no further link. */
const noWay = (): null => null

/** Range whose findings are listed. */
const shownRange = ({ extent }: Judgement, range: TimeRange | null): TimeRange | null => range ?? extent

interface FindingsProps {
  readonly findings: readonly RecordedFinding[]
  /** Whether some of them are missing. */
  readonly isPart: boolean
  readonly range: TimeRange | null
  readonly sources: readonly string[]
  readonly clock: Clock
}

/** Recorded findings with their start and end, and their position in the range. */
function FindingsOverTime({ findings, isPart, range, sources, clock }: FindingsProps): ReactNode {
  if (range === null) return null
  if (findings.length === 0)
    return (
      <p className="note">{isPart ? 'No finding is in what can be read.' : 'No finding was recorded in this range.'}</p>
    )
  return (
    <section className="stack" aria-label="Recorded findings">
      <h2>{formatPlural(findings.length, 'recorded finding')} in this range</h2>
      <SideScrollBox label="Recorded findings" className="raised">
        <RowTable
          className={recorded.table}
          caption="Recorded findings"
          rows={findings.slice(0, MOST_LISTED)}
          keyOf={({ id }) => id}
          columns={findingColumns({ range, sources, clock })}
        />
      </SideScrollBox>
      {findings.length > MOST_LISTED ? (
        <p className="note">and {formatPlural(findings.length - MOST_LISTED, 'more finding')}, later.</p>
      ) : null}
    </section>
  )
}

const findingColumns = ({
  range,
  sources,
  clock,
}: Pick<FindingsProps, 'sources' | 'clock'> & { readonly range: TimeRange }): RowColumn<RecordedFinding>[] => [
  { title: 'Finding', cell: ({ title }) => <bdi>{title}</bdi> },
  { title: 'Level', cell: ({ level }) => level },
  { title: 'In the range', cell: (finding) => <Bar finding={finding} range={range} /> },
  { title: 'From', cell: ({ startTicks }) => formatDateTime(startTicks, clock, 0) },
  { title: 'To', cell: ({ endTicks }) => formatDateTime(endTicks, clock, 0) },
  { title: 'Duration', cell: ({ startTicks, endTicks }) => formatDuration(endTicks - startTicks) },
  {
    title: 'Shown by',
    cell: ({ startTicks, endTicks, title }) => (
      <PanelLink panel="timeline" parts={{ sources, range: { startTicks, endTicks } }}>
        <span aria-hidden="true">Timeline</span>
        <span className="spoken">Timeline: {title}</span>
      </PanelLink>
    ),
  },
]

const BAR = 100
/** Minimum width of the bar, so that a finding without duration is visible. */
const LEAST = 1

/** Position of a finding in the range. Hidden from screen readers: the times beside it contain the same. */
function Bar({ finding, range }: { readonly finding: RecordedFinding; readonly range: TimeRange }): ReactNode {
  const share = (ticks: number): number =>
    BAR * Math.min(1, Math.max(0, (ticks - range.startTicks) / (range.endTicks - range.startTicks)))
  const from = Math.min(share(finding.startTicks), BAR - LEAST)
  return (
    <svg className={recorded.bar} viewBox={`0 0 ${String(BAR)} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect width={BAR} height="10" className={recorded.ground} />
      <rect
        x={from}
        width={Math.max(LEAST, share(finding.endTicks) - from)}
        height="10"
        className={recorded[finding.level] ?? recorded['info']}
      />
    </svg>
  )
}

const Unknown = ({ unknown }: Pick<Judgement, 'unknown'>): ReactNode => (
  <Reasons
    summary={`${formatPlural(unknown.length, 'check')} not made from rows`}
    reasons={unknown.map(({ why, ...rule }) => ({ ...rule, reason: why }))}
  />
)
