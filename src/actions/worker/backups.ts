import { asArray, asObject, asString, orNull } from '../../base/json/check.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { FoundBackup } from '../contract.ts'

const PATH = '/admin/restore/points?type=Local'
const MOST_BACKUPS = 200
const TIMEOUT_MS = 60_000

/**
 * Backups in a folder of the server and below it, newest first. Sent as a POST that only reads. Errors: `RavenError`,
 * `ParseError`.
 */
export async function readBackups(
  governor: Governor,
  folder: string,
  most = MOST_BACKUPS,
): Promise<readonly FoundBackup[]> {
  const { body } = await governor.write({
    method: 'POST',
    path: PATH,
    route: PATH,
    body: { FolderPath: folder },
    right: 'Operator',
    database: null,
    timeoutMs: TIMEOUT_MS,
  })
  return readPoints(body).slice(0, most)
}

/** Errors: `ParseError`. */
export const readPoints = (response: unknown): readonly FoundBackup[] =>
  asArray(asObject(response, '$')['List'], '$.List')
    .map((item, row): FoundBackup => {
      const path = `$.List[${row}]`
      const point = asObject(item, path)
      return {
        file: asString(point['FileName'], `${path}.FileName`),
        database: orNull(asString, point['DatabaseName'], `${path}.DatabaseName`) ?? '',
        takenAt: orNull(asString, point['DateTime'], `${path}.DateTime`) ?? '',
        kind:
          point['IsSnapshotRestore'] === true ? 'snapshot' : point['IsIncremental'] === true ? 'incremental' : 'full',
        isEncrypted: point['IsEncrypted'] === true,
      }
    })
    .toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
