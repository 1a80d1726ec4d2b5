/** Dashboard widgets and polls that are reduced together. */
interface Step {
  readonly why: string
  readonly widgets: readonly string[]
  readonly polls: readonly string[]
}

/**
 * Order in which figures of the server are reduced if the overhead limit, or a machine with saturated CPU, leaves no
 * room for all of them. `never` is collected on every panel and not paused, so that the history that answers _since
 * when_ has no gaps caused by Rookery. Its polls become slower under stress; each counts what happened since the
 * previous one.
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
