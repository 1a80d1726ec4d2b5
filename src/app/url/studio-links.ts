import { keyOfIndex } from '../../capture/client/index-key.ts'
import type { LinkParams, PanelId } from '../../capture/client/panels.ts'
import type { SourceId } from '../../capture/client/state.ts'

/** Target here of a link of the official Studio. */
export interface StudioLink {
  readonly panel: PanelId
  readonly sources: readonly SourceId[]
  /** Database in scope, if the sources do not imply it. */
  readonly database: string | null
  readonly params: LinkParams
  /** Whether Rookery has no equivalent and shows the nearest page. */
  readonly isOnlyThere: boolean
}

type Goal = Pick<StudioLink, 'panel'> & Partial<StudioLink>

const INDEXES = 'databases/indexes'
/** Pages whose content is part of the page of a database. */
const ON_PAGE: ReadonlySet<string> = new Set([
  'databases/indexes/indexErrors',
  'databases/status',
  'databases/status/storage/report',
  'databases/tasks/backups',
  'databases/tasks/exportDatabase',
  'databases/tasks/import/file',
  'databases/tasks/ongoingTasks',
])

/** Pages of a database, by route. */
const OF_DATABASE: Readonly<Record<string, Goal>> = {
  [INDEXES]: { panel: 'indexing', params: { 'indexing.view': 'indexes' } },
  'databases/indexes/performance': { panel: 'indexing' },
  'databases/status/ioStats': { panel: 'io' },
  'databases/indexes/cleanup': { panel: 'indexing', params: { 'indexing.view': 'indexes' } },
}

/** Pages of the server. */
const OF_SERVER: Readonly<Record<string, Goal>> = {
  clusterDashboard: { panel: 'server' },
  dashboard: { panel: 'server' },
  'admin/settings/captureStackTraces': { panel: 'stacks', sources: ['server'] },
  'admin/settings/cluster': { panel: 'cluster' },
  'admin/settings/debug/advanced/clusterDebug': { panel: 'cluster-log' },
  'admin/settings/debug/advanced/memoryMappedFiles': { panel: 'server' },
  'admin/settings/debug/advanced/threadsRuntime': { panel: 'server' },
  'admin/settings/ioStats': { panel: 'io', sources: ['server'] },
  'admin/settings/runningQueries': { panel: 'activity', params: { 'activity.view': 'queries' } },
}

/** Matches `databases/indexes/edit/NAME` and `…/terms/NAME`. */
const ONE_INDEX = /^databases\/indexes\/(?:edit|terms)\/(.+)$/su

const OFFICIAL = /^(?:databases\/.|admin\/settings\/.|clusterDashboard$|dashboard$|about$|whatsNew$|virtual$)/u

const linkOf = ({ panel, sources = [], database = null, params = {}, isOnlyThere = false }: Goal): StudioLink => ({
  panel,
  sources,
  database,
  params,
  isOnlyThere,
})

/**
 * Reads a link of the official Studio of 5.4 to 7.1. `path`: of the hash, without `#` and the part from `?` on.
 * `database`: its parameter; null: none. Null: not such a link.
 */
export function readStudioLink(path: string, database: string | null): StudioLink | null {
  if (!OFFICIAL.test(path)) return null
  if (!path.startsWith('databases/')) {
    const goal = Object.hasOwn(OF_SERVER, path) ? OF_SERVER[path] : undefined
    return linkOf(goal ?? { panel: 'triage', isOnlyThere: true })
  }
  if (database === null) return linkOf({ panel: 'databases', isOnlyThere: true })
  const sources: readonly SourceId[] = [`db:${database}`]
  const index = ONE_INDEX.exec(path)?.[1]
  if (index !== undefined) {
    return linkOf({
      panel: 'indexing',
      sources,
      params: { 'indexing.view': 'indexes', 'indexing.focus': keyOfIndex(database, index) },
    })
  }
  const goal = Object.hasOwn(OF_DATABASE, path) ? OF_DATABASE[path] : undefined
  if (goal !== undefined) return linkOf({ ...goal, sources })
  return linkOf({ panel: 'database', database, isOnlyThere: !ON_PAGE.has(path) })
}
