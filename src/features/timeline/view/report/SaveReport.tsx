import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, type Clock } from '../../../../base/text/format.ts'
import { ticksFromMs, type TimeRange } from '../../../../base/ticks.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { type Gap, isFileSource, type SourceId } from '../../../../capture/client/state.ts'
import { useCapture, useView } from '../../../../capture/client/view.ts'
import { exportFileName } from '../../../../capture/exporting/file-name.ts'
import { saveText } from '../../../../capture/exporting/save-text.ts'
import { chosenKey } from '../../../../capture/frame/lanes/chosen.ts'
import { layoutComposed, summarize, wordsOf } from '../../../../capture/frame/lanes/composed.ts'
import { itemsIn } from '../../../../capture/frame/lanes/LaneTables.tsx'
import type { Composed } from '../../../../capture/frame/lanes/useComposed.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { GAP_WORDS } from '../../../../capture/frame/notices/gap-words.ts'
import { gapsIn } from '../../../../capture/frame/notices/GapList.tsx'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { pictureOf } from './picture.ts'
import { reportHtml, type ReportTable } from './report.ts'
import type {} from '../../../archive/contract.ts'
import type {} from '../../../../feeds/server/contract.ts'
import type {} from '../../../triage/contract.ts'

interface SaveReportProps {
  readonly composed: Composed
  readonly range: TimeRange
  /** Gaps of the selected sources. */
  readonly gaps: readonly Gap[]
}

/** Maximum number of rows of a table in a report. The report states how many more there are. */
const MOST_ROWS = 200

/**
 * Saves what is in view as one HTML file that needs no network: summary, findings, picture, and a table of each lane.
 */
export function SaveReport({ composed, range, gaps }: SaveReportProps): ReactNode {
  const { attempt, failure } = useAttempt()
  const capture = useCapture()
  const { sources, clock } = useView().view
  const tokens = useCanvasTokens()
  const save = async (): Promise<void> => {
    const { sentence, table } = await findingsIn(capture, sources, range, clock)
    const { rows } = layoutComposed(composed.lanes, composed.definitions, composed.readings)
    const from = formatDateTime(range.startTicks, clock, 3)
    const html = [
      ...reportHtml({
        title: `Rookery: ${from}`,
        range: `${from} – ${formatDateTime(range.endTicks, clock, 3)} (${clock === 'utc' ? 'UTC' : 'local time'}), ${formatDuration(range.endTicks - range.startTicks)}`,
        sources,
        sentences: [sentence, summarize(rows, range)].filter((text) => text !== ''),
        picture: pictureOf({ composed, range, clock, gaps, tokens }),
        tables: [table, gapTable(gapsIn(gaps, range), clock), ...laneTables(composed, range, clock)],
        madeAt: `${formatDateTime(ticksFromMs(Date.now()), 'utc', 0)} UTC`,
      }),
    ]
    const expectedBytes = html.reduce((sum, piece) => sum + piece.length, 0)
    const name = exportFileName({ what: 'report', of: '', at: range.startTicks, extension: 'html' })
    await saveText(html, { name, mediaType: 'text/html', expectedBytes })
  }
  return (
    <>
      <Button
        icon="file"
        title="Save what is in view as one HTML file, which opens without a network"
        onClick={() => void attempt('Could not save the report', save)}
      >
        Save report
      </Button>
      <AttemptFailure of={failure} />
    </>
  )
}

/** Findings of the range: the recorded ones, or, for a live server, the current findings of Triage. */
async function findingsIn(
  capture: CaptureClient,
  sources: readonly SourceId[],
  range: TimeRange,
  clock: Clock,
): Promise<{ readonly sentence: string; readonly table: ReportTable }> {
  const time = (at: TimeRange['startTicks'] | null): string => (at === null ? '' : formatDateTime(at, clock, 0))
  const head = ['Finding', 'Level', 'From', 'To', 'Evidence']
  if (sources.length > 0 && sources.every(isFileSource)) {
    const { findings } = await capture.request('archive.facts', { sources })
    const met = findings.filter((each) => each.startTicks < range.endTicks && each.endTicks >= range.startTicks)
    const rows = met.map((each) => [each.title, each.level, time(each.startTicks), time(each.endTicks), ''])
    return { sentence: '', table: listed({ title: 'Findings', words: '', head, rows }) }
  }
  const { sentence, items, more } = await capture.request('triage.now', null)
  const rows = [...items, ...more].map((item) => [
    item.title,
    item.level,
    time(item.sinceTicks),
    item.held === undefined ? 'now' : time(item.held.ticks),
    item.evidence.join(' '),
  ])
  const words = 'As of when the report was made.'
  return { sentence, table: listed({ title: 'Findings', words, head, rows }) }
}

const listed = ({ rows, ...table }: Omit<ReportTable, 'left'>): ReportTable => ({
  ...table,
  rows: rows.slice(0, MOST_ROWS),
  left: Math.max(0, rows.length - MOST_ROWS),
})

const gapTable = (gaps: readonly Gap[], clock: Clock): ReportTable =>
  listed({
    title: 'Not known',
    // Before and after what was collected nothing is noted, so an empty list does not make the range known.
    words: gaps.length === 0 ? 'No gap is noted in the range.' : '',
    head: ['Why', 'From', 'To', 'Of', 'Detail'],
    rows: gaps.map(({ reason, startTicks, endTicks, source, lane, detail }) => [
      GAP_WORDS[reason],
      formatDateTime(startTicks, clock, 3),
      formatDateTime(endTicks, clock, 3),
      lane ?? source,
      detail,
    ]),
  })

/** Marks in view of each lane, newest first. */
const laneTables = ({ lanes, titleOf, readings }: Composed, range: TimeRange, clock: Clock): ReportTable[] =>
  lanes.flatMap((chosen) => {
    const data = readings.get(chosenKey(chosen))?.data ?? null
    const words = wordsOf(data, range)
    if (data === null || words === '') return []
    const rows = itemsIn(data, range).map(({ startTicks, durationTicks, title, facts, evidence }) => [
      formatDateTime(startTicks, clock, 3),
      durationTicks > 0 ? formatDuration(durationTicks) : '',
      title,
      [...facts.map(([name, text]) => `${name}: ${text}.`), ...evidence].join(' '),
    ])
    const title = titleOf(chosen)
    return [listed({ title, words, head: ['From', 'For', 'What', 'Facts'], rows })]
  })
