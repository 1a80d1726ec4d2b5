import type { LaneItem, LaneLook, LaneModule } from '../../../capture/frame/lanes/lane.ts'
import { inRows, markTrack, spanMarks, summarizeMarks } from '../../../capture/frame/lanes/mark-track.ts'
import type { RecordedFinding } from '../contract.ts'

/** Styles, by severity. */
const LOOKS: readonly (LaneLook & { readonly level: string })[] = [
  { level: 'info', title: 'Info', token: '--wait-unknown', pattern: 'solid' },
  { level: 'warning', title: 'Warning', token: '--series-second', pattern: 'solid' },
  { level: 'critical', title: 'Critical', token: '--error', pattern: 'solid' },
]
const MOST_ROWS = 4

type FindingItem = LaneItem & { readonly look: number }

const itemOf = ({ startTicks, endTicks, title, level, node }: RecordedFinding): FindingItem => ({
  startTicks,
  durationTicks: endTicks - startTicks,
  title,
  facts: [
    ['Level', level],
    ['Server', node],
  ],
  evidence: [],
  of: {},
  link: null,
  look: Math.max(
    0,
    LOOKS.findIndex((look) => look.level === level),
  ),
})

/** Lane with the findings of the recorded servers to which the sources belong. */
const lane: LaneModule = {
  everyMs: 5000,
  read: async (request, { sources }, signal) => {
    const { findings } = await request('archive.facts', { sources }, signal)
    const rows = inRows(findings.map(itemOf), MOST_ROWS)
    const marks = rows.map(spanMarks)
    return {
      tracks: rows.map((items, row) =>
        markTrack({
          key: String(row),
          marks: marks[row] ?? spanMarks([]),
          looks: LOOKS,
          lookAt: (mark) => items[mark]?.look ?? 0,
          itemAt: (mark) => items[mark] as LaneItem,
          labelAt: (mark) => items[mark]?.title ?? '',
        }),
      ),
      nothing: 'none',
      summarize: summarizeMarks(marks, { one: 'finding' }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    }
  },
}

export default lane
