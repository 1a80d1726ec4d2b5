import type { LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import { kindsOf } from '../timeline/kinds.ts'
import { kindTrack, lookOf, readKinds } from './kind-lane.ts'

/** I/O of one storage environment, by its name in the I/O panel; those of the same name together. */
const lane: LaneModule = {
  everyMs: 250,
  read: async (request, { sources, object = '', window }, signal) => {
    const listed = await request('io.lanes', { sources, find: object, page: 0, openKinds: [] }, signal)
    const lanes = listed.lanes.filter(({ label }) => label === object)
    const read = await readKinds(request, lanes, kindsOf(lanes.flatMap(({ kinds }) => kinds)), window, signal)
    const tracks = read.map((rows) => kindTrack(rows, rows.kind, window.resolutionTicks))
    const ids = new Set(lanes.map(({ id }) => id))
    return {
      tracks: tracks.map(({ track }) => track),
      nothing: 'none',
      summarize: summarizeMarks(
        tracks.map(({ marks }) => marks),
        { one: 'event', many: 'events', countAt: (track, at) => tracks[track]?.marks.count[at] ?? 1 },
      ),
      legend: read.map(({ kind }) => lookOf(kind)),
      hasGap: ({ lane: of, source }) => (of === null ? sources.includes(source) : ids.has(of)),
      gaps: [],
    }
  },
}

export default lane
