import { describe, expect, it } from 'vitest'
import { decodeAddress } from './url.ts'
import { studioBeside } from './studio-beside.ts'

const PANELS = [
  'triage',
  'database',
  'databases',
  'server',
  'cluster',
  'io',
  'stalls',
  'indexing',
  'stacks',
  'cluster-log',
  'activity',
  'files',
]
const X = 'db:a/b & c'
const QUERY = '?&database=a%2Fb%20%26%20c'
const PAGE = { panel: 'database', sources: [], database: 'a/b & c', params: {} }

const read = (hash: string) => {
  const { panel, view, notes, onlyInStudio } = decodeAddress(hash, PANELS)
  expect(notes).toEqual([])
  const database = view.database === null ? {} : { database: view.database }
  return { panel, sources: view.sources, ...database, params: view.params, onlyInStudio }
}

/* All routes of the Studios of 5.4.207, 6.2.4 and 7.1.5, as compiled into them, but those of the setup wizard. */

describe('links of the official Studio', () => {
  it.each([
    ['databases/indexes', { panel: 'indexing', sources: [X], params: { 'indexing.view': 'indexes' } }],
    [
      'databases/indexes/edit/Orders%2FByCompany',
      {
        panel: 'indexing',
        sources: [X],
        params: { 'indexing.view': 'indexes', 'indexing.focus': `${X}|Orders/ByCompany` },
      },
    ],
    ['databases/indexes/performance', { panel: 'indexing', sources: [X], params: {} }],
    ['databases/status/ioStats', { panel: 'io', sources: [X], params: {} }],
    // Merge suggestions, and when each index was last queried, are in the table of indexes.
    ['databases/indexes/cleanup', { panel: 'indexing', sources: [X], params: { 'indexing.view': 'indexes' } }],
    ['databases/indexes/indexErrors', PAGE],
    ['databases/status', PAGE],
    ['databases/status/storage/report', PAGE],
    ['databases/tasks/ongoingTasks', PAGE],
    ['databases/tasks/backups', PAGE],
    ['databases/tasks/exportDatabase', PAGE],
    ['databases/tasks/import/file', PAGE],
  ])('%s leads to the same here', (route, expected) => {
    expect(read(`#${route}${QUERY}`)).toEqual({ ...expected, onlyInStudio: undefined })
  })

  it.each([
    ['clusterDashboard', { panel: 'server', sources: [], params: {} }],
    ['dashboard', { panel: 'server', sources: [], params: {} }],
    ['admin/settings/ioStats', { panel: 'io', sources: ['server'], params: {} }],
    ['admin/settings/captureStackTraces', { panel: 'stacks', sources: ['server'], params: {} }],
    ['admin/settings/runningQueries', { panel: 'activity', sources: [], params: { 'activity.view': 'queries' } }],
    ['admin/settings/cluster', { panel: 'cluster', sources: [], params: {} }],
    ['admin/settings/debug/advanced/clusterDebug', { panel: 'cluster-log', sources: [], params: {} }],
    ['admin/settings/debug/advanced/memoryMappedFiles', { panel: 'server', sources: [], params: {} }],
    ['admin/settings/debug/advanced/threadsRuntime', { panel: 'server', sources: [], params: {} }],
  ])('%s of the server leads to the same here', (route, expected) => {
    expect(read(`#${route}`)).toEqual({ ...expected, onlyInStudio: undefined })
  })

  it('to the list of databases are ours', () => {
    expect(read('#databases')).toMatchObject({ panel: 'databases', params: {} })
  })

  it.each([
    'databases/advanced/databaseIDs',
    'databases/advanced/databaseRecord',
    'databases/advanced/tombstonesState',
    'databases/ai/agents',
    'databases/ai/agents/chat',
    'databases/ai/agents/edit',
    'databases/ai/connectionStrings',
    'databases/ai/tasks',
    'databases/ai/tasksStats',
    'databases/cmpXchg',
    'databases/cmpXchg/edit',
    'databases/documents',
    'databases/documents/conflicts',
    'databases/documents/revisions/all',
    'databases/documents/revisions/bin',
    'databases/edit',
    'databases/identities',
    'databases/indexes/new',
    'databases/indexes/visualizer',
    'databases/manageDatabaseGroup',
    'databases/patch/x',
    'databases/query/index/x',
    'databases/settings/clientConfiguration',
    'databases/settings/conflictResolution',
    'databases/settings/connectionStrings',
    'databases/settings/customAnalyzers',
    'databases/settings/customSorters',
    'databases/settings/dataArchival',
    'databases/settings/databaseSettings',
    'databases/settings/documentsCompression',
    'databases/settings/editCustomAnalyzer',
    'databases/settings/editCustomSorter',
    'databases/settings/expiration',
    'databases/settings/integrations',
    'databases/settings/refresh',
    'databases/settings/revertRevisions',
    'databases/settings/revisions',
    'databases/settings/revisionsBinCleaner',
    'databases/settings/studioConfiguration',
    'databases/settings/timeSeries',
    'databases/status/buckets/report',
    'databases/status/ongoingTasksStats',
    'databases/tasks/addNewOngoingTasks',
    'databases/tasks/editAmazonSqsEtlTask',
    'databases/tasks/editAzureQueueStorageEtlTask',
    'databases/tasks/editElasticSearchEtlTask',
    'databases/tasks/editEmbeddingsGenerationTask',
    'databases/tasks/editExternalReplicationTask',
    'databases/tasks/editGenAiTask',
    'databases/tasks/editKafkaEtlTask',
    'databases/tasks/editKafkaSinkTask',
    'databases/tasks/editOlapEtlTask',
    'databases/tasks/editPeriodicBackupTask',
    'databases/tasks/editRabbitMqEtlTask',
    'databases/tasks/editRabbitMqSinkTask',
    'databases/tasks/editRavenEtlTask',
    'databases/tasks/editReplicationHubTask',
    'databases/tasks/editReplicationSinkTask',
    'databases/tasks/editSnowflakeEtlTask',
    'databases/tasks/editSqlEtlTask',
    'databases/tasks/editSubscriptionTask',
    'databases/tasks/import/csv',
    'databases/tasks/import/migrate',
    'databases/tasks/import/migrateRavenDB',
    'databases/tasks/import/sql',
    'databases/tasks/migrate',
    'databases/tasks/sampleData',
    'databases/ts/edit',
    'databases/query/index/Orders%2FByCompany',
  ])('to %s are of the official Studio only, and the page of the database is shown', (route) => {
    expect(read(`#${route}${QUERY}`)).toEqual({ ...PAGE, onlyInStudio: `#${route}${QUERY}` })
  })

  it.each([
    'admin/settings/addClusterNode',
    'admin/settings/adminJsConsole',
    'admin/settings/adminLogs',
    'admin/settings/certificates',
    'admin/settings/clientConfiguration',
    'admin/settings/debug/advanced/observerLog',
    'admin/settings/debug/advanced/recordTransactionCommands',
    'admin/settings/debug/advanced/replayTransactionCommands',
    'admin/settings/debugInfo',
    'admin/settings/editServerWideBackup',
    'admin/settings/editServerWideCustomAnalyzer',
    'admin/settings/editServerWideCustomSorter',
    'admin/settings/editServerWideExternalReplication',
    'admin/settings/serverSettings',
    'admin/settings/serverWideCustomAnalyzers',
    'admin/settings/serverWideCustomSorters',
    'admin/settings/serverWideTasks',
    'admin/settings/storageReport',
    'admin/settings/studioConfiguration',
    'admin/settings/trafficWatch',
    'about',
    'whatsNew',
    'virtual',
  ])('to %s are of the official Studio only', (route) => {
    expect(read(`#${route}`)).toEqual({ panel: 'triage', sources: [], params: {}, onlyInStudio: `#${route}` })
  })

  it('without a database lead to the list', () => {
    expect(read('#databases/documents')).toMatchObject({ panel: 'databases', params: {} })
  })

  it('are distinguished from ours, and from what is neither', () => {
    expect(decodeAddress('#/io?v=1', PANELS).onlyInStudio).toBeUndefined()
    expect(decodeAddress('#/__proto__/x', PANELS).notes).toEqual(['There is no panel “__proto__/x”.'])
  })

  it('lead to the official Studio where it is installed beside', () => {
    expect(studioBeside('/studio/rookery/index.html')).toBe('../index.html')
    expect(studioBeside('/studio/index.html')).toBeNull()
  })
})
