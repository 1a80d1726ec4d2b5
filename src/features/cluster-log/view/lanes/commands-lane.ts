import { formatCount } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { LaneItem, LaneLook, LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, spanMarks, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import type { ClusterLog } from '../../contract.ts'

const COMMITTED: LaneLook = { title: 'Committed', token: '--series-first', pattern: 'solid' }
const PENDING: LaneLook = { title: 'Not committed', token: '--error', pattern: 'solid' }
/** An uncommitted command takes precedence if both share a pixel. */
const LOOKS = [COMMITTED, PENDING]

/** Commands of the cluster log as moments. */
const lane: LaneModule = {
  everyMs: 5000,
  read: async (request, _view, signal) => {
    const log = await request('clusterLog.read', null, signal)
    const items = itemsOf(log)
    const marks = spanMarks(items.map(({ item }) => item))
    const track = markTrack({
      key: '',
      marks,
      looks: LOOKS,
      lookAt: (mark) => (items[mark]?.isPending === true ? 1 : 0),
      itemAt: (mark) => items[mark]?.item as LaneItem,
    })
    return {
      tracks: items.length === 0 ? [] : [track],
      nothing: 'no command',
      summarize: summarizeMarks([marks], { one: 'cluster command' }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    }
  },
}

interface CommandItem {
  readonly item: LaneItem
  readonly isPending: boolean
}

/** Commands with a time, sorted by it: nodes have clocks of their own, so that the order of the log may differ. */
function itemsOf({ commands, commitIndex }: ClusterLog): readonly CommandItem[] {
  return Array.from({ length: commands.length }, (_, row): CommandItem => {
    const index = commands.index[row] ?? Number.NaN
    const isPending = index > commitIndex
    return {
      isPending,
      item: {
        startTicks: (commands.atTicks[row] ?? Number.NaN) as Ticks,
        durationTicks: 0,
        title: commands.kinds[commands.kind[row] ?? -1] ?? 'Unknown command',
        facts: [
          ['Index', formatCount(index)],
          ['Term', formatCount(commands.term[row] ?? Number.NaN)],
          ['State', isPending ? 'not committed' : 'committed'],
        ],
        evidence: [],
        of: {},
        link: { text: 'Open in Cluster log', panel: 'cluster-log', parts: { selection: String(index) } },
      },
    }
  })
    .filter(({ item }) => !Number.isNaN(item.startTicks))
    .toSorted((a, b) => a.item.startTicks - b.item.startTicks)
}

export default lane
