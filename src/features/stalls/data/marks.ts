import { spanFromMs } from '../../../base/ticks.ts'
import {
  CAUSE_TITLES,
  FEW_EVENTS,
  MARK_LIMIT,
  MOST_EVENTS,
  STALL_CAUSES,
  type StallMark,
  type StallMarksParams,
  type StallMarksResponse,
} from '../contract.ts'
import type { StallsJudge } from './responses.ts'
import { parseRule, parseVolumes } from '../link-settings.ts'

/** Returns the stalls that the panel Stalls lists, for drawing. Can be aborted. */
export async function stallMarks(
  judge: StallsJudge,
  { sources, settings, isWhole }: StallMarksParams,
  signal: AbortSignal,
): Promise<StallMarksResponse> {
  const { version, stalls, judgements, total, isComplete } = await judge.respond(
    {
      sources,
      rule: parseRule(settings),
      volumes: parseVolumes(settings.volumes ?? '') ?? [],
      // Only needed for shares of known time, which marks do not show.
      unknown: [],
      range: null,
      most: isWhole ? MOST_EVENTS : FEW_EVENTS,
    },
    signal,
  )
  const marks: StallMark[] = []
  for (const { of, source, environment, startTicks, durationMs, cause, blamed, selection } of stalls) {
    if (of !== 'write' || selection === null) continue
    marks.push({
      lane: `${source}|${environment}`,
      startTicks,
      durationTicks: spanFromMs(durationMs),
      cause,
      title: CAUSE_TITLES[cause],
      blamed: blamed?.label ?? null,
      selection,
    })
    if (marks.length === MARK_LIMIT) break
  }
  return {
    version,
    marks: marks.toSorted((a, b) => a.startTicks - b.startTicks),
    causes: STALL_CAUSES.flatMap((cause) => {
      const count = judgements.find((each) => each.cause === cause)?.stalls ?? 0
      return count === 0 ? [] : [{ cause, title: CAUSE_TITLES[cause], stalls: count }]
    }),
    total,
    isComplete,
  }
}
