import type { Ticks } from '../../../../base/ticks.ts'
import type { LaneItem, LaneLook, LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { inRows, markTrack, spanMarks, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import type { TimeMarker } from '../../../../charts/timeline/markers.ts'
import { toDoneHere } from '../links.ts'

const LOOKS: readonly (LaneLook & { readonly tone: TimeMarker['tone'] })[] = [
  { tone: 'done', title: 'Done', token: '--kind-data-flush', pattern: 'solid' },
  { tone: 'open', title: 'Under way', token: '--series-second', pattern: 'hatched' },
  { tone: 'failed', title: 'Outcome unknown, or undone by another client', token: '--error', pattern: 'solid' },
]

const MOST_TRACKS = 4

interface Done extends LaneItem {
  readonly tone: TimeMarker['tone']
}

const itemOf = ({ atTicks, endTicks, label, tone }: TimeMarker): Done => ({
  startTicks: atTicks as Ticks,
  durationTicks: endTicks === null ? 0 : Math.max(0, endTicks - atTicks),
  title: label,
  facts: [['State', LOOKS.find((look) => look.tone === tone)?.title ?? tone]],
  evidence: [],
  of: {},
  link: { text: 'Open Activity', panel: 'activity', parts: toDoneHere },
  tone,
})

/** Markers of the page, which need no request. */
const lane: LaneModule = {
  everyMs: 500,
  read: (_request, { markers }) => {
    const rows = inRows(markers.map(itemOf), MOST_TRACKS)
    const marks = rows.map(spanMarks)
    return Promise.resolve({
      tracks: rows.map((row, i) =>
        markTrack({
          key: String(i),
          marks: marks[i] ?? spanMarks([]),
          looks: LOOKS,
          lookAt: (at) => LOOKS.findIndex(({ tone }) => tone === row[at]?.tone),
          itemAt: (at) => row[at] as Done,
          labelAt: (at) => row[at]?.title ?? '',
        }),
      ),
      nothing: 'none',
      summarize: summarizeMarks(marks, { one: 'action', isTimed: false }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    })
  },
}

export default lane
