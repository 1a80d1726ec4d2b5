import { asObject, asString } from '../../base/json/check.ts'
import type { Beforehand } from '../model.ts'
import { checkDatabase } from './database-reading.ts'

/* Things of the server that have a name before a database is made of it. */

/** Whether there is a database of that name; ignores case. Errors: `RavenError`, `ParseError`. */
export async function isTaken(before: Beforehand, name: string): Promise<boolean> {
  if (name === '') return false
  const { state } = await checkDatabase(before, name, (database) => ({
    state: database === null ? 'gone' : 'done',
    text: '',
  }))
  return state === 'done'
}

/** Characters that the server allows in names; others could refer to a folder elsewhere. */
const PLAIN = /^(?!\.+$)[\p{L}\p{N}_.-]+$/u

/** Existing folder on this node that a database of that name would use; null: there is none. Errors: as above. */
export async function folderLeftOf({ read, folders }: Beforehand, name: string): Promise<string | null> {
  if (!PLAIN.test(name)) return null
  const folder = asString(asObject(await read('dataDirectory', { name }), '$')['FullPath'], '$.FullPath')
  const isWindows = folder.includes('\\')
  const key = (path: string): string => (isWindows ? path.toLowerCase() : path)
  const beside = await folders(folder.replace(/[\\/][^\\/]*$/, ''))
  return beside.some((each) => key(each) === key(folder)) ? folder : null
}
