/** Widgets of the dashboard and polls that give way together. */
interface Step {
  readonly why: string
  readonly widgets: readonly string[]
  readonly polls: readonly string[]
}

/**
 * The order in which figures of the server give way where the overhead limit, or a machine without CPU to spare, leaves no
 * room for all. `never` is watched on every panel and not paused: what _since when_ is answered by must not have holes of our
 * own making. Its polls become slower under stress, of which each counts what happened since the one before.
 */
export const GIVING_WAY = {
  first: {
    why: 'Polls of what changes seldom, or is only looked at: they become slower, as expensive as they are.',
    widgets: [],
    polls: ['tcpStats', 'idleDatabases', 'licenseStatus'],
  },
  second: {
    why: 'Figures by database and by device: collected while a panel of the server is open, paused after all polls.',
    widgets: [
      'IoStats',
      'DatabaseStorageUsage',
      'DatabaseTraffic',
      'Indexing',
      'DatabaseIndexing',
      'ClusterOverview',
      'GcInfo',
    ],
    polls: [],
  },
  never: {
    why: 'CPU, databases and free space, and the history of requests, latency, writes and throughput.',
    widgets: ['CpuUsage', 'DatabaseOverview', 'StorageUsage', 'Traffic'],
    polls: ['serverId', 'clusterTopology', 'adminStats', 'adminMetrics', 'cpuCredits', 'lowMemoryLog', 'memoryGc'],
  },
} as const satisfies Record<string, Step>
