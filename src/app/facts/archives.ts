import type { Archives } from '../../features/archive/data/feed.ts'
import { RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import { seriesInfo } from '../../feeds/server/data/series.ts'
import type { StallSource } from '../../features/stalls/data/responses.ts'
import { RecordedTriageJudge } from './recorded-triage.ts'
import { capturedRows, countCaptured } from './captured-rows.ts'
import { heldRows, saveCapture, type SavedFeeds } from './save-capture.ts'

interface ArchivesOf extends Omit<SavedFeeds, 'io' | 'recorded'> {
  readonly io: Pick<IoFeed, 'store' | 'names'>
  readonly ofStalls: StallSource
}

/** Creates the recordings, the judgement of their servers, and saved captures. */
export function createArchives({ ofStalls, ...feeds }: ArchivesOf): Archives {
  const servers = new RecordedServers(seriesInfo)
  const judge = new RecordedTriageJudge(servers, feeds.io, ofStalls)
  const saved = { ...feeds, recorded: servers }
  return {
    servers,
    responses: {
      ...servers.responses,
      'archive.triage': (params, _governor, signal) => judge.respond(params, signal),
      'archive.held': (params) => heldRows(saved, params),
      'archive.counted': (params) => ({ rows: countCaptured(saved, params) }),
    },
    exporters: {
      'archive.capture': (params) => saveCapture(saved, params),
      'archive.rows': (params) => capturedRows(saved, params),
    },
  }
}
