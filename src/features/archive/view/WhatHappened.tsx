import type { ReactNode } from 'react'
import { formatCount, formatDateTime, formatDuration, formatPlural, formatTime } from '../../../base/text/format.ts'
import type { PushedOutRows } from '../../../base/columns/pushed-out.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { entriesOf } from '../../../capture/archive/open-parts.ts'
import { openRecording, type Recording } from '../../../capture/archive/recordings.ts'
import { formatSides } from '../../../capture/client/compare-sides.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import type { FileState, SourceId } from '../../../capture/client/state.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { LongText } from '../../../ui/LongText.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import type { RecordedFinding, RecordedLine, RecordedList } from '../contract.ts'
import type { StacksRequests } from '../../../feeds/stacks/contract.ts'
import type {} from '../../stacks/contract.ts'
import type {} from '../../triage/contract.ts'
import { calendarHours, daysBefore } from './calendar.ts'
import { RECORDED_LANES } from './recorded-lanes.ts'
import styles from './archive.module.css'

const MOST_LISTED = 100
const MOST_TEXT = 300

const meets = (range: TimeRange, startTicks: number, endTicks: number): boolean =>
  startTicks < range.endTicks && endTicks >= range.startTicks

interface WhatHappenedProps {
  readonly recordings: readonly Recording[]
  readonly range: TimeRange
}

/** Number of files of a recording that could not be read, and were not read since. */
const unreadableIn = (name: string, files: readonly FileState[]): number =>
  [...entriesOf(name, files).values()].filter(({ phase }) => phase === 'refused' || phase === 'broken').length

/** Contents of the selected hours: findings with start and end, slow queries, and links. */
export function WhatHappened({ recordings, range }: WhatHappenedProps): ReactNode {
  const { version, sources: all, files } = useCaptureState()
  const { clock } = useView().view
  const sources = all.flatMap(({ id }) => (recordings.some(({ name }) => id.startsWith(`file:${name}/`)) ? [id] : []))
  const { response } = useRequest('archive.facts', { sources }, { version, everyMs: 1000 })
  const findings = response?.findings.filter((each) => meets(range, each.startTicks, each.endTicks)) ?? []
  const queries =
    response?.queries.filter((each) => meets(range, each.startTicks ?? each.lastTicks, each.lastTicks)) ?? []
  const notifications =
    response?.notifications.filter(({ createdTicks: at }) => at !== null && meets(range, at, at)) ?? []
  const settings = response?.settings.filter(({ atTicks }) => meets(range, atTicks, atTicks)) ?? []
  const log = response?.log.filter(({ atTicks }) => meets(range, atTicks, atTicks)) ?? []
  const stacks = useRequest('stacks.state', null, { version, everyMs: 1000 }).response
  const snapshots = (stacks?.snapshots ?? [])
    .filter(({ source, atTicks }) => sources.includes(source) && meets(range, atTicks, atTicks))
    .toSorted((a, b) => a.atTicks - b.atTicks)
  const pushedOut = useRequest('archive.pushedOut', { sources, range }, { version, everyMs: 1000 }).response
  const pushedOutStacks = useRequest('stacks.pushedOut', { sources, range }, { version, everyMs: 1000 }).response
  const gone = wordsOfGone({ ...pushedOut, snapshots: pushedOutStacks ?? null }, (at) => formatDateTime(at, clock, 0))
  const isReading = files.some(({ endedMs }) => endedMs === null)
  const isRecorded = recordings.some(
    ({ manifest, journals }) =>
      journals.length > 0 || calendarHours(manifest).some((hour) => meets(range, hour.startTicks, hour.endTicks - 1)),
  )
  const unreadable = recordings.reduce((sum, { name }) => sum + unreadableIn(name, files), 0)
  const title = `${formatDateTime(range.startTicks, clock, 0)} – ${formatTime(range.endTicks, clock, 0)}`
  return (
    <section className="stack" aria-label="What happened">
      <h2>What happened {title}</h2>
      <p role="status">
        {isReading || response === null ? 'Reading… ' : ''}
        {!isRecorded
          ? 'Nothing was recorded in this range.'
          : response === null
            ? null
            : `${[
                formatPlural(findings.length, 'finding'),
                formatPlural(notifications.length, 'notification'),
                formatPlural(queries.length, 'slow query', 'slow queries'),
                ...(settings.length === 0 ? [] : [formatPlural(settings.length, 'changed setting')]),
                ...(snapshots.length === 0 ? [] : [formatPlural(snapshots.length, 'stack snapshot')]),
                ...(log.length === 0 ? [] : [`${formatPlural(log.length, 'line')} of the log`]),
              ].join(', ')}.`}
        {unreadable === 0
          ? null
          : ` ${formatPlural(unreadable, 'file')} of the recording could not be read: what was in ${unreadable === 1 ? 'it' : 'them'} is missing.`}
      </p>
      {gone === '' ? null : (
        <p className="note">
          {gone} <i>Ask</i> has them.
        </p>
      )}
      <p className="row">
        <PanelLink panel="triage" parts={{ sources, range }}>
          Triage
        </PanelLink>
        <PanelLink panel="timeline" parts={{ sources, range, params: { 'timeline.composed': RECORDED_LANES } }}>
          Timeline with figures
        </PanelLink>
        <PanelLink panel="server" parts={{ sources, range }}>
          Vitals
        </PanelLink>
        <PanelLink panel="io" parts={{ sources, range }}>
          I/O
        </PanelLink>
        <PanelLink panel="stalls" parts={{ sources, range }}>
          Stalls
        </PanelLink>
        <PanelLink panel="indexing" parts={{ sources, range }}>
          Indexing
        </PanelLink>
      </p>
      {recordings.map((recording) => (
        <CompareDays key={recording.name} recording={recording} range={range} sources={sources} />
      ))}
      <Listed
        what="Findings"
        rows={findings}
        keyOf={({ node, id }) => `${node} ${id}`}
        columns={findingColumns((at) => formatDateTime(at, clock, 0))}
      />
      <Listed
        what="Stack snapshots"
        rows={snapshots}
        keyOf={({ id }) => String(id)}
        columns={snapshotColumns(range, (at) => formatDateTime(at, clock, 3))}
      />
      <Listed
        what="Changed settings"
        rows={settings}
        keyOf={({ node, key, atTicks }) => `${node} ${key} ${String(atTicks)}`}
        columns={[
          { title: 'Setting', cell: ({ key }) => key.replace(/^db:(.*) /, '$1: ') },
          { title: 'Before', cell: ({ before }) => before ?? 'default' },
          { title: 'After', cell: ({ value }) => value ?? 'default' },
          { title: 'Server', cell: ({ node }) => node },
          { title: 'Seen', cell: ({ atTicks }) => formatDateTime(atTicks, clock, 0) },
        ]}
      />
      <Listed
        what="Log of the server"
        rows={log}
        keyOf={({ node, atTicks, logger, message }) => `${node} ${String(atTicks)} ${logger} ${message}`}
        columns={logColumns((at) => formatDateTime(at, clock, 0))}
      />
      <Listed
        what="Slow queries"
        rows={queries}
        keyOf={({ database, id, startTicks }) => `${database} ${String(id)} ${String(startTicks)}`}
        columns={[
          { title: 'Query', cell: ({ query }) => query.slice(0, MOST_TEXT) },
          { title: 'Database', cell: ({ database }) => database },
          { title: 'Ended', cell: ({ lastTicks }) => formatDateTime(lastTicks, clock, 0) },
          { title: 'Ran for', cell: ({ runningMs }) => formatDuration(runningMs * 10_000) },
        ]}
      />
    </section>
  )
}

const GONE: Readonly<Record<RecordedList | 'snapshots', readonly [one: string, many: string]>> = {
  snapshots: ['stack snapshot', 'stack snapshots'],
  findings: ['finding', 'findings'],
  notifications: ['notification', 'notifications'],
  queries: ['slow query', 'slow queries'],
  settings: ['changed setting', 'changed settings'],
  log: ['line of the log', 'lines of the log'],
}

/** Says which rows of the range the page no longer holds; empty: it has all. */
function wordsOfGone(
  lists: Readonly<Partial<Record<keyof typeof GONE, PushedOutRows | null>>>,
  time: (at: Ticks) => string,
): string {
  const parts = Object.entries(GONE).flatMap(([list, [one, many]]) => {
    const rows = lists[list as keyof typeof GONE] ?? null
    if (rows === null) return []
    const { count, firstTicks, lastTicks } = rows
    const when = firstTicks === lastTicks ? `of ${time(firstTicks)}` : `from ${time(firstTicks)} to ${time(lastTicks)}`
    return [`${formatPlural(count, one, many)} ${when}`]
  })
  return parts.length === 0 ? '' : `No longer in the page, for others that were read later: ${parts.join(', ')}.`
}

interface ListedProps<Row> {
  readonly what: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly columns: readonly RowColumn<Row>[]
}

/** Table of the first rows, with the number of further rows. Renders nothing without rows. */
function Listed<Row>({ what, rows, keyOf, columns }: ListedProps<Row>): ReactNode {
  if (rows.length === 0) return null
  return (
    <>
      <h3>{what}</h3>
      <SideScrollBox label={what} className="raised">
        <RowTable
          className={styles.table}
          caption={what}
          rows={rows.slice(0, MOST_LISTED)}
          keyOf={keyOf}
          columns={columns}
        />
      </SideScrollBox>
      {rows.length > MOST_LISTED ? <p className="note">and {formatCount(rows.length - MOST_LISTED)} more.</p> : null}
    </>
  )
}

const TONES: Readonly<Record<string, 'error' | 'warn'>> = { critical: 'error', warning: 'warn' }

const LOG_TONES: Readonly<Record<string, 'error' | 'warn'>> = { fatal: 'error', error: 'error', warn: 'warn' }

const logColumns = (time: (at: TimeRange['startTicks']) => string): RowColumn<RecordedLine>[] => [
  { title: 'Time', className: styles.moment, cell: ({ atTicks }) => time(atTicks) },
  { title: 'Level', cell: ({ level }) => <Badge tone={LOG_TONES[level] ?? 'idle'}>{level}</Badge> },
  { title: 'Resource', cell: ({ resource }) => resource },
  { title: 'Message', cell: ({ message }) => <LongText text={message} isInline first={MOST_TEXT} hasCopy={false} /> },
  { title: 'Logger', className: styles.logger, cell: ({ logger }) => logger },
  { title: 'Server', cell: ({ node }) => node },
]

type RecordedSnapshot = StacksRequests['stacks.state']['response']['snapshots'][number]

const snapshotColumns = (
  range: TimeRange,
  time: (at: TimeRange['startTicks']) => string,
): RowColumn<RecordedSnapshot>[] => [
  {
    title: 'Time',
    className: styles.moment,
    cell: ({ source, atTicks }) => (
      <PanelLink
        panel="stacks"
        parts={{ sources: [source], range, params: { 'stacks.of': String(atTicks), 'stacks.tab': '' } }}
      >
        {time(atTicks)}
      </PanelLink>
    ),
  },
  { title: 'Taken for', className: styles.beside, cell: ({ reason }) => reason ?? '' },
  { title: 'Threads', className: styles.beside, cell: ({ threads }) => formatCount(threads) },
  { title: 'Server', className: styles.beside, cell: ({ source }) => source.split('/').at(-2) ?? '' },
]

const findingColumns = (time: (at: TimeRange['startTicks']) => string): RowColumn<RecordedFinding>[] => [
  { title: 'Finding', cell: ({ title }) => title },
  { title: 'Level', cell: ({ level }) => <Badge tone={TONES[level] ?? 'idle'}>{level}</Badge> },
  { title: 'Server', cell: ({ node }) => node },
  { title: 'From', className: styles.moment, cell: ({ startTicks }) => time(startTicks) },
  { title: 'To', className: styles.moment, cell: ({ endTicks }) => time(endTicks) },
  { title: 'Duration', cell: ({ startTicks, endTicks }) => formatDuration(endTicks - startTicks) },
]

interface CompareDaysProps {
  readonly recording: Recording
  readonly range: TimeRange
  readonly sources: readonly SourceId[]
}

/** The same time on previous days. A click opens one in addition and compares both. */
function CompareDays({ recording, range, sources }: CompareDaysProps): ReactNode {
  const capture = useCapture()
  const { view, open } = useView()
  const { attempt, failure } = useAttempt()
  const days = daysBefore(recording.manifest, range, view.clock)
  const own = sources.filter((source) => source.startsWith(`file:${recording.name}/`))
  if (days.length === 0 || own.length === 0) return null
  const compare = (before: TimeRange): Promise<void> =>
    openRecording(capture, recording, before, null).then(() =>
      open('compare', {
        sources: own,
        params: formatSides({ before: { sources: own, range: before }, after: { sources: own, range } }),
      }),
    )
  return (
    <div className="row" role="group" aria-label={`Compare with the days before in ${recording.name}`}>
      Compare with the same time
      {days.map(({ days: count, range: before }) => (
        <Button key={count} small onClick={() => void attempt('Not compared', () => compare(before))}>
          {count === 1 ? 'the day before' : `${String(count)} days before`}
        </Button>
      ))}
      <AttemptFailure of={failure} />
    </div>
  )
}
