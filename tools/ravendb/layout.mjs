// @ts-check
/** The layout of a folder with a RavenDB server: from the official download, assembled, or the user's own. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'

/**
 * @typedef {object} Layout
 * @property {string} server absolute folder of Raven.Server
 * @property {string} command what to start
 * @property {readonly string[]} args its first arguments
 * @property {Record<string, string>} env what it needs to be set
 */

const EXE = process.platform === 'win32' ? 'Raven.Server.exe' : 'Raven.Server'

/**
 * @param {string} dir
 * @returns {Layout | undefined} undefined when no server is there
 */
export function layoutOf(dir) {
  for (const sub of ['', 'Server', 'server', join('RavenDB', 'Server')]) {
    const server = resolve(dir, sub)
    const dll = join(server, 'Raven.Server.dll')
    const exe = join(server, EXE)
    const dotnet = dotnetOf(dir, server)
    if (existsSync(exe)) return { server, command: exe, args: [], env: dotnet ? packagedEnv(dotnet) : {} }
    if (existsSync(dll)) {
      const host = onPath('dotnet')
      if (host) return { server, command: host, args: [dll], env: { DOTNET_ROLL_FORWARD: 'Major', ...PATCHED } }
    }
  }
  return undefined
}

/**
 * Finds the folder of the .NET runtime that belongs to the server's folder.
 * @param {string} dir
 * @param {string} server
 * @returns {string | undefined}
 */
function dotnetOf(dir, server) {
  for (const place of [join(dir, 'dotnet'), join(server, '..', 'dotnet')])
    if (existsSync(join(place, 'host', 'fxr'))) return resolve(place)
  return undefined
}

/**
 * The server is built for .NET 8 and needs a handler that the HTTP client factory of .NET 9 no longer creates. The
 * patched assembly creates it; this setting keeps the runtime from using the code that was compiled before the patch.
 */
const PATCHED = { DOTNET_ReadyToRunExcludeList: 'Microsoft.Extensions.Http' }

/**
 * @param {string} dotnet
 * @returns {Record<string, string>}
 */
function packagedEnv(dotnet) {
  return { DOTNET_ROOT: dotnet, DOTNET_ROLL_FORWARD: 'Major', ...PATCHED }
}

/**
 * @param {string} name
 * @returns {string | undefined}
 */
function onPath(name) {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    if (folder !== '' && existsSync(path)) return path
  }
  return undefined
}

/**
 * Reads the server's version from its main assembly (a version resource, UTF-16).
 * @param {string} server folder of Raven.Server.dll
 * @returns {Promise<string | undefined>} such as `7.1.5`
 */
export async function versionIn(server) {
  const dll = await readFile(join(server, 'Raven.Server.dll')).catch(() => undefined)
  if (!dll) return undefined
  const at = dll.indexOf(Buffer.from('ProductVersion\0', 'utf16le'))
  if (at < 0) return undefined
  return /\d+\.\d+\.\d+/.exec(dll.toString('utf16le', at, at + 128))?.[0]
}
