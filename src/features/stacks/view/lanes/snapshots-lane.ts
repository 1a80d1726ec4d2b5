import { formatPlural } from '../../../../base/text/format.ts'
import type { LaneFrame, LaneItem, LaneLook, LaneModule, TrackBox } from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, spanMarks, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import type { SnapshotInfo } from '../../../../feeds/stacks/contract/snapshots.ts'
import { choiceOf, chooseSnapshots, snapshotsOf } from '../choice.ts'
import { formatSettings, parseSettings } from '../params.ts'
import { formatMs } from '../words.ts'

/** Styles of snapshots, in order of precedence within a pixel. The sides are those of the panel Stacks. */
const LOOKS: readonly (LaneLook & { readonly side: string })[] = [
  { side: '', title: 'Snapshot', token: '--wait-unknown', pattern: 'solid' },
  { side: 'B', title: 'B: compared with', token: '--wait-lock', pattern: 'solid' },
  { side: 'A', title: 'A: shown in Stacks', token: '--series-first', pattern: 'solid' },
]
const FLAG_PX = 11

/** Stack snapshots of the sources; a click opens one in Stacks. */
const lane: LaneModule = {
  everyMs: 1000,
  read: async (request, { sources, window, params }, signal) => {
    const { snapshots } = await request('stacks.state', null, signal)
    const settings = parseSettings(params)
    const all = snapshotsOf(snapshots, sources)
    const chosen = chooseSnapshots(all, settings.of, window)
    const against = settings.against === null ? [] : chooseSnapshots(all, settings.against, window, chosen)
    const timed = all
      .filter(({ atTicks }) => !Number.isNaN(atTicks))
      .map((info) => ({ info, startTicks: info.atTicks, durationTicks: 0 }))
      .toSorted((a, b) => a.startTicks - b.startTicks)
    const marks = spanMarks(timed)
    const lookAt = (mark: number): number => {
      const info = timed[mark]?.info
      return info === undefined ? 0 : chosen.includes(info) ? 2 : against.includes(info) ? 1 : 0
    }
    const track = markTrack({
      key: '',
      marks,
      looks: LOOKS,
      lookAt,
      itemAt: (mark) => itemOf((timed[mark] as (typeof timed)[number]).info, all),
    })
    return {
      tracks:
        timed.length === 0
          ? []
          : [
              {
                ...track,
                draw: (context, frame, box) => {
                  track.draw(context, frame, box)
                  timed.forEach(({ startTicks }, mark) => {
                    const look = LOOKS[lookAt(mark)]
                    if (look !== undefined && look.side !== '') drawFlag(context, frame, box, startTicks, look)
                  })
                },
              },
            ],
      nothing: 'none',
      summarize: summarizeMarks([marks], { one: 'stack snapshot', isTimed: false }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    }
  },
}

function drawFlag(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LaneFrame,
  { yPx, heightPx }: TrackBox,
  atTicks: number,
  { side, token }: (typeof LOOKS)[number],
): void {
  const xPx = Math.round(scale.toPx(atTicks))
  if (xPx < -FLAG_PX || xPx > scale.widthPx + FLAG_PX) return
  const topPx = yPx + Math.max(0, (heightPx - FLAG_PX) / 2)
  context.fillStyle = tokens.kinds.get(token) ?? tokens.accent
  context.fillRect(xPx - FLAG_PX / 2, topPx, FLAG_PX, FLAG_PX)
  context.font = `bold 9px ${tokens.font}`
  context.textBaseline = 'middle'
  context.fillStyle = tokens.bg
  context.fillText(side, xPx - context.measureText(side).width / 2, topPx + FLAG_PX / 2 + 0.5)
}

function itemOf(info: SnapshotInfo, all: readonly SnapshotInfo[]): LaneItem {
  const { atTicks, sampled, threads, nodeTag, cost, reason } = info
  return {
    startTicks: atTicks,
    durationTicks: 0,
    title: 'Stack snapshot',
    facts: [
      [
        'Stacks',
        sampled === 0 ? `none: a list of ${formatPlural(threads, 'thread')}` : formatPlural(sampled, 'thread'),
      ],
      ...(reason === null ? [] : [['Taken for', reason] as const]),
      ...(nodeTag === null ? [] : [['Node', nodeTag] as const]),
      ...(cost === null ? [] : [['Took', formatMs(cost.tookMs)] as const]),
    ],
    evidence: [],
    of: {},
    link: {
      text: 'Open in Stacks',
      panel: 'stacks',
      parts: { params: formatSettings({ of: choiceOf(info, all) }) },
    },
  }
}

export default lane
