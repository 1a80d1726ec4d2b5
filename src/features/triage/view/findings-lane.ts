import type { Ticks } from '../../../base/ticks.ts'
import type { LaneItem, LaneLink, LaneLook, LaneModule, LaneTrack } from '../../../capture/frame/lanes/lane.ts'
import { inRows, markTrack, spanMarks, summarizeMarks } from '../../../capture/frame/lanes/mark-track.ts'
import type { Happening, ServerActivity } from '../contract/activity.ts'
import type {} from '../../../feeds/server/contract.ts'
import type { Triage, TriageItem } from '../contract/findings.ts'

type Level = TriageItem['level']

/** Styles in ascending order of severity. A later one is drawn above an earlier one if both fall on the same pixel. */
const LOOKS: readonly (LaneLook & { readonly level: Level })[] = [
  { level: 'info', title: 'Information', token: '--wait-unknown', pattern: 'faint' },
  { level: 'warning', title: 'Warning', token: '--series-second', pattern: 'hatched' },
  { level: 'critical', title: 'Critical', token: '--error', pattern: 'solid' },
]
const MOST_ROWS = 4

const TO_TRIAGE: LaneLink = { text: 'Open in Triage', panel: 'triage', parts: {} }

interface Finding extends LaneItem {
  readonly level: Level
}

/** Span of a present finding, up to now or to the time at which it was last confirmed. Null: its start is unknown. */
function current({ level, title, evidence, sinceTicks, sinceIsBound, held }: TriageItem, now: Ticks): Finding | null {
  if (sinceTicks === null) return null
  return {
    level,
    startTicks: sinceTicks,
    durationTicks: Math.max(0, (held?.ticks ?? now) - sinceTicks),
    title,
    facts: [
      ['Level', level],
      ['State', held === undefined ? 'holds' : 'as of its end'],
      ...(sinceIsBound ? [['Began', 'before it was first seen'] as const] : []),
    ],
    evidence,
    of: {},
    link: TO_TRIAGE,
  }
}

const past = ({ level, startTicks, endTicks, startIsBound, times, text }: Happening): Finding | null =>
  level === null
    ? null
    : {
        level,
        startTicks,
        durationTicks: Math.max(0, endTicks - startTicks),
        title: text,
        facts: [
          ['Level', level],
          ['State', 'over'],
          ...(times > 1 ? [['Times', String(times)] as const] : []),
          ...(startIsBound ? [['Began', 'before it was first seen'] as const] : []),
        ],
        evidence: [],
        of: {},
        link: TO_TRIAGE,
      }

/** Present findings, and ended ones of the last day, as spans. */
export function findingsOf(
  { items, more }: Pick<Triage, 'items' | 'more'>,
  { happened }: Pick<ServerActivity, 'happened'>,
  now: Ticks,
): readonly Finding[] {
  const all = [...items, ...more].map((item) => current(item, now))
  return [...all, ...happened.map(past)].filter((finding) => finding !== null)
}

const lane: LaneModule = {
  everyMs: 5000,
  want: (request) => request('server.want', null),
  read: async (request, { window }, signal) => {
    const [triage, activity, { nowTicks }] = await Promise.all([
      request('triage.now', null, signal),
      request('triage.activity', null, signal),
      request('server.now', null, signal),
    ])
    const rows = inRows(findingsOf(triage, activity, nowTicks ?? window.endTicks), MOST_ROWS)
    const marks = rows.map(spanMarks)
    return {
      tracks: rows.map((row, i) => findingsTrack(String(i), row)),
      nothing: 'none',
      summarize: summarizeMarks(marks, { one: 'finding' }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    }
  },
}

const findingsTrack = (key: string, row: readonly Finding[]): LaneTrack =>
  markTrack({
    key,
    marks: spanMarks(row),
    looks: LOOKS,
    lookAt: (mark) => LOOKS.findIndex(({ level }) => level === row[mark]?.level),
    itemAt: (mark) => row[mark] as LaneItem,
    labelAt: (mark) => row[mark]?.title ?? '',
  })

export default lane
