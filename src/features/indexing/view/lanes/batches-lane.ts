import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { allIndexesLane } from '../../../../capture/client/state.ts'
import type { LaneItem, LaneLook, LaneModule, LaneTrack } from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import { indexMarks, type Indexed } from '../../../../charts/timeline/marks.ts'
import { BATCH_STATES, NO_FILTER, type BatchState } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../../feeds/indexing/contract/indexes.ts'
import type { IndexMarks } from '../../../../feeds/indexing/contract/lanes.ts'
import { formatBatchRef } from '../../../../feeds/indexing/contract/batch-ref.ts'
import { STATE_LOOKS, stateOf } from '../states.ts'

/** Maximum number of tracks; more are not useful in one lane. */
const MOST_INDEXES = 24

const PICTURES: Readonly<Record<BatchState, Pick<LaneLook, 'token' | 'pattern'>>> = {
  worked: { token: '--series-first', pattern: 'solid' },
  empty: { token: '--wait-unknown', pattern: 'low' },
  training: { token: '--wait-unknown', pattern: 'faint' },
  lost: { token: '--wait-unknown', pattern: 'faint' },
  running: { token: '--series-third', pattern: 'solid' },
  waiting: { token: '--wait-lock', pattern: 'hatched' },
  failed: { token: '--error', pattern: 'solid' },
}

/** States by increasing priority in a pixel. */
const ORDER: readonly BatchState[] = ['empty', 'training', 'lost', 'worked', 'running', 'waiting', 'failed']
const LOOKS = ORDER.map((state): LaneLook => ({ title: STATE_LOOKS[state].title, ...PICTURES[state] }))
const FAILED_BIT = 1 << BATCH_STATES.indexOf('failed')
const FAILED = ORDER.indexOf('failed')

function indexTrack(index: IndexInfo, marks: Indexed<IndexMarks>, manySources: boolean): LaneTrack {
  const title = manySources ? `${index.name} of ${index.source.replace(/^db:/, '')}` : index.name
  const itemAt = (mark: number): LaneItem => {
    const startTicks = (marks.startTicks[mark] ?? Number.NaN) as Ticks
    const others = (marks.count[mark] ?? 1) - 1
    const documents = marks.documents[mark] ?? Number.NaN
    return {
      startTicks,
      durationTicks: marks.durationTicks[mark] ?? Number.NaN,
      title: `Batch of ${title}`,
      facts: [
        ['State', STATE_LOOKS[stateOf(marks.state[mark] ?? 0)].title],
        ['Documents in', Number.isNaN(documents) ? 'not reported' : formatCount(documents)],
        ...(others > 0 ? [['In this pixel', `${formatPlural(others, 'shorter one')} more`] as const] : []),
      ],
      evidence: [],
      of: { index: index.key },
      link: {
        text: 'Open in Indexing',
        panel: 'indexing',
        parts: {
          selection: formatBatchRef({ index: index.key, startTicks, id: marks.id[mark] ?? 0 }),
          params: { 'indexing.view': '' },
        },
      },
    }
  }
  return markTrack({
    key: index.key,
    title,
    marks,
    looks: LOOKS,
    lookAt: (mark) =>
      ((marks.states[mark] ?? 0) & FAILED_BIT) === 0 ? ORDER.indexOf(stateOf(marks.state[mark] ?? 0)) : FAILED,
    itemAt,
    labelAt: () => index.name,
  })
}

/** Batches of the indexes of the sources, or of one index. */
const lane: LaneModule = {
  everyMs: 500,
  want: (request, sources) => request('indexing.want', { sources, budgets: false }),
  read: async (request, { sources, object, window }, signal) => {
    const { indexes, awaited } = await request('indexing.indexes', { sources }, signal)
    const shown = indexes
      .filter(({ name, counts }) => counts.batches > 0 && (object === undefined || name === object))
      .toSorted((a, b) => b.busyTicks - a.busyTicks)
      .slice(0, MOST_INDEXES)
    const { rows } =
      shown.length === 0
        ? { rows: [] }
        : await request(
            'indexing.marks',
            { indexes: shown.map(({ key }) => key), pieces: window.pieces, filter: NO_FILTER },
            signal,
          )
    const manySources = new Set(shown.map(({ source }) => source)).size > 1
    const tracks = shown.flatMap((index, i) => {
      const row = rows[i]
      return row === undefined ? [] : [{ index, marks: indexMarks(row) }]
    })
    const affected = new Set(sources.map(allIndexesLane))
    if (object !== undefined) for (const { key } of shown) affected.add(key)
    return {
      tracks: tracks.map(({ index, marks }) => indexTrack(index, marks, manySources)),
      nothing: awaited.length > 0 ? 'reading …' : 'none',
      summarize: summarizeMarks(
        tracks.map(({ marks }) => marks),
        { one: 'batch', many: 'batches', countAt: (track, mark) => tracks[track]?.marks.count[mark] ?? 1 },
      ),
      legend: LOOKS,
      hasGap: ({ lane: of }) => of !== null && affected.has(of),
      gaps: [],
    }
  },
}

export default lane
