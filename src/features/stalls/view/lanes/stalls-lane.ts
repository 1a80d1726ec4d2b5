import { paramsOfPanel } from '../../../../capture/client/panels.ts'
import type { LaneItem, LaneLook, LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { inRows, markTrack, spanMarks, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import { CAUSE_TITLES, type StallCause, type StallMark } from '../../contract.ts'

/** Styles by cause, with the hues of I/O. A later one is drawn above an earlier one if both fall on the same pixel. */
const LOOKS: readonly (LaneLook & { readonly cause: StallCause })[] = [
  { cause: 'bytes', title: CAUSE_TITLES.bytes, token: '--kind-journal-write', pattern: 'solid' },
  { cause: 'sync', title: CAUSE_TITLES.sync, token: '--kind-data-sync', pattern: 'solid' },
  { cause: 'flush', title: CAUSE_TITLES.flush, token: '--kind-data-flush', pattern: 'solid' },
  { cause: 'neighbour', title: CAUSE_TITLES.neighbour, token: '--series-second', pattern: 'hatched' },
  { cause: 'standstill', title: CAUSE_TITLES.standstill, token: '--series-fourth', pattern: 'hatched' },
  { cause: 'unexplained', title: CAUSE_TITLES.unexplained, token: '--kind-unknown', pattern: 'solid' },
]

/** Maximum number of tracks: stalls of different environments can overlap. */
const MOST_TRACKS = 4

interface Stall {
  readonly startTicks: StallMark['startTicks']
  readonly durationTicks: StallMark['durationTicks']
  readonly mark: StallMark
}

/** Path of the environment, which ends the id of its lane in I/O. */
const storageOf = (lane: string): string => lane.slice(lane.indexOf('|') + 1)

const itemOf = ({ startTicks, durationTicks, mark }: Stall): LaneItem => ({
  startTicks,
  durationTicks,
  title: `Stall: ${mark.title}`,
  facts: [
    ['Cause', mark.title],
    ['Storage', storageOf(mark.lane)],
    ...(mark.blamed === null ? [] : [['Blamed on', mark.blamed] as const]),
  ],
  evidence: [],
  of: { storage: mark.lane },
  link: { text: 'Open in Stalls', panel: 'stalls', parts: { selection: mark.selection } },
})

/** Lane of stalls, by the rule and the volumes of the view. */
const lane: LaneModule = {
  // Long, since each reading judges all data that is kept.
  everyMs: 10_000,
  read: async (request, { sources, params }, signal) => {
    const settings = paramsOfPanel('stalls', params)
    const { marks, isComplete } = await request('stalls.marks', { sources, settings, isWhole: false }, signal)
    const stalls = marks.map(({ startTicks, durationTicks }, i): Stall => ({
      startTicks,
      durationTicks,
      mark: marks[i] as StallMark,
    }))
    const rows = inRows(stalls, MOST_TRACKS).map((row) => ({ row, marks: spanMarks(row) }))
    const tracks = rows.map((own, i) =>
      markTrack({
        key: String(i),
        marks: own.marks,
        looks: LOOKS,
        lookAt: (at) => LOOKS.findIndex(({ cause }) => cause === own.row[at]?.mark.cause),
        itemAt: (at) => itemOf(own.row[at] as Stall),
        labelAt: (at) => own.row[at]?.mark.title ?? '',
      }),
    )
    const met = new Set(marks.map(({ cause }) => cause))
    return {
      tracks,
      nothing: isComplete ? 'none' : 'none among the newest',
      summarize: summarizeMarks(
        rows.map((own) => own.marks),
        { one: 'stall' },
      ),
      legend: LOOKS.filter(({ cause }) => met.has(cause)),
      hasGap: (gap) => gap.lane === null && sources.includes(gap.source),
      gaps: [],
    }
  },
}

export default lane
