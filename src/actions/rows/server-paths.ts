import { asObject, asString } from '../../base/json/check.ts'
import type { Beforehand } from '../model.ts'

/* Folders of the server, which may run on another system than this browser. */

const ON_WINDOWS = /^(?:[a-z]:[\\/]|\\\\[^\\])/i

/**
 * Why the server would not use a folder as a full path; null: it would, or none was typed. It puts another path below
 * its program folder, even `C:\x` and `\\share\x` on Linux (7.1.5, 6.2.4, 5.4.207). Errors: `RavenError`, `ParseError`.
 */
export async function notFull({ read }: Pick<Beforehand, 'read'>, folder: string): Promise<string | null> {
  if (folder === '') return null
  const info = asObject(await read('nodeInfo', {}), '$')
  const system = asString(asObject(info['OsInfo'], '$.OsInfo')['Type'], '$.OsInfo.Type')
  const isWindows = system === 'Windows'
  if (isWindows ? ON_WINDOWS.test(folder) : folder.startsWith('/')) return null
  return `“${folder}” is no full path on ${system}: it would lie in the program folder of the server, which an upgrade replaces. Begin with ${isWindows ? 'a drive or share, such as “D:\\” or “\\\\server\\share”' : '“/”'}.`
}

/** Path of a name in a folder of the server; a name that is a path stays as it is. */
export function pathIn(folder: string, name: string): string {
  if (/[\\/]/.test(name)) return name
  const separator = ON_WINDOWS.test(folder) ? '\\' : '/'
  return folder.replace(/[\\/]+$/, '') + separator + name
}
