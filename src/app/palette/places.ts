import type { LinkParams, PanelId } from '../../capture/client/panels.ts'

/** A named part of a panel. */
interface Place {
  readonly panel: PanelId
  readonly text: string
  /** Further words by which the place is found. */
  readonly words: string
  readonly params: LinkParams
}

/** Further words by which panels are found. */
export const PANEL_WORDS: Readonly<Partial<Record<PanelId, string>>> = {
  triage: 'health findings problems slow full disk certificate rights',
  database: 'database page indexes storage tasks backup',
  databases: 'list size documents load unload backup',
  timeline: 'lanes clock what happened together',
  documents: 'collections json edit revisions attachments counters time series',
  query: 'rql database queries results',
  'index-definitions': 'maps reduce fields terms errors lag config configuration',
  cluster: 'nodes topology leader',
  server: 'server machine memory cpu processor disk volume requests latency garbage collection',
  io: 'disk journal flush sync write latency slow storage',
  stalls: 'slow commits writes disk cause',
  compare: 'before after difference slow',
  indexing: 'batches indexes stale slow',
  stacks: 'threads cpu profiler slow hang',
  'cluster-log': 'raft node leader',
  activity: 'actions done undo history',
  files: 'open capture debug package export',
  archive: 'recording recorder calendar hours night yesterday sql findings',
}

/** Views and settings within panels. Names must differ from those of panels and of each other. */
export const PLACES: readonly Place[] = [
  {
    panel: 'server',
    text: 'Notifications',
    words: 'alerts performance hints slow certificate licence warning',
    params: { 'server.view': 'alerts' },
  },
  {
    panel: 'server',
    text: 'Overhead',
    words: 'monitoring cost requests limit budget config settings',
    params: { 'server.view': 'overhead' },
  },
  {
    panel: 'indexing',
    text: 'Indexes at work',
    words: 'list stale errors paused disabled lag config configuration definition',
    params: { 'indexing.view': 'indexes' },
  },
  { panel: 'indexing', text: 'Budgets', words: 'memory limit', params: { 'indexing.view': 'budgets' } },
  {
    panel: 'indexing',
    text: 'Side by side',
    words: 'compare two indexes ranges',
    params: { 'indexing.view': 'compare' },
  },
  { panel: 'indexing', text: 'Index errors', words: 'failed stale', params: { 'indexing.errors': 'on' } },
  { panel: 'io', text: 'Heat map', words: 'latency disk slow', params: { 'io.lanes': 'heat' } },
  { panel: 'io', text: 'Mark stalls', words: 'slow journal writes causes', params: { 'io.stalls': 'on' } },
  { panel: 'io', text: 'Events', words: 'table list slowest', params: { 'io.table': 'on' } },
  { panel: 'io', text: 'Distribution', words: 'latency percentiles disk slow', params: { 'io.distribution': 'on' } },
  { panel: 'stacks', text: 'Flame graph', words: 'profiler cpu', params: { 'stacks.tab': 'flame' } },
  { panel: 'stacks', text: 'Functions', words: 'profiler cpu', params: { 'stacks.tab': 'functions' } },
  { panel: 'stacks', text: 'Over time', words: 'waits', params: { 'stacks.tab': 'time' } },
  {
    panel: 'activity',
    text: 'Operations',
    words: 'running backup export import patch compaction',
    params: { 'activity.view': 'operations' },
  },
  { panel: 'archive', text: 'Ask', words: 'sql duckdb recording', params: { 'archive.view': 'ask' } },
  { panel: 'activity', text: 'Queries', words: 'running slow long', params: { 'activity.view': 'queries' } },
  { panel: 'activity', text: 'Done here', words: 'actions history undo', params: { 'activity.view': 'done' } },
]
