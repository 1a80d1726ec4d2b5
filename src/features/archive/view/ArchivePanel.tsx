import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { fleet } from '../../../capture/archive/fleet.ts'
import { wordsOfNewer } from '../../../capture/archive/journal.ts'
import { lastThinnedDay, type Manifest, newerRowsOf } from '../../../capture/archive/manifest.ts'
import { entriesOf } from '../../../capture/archive/open-parts.ts'
import { filesReachTo, openRecording, type Recording, recordings } from '../../../capture/archive/recordings.ts'
import type { FileState } from '../../../capture/client/state.ts'
import { toLinkParams } from '../../../capture/client/panels.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { formatBytes, formatDateTime, formatPlural } from '../../../base/text/format.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { CalendarFigure } from '../contract.ts'
import { Ask } from './Ask.tsx'
import { Calendar } from './Calendar.tsx'
import { calendarHours } from './calendar.ts'
import { FleetServers } from './FleetServers.tsx'
import { RECORDED_LANES } from './recorded-lanes.ts'
import { useReadAgain } from './useReadAgain.ts'
import { WhatHappened } from './WhatHappened.tsx'
import styles from './archive.module.css'
import type {} from '../../files/contract.ts'

const FIGURES: readonly { readonly value: CalendarFigure; readonly text: string; readonly title: string }[] = [
  { value: 'slow', text: 'Slow writes', title: 'Time that journal writes of 10 ms or more took' },
  { value: 'findings', text: 'Findings', title: 'Findings of Triage: critical, or warnings' },
  { value: 'coverage', text: 'Gaps', title: 'How long a source was not known' },
  { value: 'rows', text: 'Rows', title: 'How much was recorded' },
]

/** Recordings: a calendar of each, and what happened in the selected hours. */
export default function ArchivePanel({ panel }: PanelProps): ReactNode {
  const all = useSyncExternalStore(recordings.subscribe, recordings.get)
  const servers = useSyncExternalStore(fleet.subscribe, fleet.get)
  const { view, change } = useView()
  // With a list of servers, the recording of one server is shown at a time.
  const known = servers === null ? all : all.filter(({ name }) => name === view.params['archive.server'])
  const isAsked = view.params['archive.view'] === 'ask'
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      {servers === null ? (
        <div className="row">
          <Segmented
            label="View of the archive"
            options={VIEWS}
            value={isAsked ? 'ask' : ''}
            onChange={(value) => change({ params: toLinkParams('archive', { view: value }) }, { push: true })}
          />
        </div>
      ) : (
        <FleetServers fleet={servers} />
      )}
      {isAsked && servers === null ? (
        <Ask recordings={known} />
      ) : (
        <Calendars known={known} range={view.range} isOfFleet={servers !== null} />
      )}
    </PanelFrame>
  )
}

const VIEWS = [
  { value: '', text: 'Calendar', title: 'Recorded hours, and what happened in them' },
  { value: 'ask', text: 'Ask', title: 'SQL over all hours of the recording' },
] as const

interface CalendarsProps {
  readonly known: readonly Recording[]
  readonly range: TimeRange | null
  /** Whether a list of servers is shown above. */
  readonly isOfFleet: boolean
}

function Calendars({ known, range, isOfFleet }: CalendarsProps): ReactNode {
  return (
    <>
      {known.length === 0 && !isOfFleet ? <NoRecording /> : null}
      {known.map((recording) => (
        <RecordingView key={recording.name} recording={recording} />
      ))}
      {known.length > 0 && range !== null ? <WhatHappened recordings={known} range={range} /> : null}
    </>
  )
}

function NoRecording(): ReactNode {
  return (
    <EmptyState title="No recording is open">
      <p>
        <code>npx rookery record --server URL --to FOLDER</code> records a server, and{' '}
        <code>npx rookery open FOLDER</code> shows what was recorded. A folder can also be dropped on this page, or
        chosen in{' '}
        <PanelLink panel="files" parts={{ params: { 'files.focus': 'drop' } }}>
          Files
        </PanelLink>
        .
      </p>
    </EmptyState>
  )
}

const isFigure = (text: string | undefined): text is CalendarFigure => FIGURES.some(({ value }) => value === text)

/** Range of all hours with data; null: there are none. */
function wholeOf(manifest: Manifest): TimeRange | null {
  const hours = calendarHours(manifest)
  const [first] = hours
  const last = hours.at(-1)
  return first === undefined || last === undefined ? null : { startTicks: first.startTicks, endTicks: last.endTicks }
}

/** Number of rows that only a later version knows, in files and in the journals that were read. */
function newerRowsIn({ name, manifest, journals }: Recording, files: readonly FileState[]): number {
  const entries = entriesOf(name, files)
  return newerRowsOf(manifest) + journals.reduce((sum, path) => sum + (entries.get(path)?.newerRows ?? 0), 0)
}

function RecordingView({ recording }: { readonly recording: Recording }): ReactNode {
  const capture = useCapture()
  const { view, change } = useView()
  const [problem, setProblem] = useState('')
  const { manifest, name } = recording
  const missing = useSyncExternalStore(recordings.subscribe, () => recordings.lackOf(name))
  const chosen = view.params['archive.by']
  const by = isFigure(chosen) ? chosen : 'slow'
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  const thinned = lastThinnedDay(manifest)
  const reach = filesReachTo(manifest)
  const whole = wholeOf(manifest)
  const unread = useReadAgain(recording)
  const newer = wordsOfNewer(newerRowsIn(recording, useCaptureState().files))
  const open = (range: TimeRange): void => {
    change({ range }, { push: true })
    openRecording(capture, recording, range, null).then(
      () => setProblem(''),
      (error: unknown) => setProblem(errorText(error)),
    )
  }
  return (
    <section className="stack" aria-label={`Recording ${name}`}>
      <div className="row">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className="faint">
          {formatPlural(manifest.nodes.length, 'server')}, {formatPlural(manifest.files.length, 'file')},{' '}
          {formatBytes(bytes)}
        </span>
        <Segmented
          label="Shade hours by"
          options={FIGURES}
          value={by}
          onChange={(value) => change({ params: toLinkParams('archive', { by: value === 'slow' ? '' : value }) })}
        />
        {whole === null ? null : (
          <PanelLink panel="timeline" parts={{ range: whole, params: { 'timeline.composed': RECORDED_LANES } }}>
            Timeline of all hours
          </PanelLink>
        )}
      </div>
      {problem === '' ? null : (
        <Notice tone="error" title="The hours could not be opened">
          {problem}
        </Notice>
      )}
      {missing === null ? null : (
        <Notice tone="warn" title="Not everything was opened">
          {missing}
        </Notice>
      )}
      {manifest.files.length === 0 && (manifest.hours ?? []).length === 0 ? (
        <p className="note">No hour is in files yet: what was recorded so far is open, and shown by all panels.</p>
      ) : (
        <Calendar manifest={manifest} by={by} clock={view.clock} range={view.range} onOpen={open} />
      )}
      {reach === null || recording.journals.length === 0 || recording.countsJournals === true ? null : (
        <p className="note">
          The calendar reaches until {formatDateTime(reach, view.clock, 0)}. What was recorded since opens with the
          newest hour.
        </p>
      )}
      {newer === '' ? null : <p className="note">{newer} Open the recording with that version to see them.</p>}
      {unread === '' ? null : <p className="note">The list is as it was read last: {unread}</p>}
      {thinned === undefined ? null : (
        <p className="note">
          Single I/O events are kept after {thinned} (UTC). Of that day and those before, slow events and sums by second
          and minute are kept: <i>Ask</i> has them as <code>io_slow</code>, <code>io_seconds</code> and{' '}
          <code>io_minutes</code>.
        </p>
      )}
      <p className={styles.legend}>
        Hours of {view.clock === 'utc' ? 'UTC' : 'your clock'}. A click opens an hour, with Shift all from the chosen
        one to it. The stronger the colour, the more; hatched: not known, as where more than 1 % of the hour is a gap;
        an empty place: nothing was recorded.
      </p>
    </section>
  )
}
