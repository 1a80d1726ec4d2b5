import type { Feed } from '../capture/worker/feed.ts'
import type { TabsEnv } from '../ravendb/tabs/tabs.ts'
import { laterFeed } from '../capture/worker/later-feed.ts'
import { archiveFeed } from '../features/archive/data/feed.ts'
import { compareFeed } from '../features/compare/data/feed.ts'
import { IndexingFeed } from '../feeds/indexing/data/feed.ts'
import { IoFeed } from '../feeds/io/data/feed.ts'
import { ServerFeed } from '../feeds/server/data/feed.ts'
import { laterStacks } from '../feeds/stacks/data/later-stacks.ts'
import { indexNamesOf } from './sources/index-names.ts'
import { packageFeed } from '../features/package/data/feed.ts'
import { stallsFeed } from '../features/stalls/data/feed.ts'
import { BusiestIo } from './facts/busiest-io.ts'
import { factsOf, machineCpuOf, operationsOf } from './facts/server-facts.ts'
import { HeldUpWatch } from './facts/held-up.ts'
import { stallSourceOf } from './facts/stall-source.ts'

/** All feeds of a capture, one line each. `key`: of the stand-alone server. */
export function createFeeds(tabs?: TabsEnv | null, key: string | null = null): Feed[] {
  const indexing = new IndexingFeed()
  const io = new IoFeed(indexNamesOf(indexing))
  const journal = async () => (await import('./facts/journal-shares.ts')).journalSharesOf(io)
  const collected = async () => (await import('./facts/collected-entries.ts')).collectedEntriesOf(io, indexing)
  const server = new ServerFeed({ tabs, journal, collected })
  const stacks = laterStacks({ tabs, machineCpu: machineCpuOf(server) })
  const triage = laterFeed('triage', async () =>
    (await import('./facts/judged-server.ts')).judgedServer(
      server,
      () => {
        busiestIo.follow(Date.now())
        return factsOf({ io, indexing, heldUp, busiestIo, server })
      },
      await journal(),
    ),
  )
  const compare = compareFeed({
    io: async (params) =>
      (await import('./facts/compared-io.ts')).comparedIoLines(io.store, io.names, params, (source) =>
        io.knownUntil(source),
      ),
    indexing: async (params) =>
      (await import('./facts/compared-batches.ts')).comparedBatches(indexing.store, params, (source) =>
        indexing.knownUntil(source),
      ),
    server: async (params) => (await import('./facts/compared-series.ts')).comparedSeries(server.model, params),
  })
  const busiestIo = new BusiestIo(io, () => server.busiest)
  const ofStalls = stallSourceOf(io, server)
  const heldUp = new HeldUpWatch(io, ofStalls)
  const stalls = stallsFeed(ofStalls, () => heldUp.recent)
  const clusterLog = laterFeed('cluster-log', async () =>
    (await import('../features/cluster-log/data/log.ts')).clusterLogResponses(),
  )
  const documents = laterFeed('documents', async (governor) =>
    (await import('../features/documents/data/documents.ts')).documentResponses(governor),
  )
  const query = laterFeed('query', async (governor) =>
    (await import('../features/query/data/responses.ts')).queryResponses(governor),
  )
  const ofServer = operationsOf(server)
  const actions = laterFeed('actions', async () =>
    (await import('../actions/worker/responses.ts')).actionResponses({
      serverAlerts: () => new Set(server.model.alerts.keys()),
      operationFrames: ofServer.frames,
    }),
  )
  const operations = laterFeed('operations', async () =>
    (await import('../features/activity/data/operations.ts')).operationResponses(ofServer),
  )
  return [
    io,
    indexing,
    stacks,
    server,
    triage,
    busiestIo,
    clusterLog,
    stalls,
    compare,
    actions,
    operations,
    query,
    packageFeed(async () => (await import('./facts/packages.ts')).createPackages()),
    laterFeed('index-definitions', async () =>
      (await import('../features/index-definitions/data/responses.ts')).definitionResponses(),
    ),
    documents,
    archiveFeed(async () =>
      (await import('./facts/archives.ts')).createArchives({ io, indexing, server, stacks, ofStalls }),
    ),
    laterFeed('servers', async () => (await import('./facts/watched-server.ts')).watchedServers(key)),
  ]
}
