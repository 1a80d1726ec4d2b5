import type { Archives } from '../../features/archive/data/feed.ts'
import { RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import type { IoFeed } from '../../features/io/data/feed.ts'
import { seriesInfo } from '../../features/server/data/series.ts'
import type { StallSource } from '../../features/stalls/data/responses.ts'
import { RecordedTriageJudge } from './recorded-triage.ts'

/** Recordings, and the judgement of their servers by figures and I/O. */
export function createArchives(io: Pick<IoFeed, 'store' | 'names'>, ofStalls: StallSource): Archives {
  const servers = new RecordedServers(seriesInfo)
  const judge = new RecordedTriageJudge(servers, io, ofStalls)
  return {
    servers,
    responses: {
      ...servers.responses,
      'archive.triage': (params, _governor, signal) => judge.respond(params, signal),
    },
  }
}
