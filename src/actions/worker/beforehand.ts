import { asArray, asObject, asString } from '../../base/json/check.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { Action, ActionCall, Beforehand, CheckContext } from '../model.ts'
import { readBackups } from './backups.ts'

const FOLDERS = '/admin/studio-tasks/folder-path-options'
const TIMEOUT_MS = 30_000

/** Reads without use of earlier responses. */
export const freshly =
  (governor: Governor, signal?: AbortSignal): CheckContext['read'] =>
  (key, params) =>
    governor.json(key, params, { isFresh: true, isOnce: true, ...(signal === undefined ? {} : { signal }) })

/** Why a call must not be sent now; null: it may. Errors: `RavenError`. */
export async function refusalBeforehand(
  { refuses }: Action,
  call: ActionCall,
  governor: Governor,
  signal?: AbortSignal,
): Promise<string | null> {
  if (refuses === undefined) return null
  const before: Beforehand = {
    call,
    version: await governor.version(signal),
    read: freshly(governor, signal),
    folders: (folder) => readFolders(governor, folder),
    backups: async (folder) => (await readBackups(governor, folder, Infinity)).map(({ file }) => file),
    wait: (ms) => new Promise((resolve) => void governor.env.setTimeout(resolve, ms)),
  }
  return refuses.read(before)
}

/**
 * Folders in a folder of this node; if the path is not a folder, those beside it that begin with its last segment.
 * Falls back from the server's endpoint to that of a database for users without the right. Sent as a POST that only
 * reads. Errors: `RavenError`, `ParseError`.
 */
export async function readFolders(
  governor: Governor,
  folder: string,
  database: string | null = null,
): Promise<readonly string[]> {
  const request = (of: string | null): Promise<unknown> => {
    const path = (of === null ? '' : `/databases/${encodeURIComponent(of)}`) + FOLDERS
    return governor
      .write({
        method: 'POST',
        path: `${path}?type=Local&path=${encodeURIComponent(folder)}`,
        route: (of === null ? '' : '/databases/{database}') + FOLDERS,
        body: {},
        right: of === null ? 'Operator' : 'DatabaseAdmin',
        database: of,
        timeoutMs: TIMEOUT_MS,
      })
      .then(({ body }) => body)
  }
  const body = await request(null).catch((error: unknown) => {
    if (database !== null && error instanceof RavenError && error.status === 403) return request(database)
    throw error
  })
  return asArray(asObject(body, '$')['List'], '$.List').map((item, i) => asString(item, `$.List[${i}]`))
}
