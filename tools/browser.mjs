// @ts-check
/**
 * Finds a Chromium for the end-to-end tests, or installs one. Tries the one that the environment names, Playwright's
 * own, the system's, Playwright's download, apt, and one packaged for npm. Skips any that cannot start.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { aptInstall, canApt } from './apt.mjs'
import { findUnit, PROJECT, unit } from './cache.mjs'
import { lastWords, run } from './children.mjs'
import { createSay, Plain, sentence } from './say.mjs'

/** @typedef {import('./say.mjs').Say} Say */

/** Environment variable that names the browser's program. */
export const BROWSER_VARIABLE = 'E2E_CHROMIUM'

/**
 * @typedef {object} Browser
 * @property {string | undefined} path for Playwright's `executablePath`; undefined when it finds its own
 * @property {string} origin in words
 */

/** Debian's package and its program, which have the same name. */
const SHELL = 'chromium-headless-shell'
/** The last version that runs on Node 20. */
const PACKED = '@sparticuz/chromium@147.0.0'
const PACKED_UNIT = 'chromium-147.0.0-linux-x64'
/** Time limit for all of Playwright's download attempts together, ms. */
const DOWNLOAD_MS = 300_000
const NPM_MS = 180_000

/**
 * @param {{ install?: boolean, say?: Say }} [options] `install`: get one when there is none
 * @returns {Promise<Browser>}
 * @throws {Plain} when there is none, with what to do
 */
export async function findChromium({ install = false, say = createSay() } = {}) {
  const named = process.env[BROWSER_VARIABLE]
  if (named) {
    const why = await whyNot(named)
    if (why === '') return { path: named, origin: BROWSER_VARIABLE }
    throw new Plain(`${BROWSER_VARIABLE} names ${named}, which does not start (${why}): correct it, or unset it.`)
  }
  /** @type {string[]} programs that are there and do not start, with the reason */
  const broken = []
  const found = (await playwrightsOwn(broken)) ?? (await ofSystem(broken)) ?? (await cached(broken))
  if (found) return (install ? await shellFor(found, broken, say) : undefined) ?? found
  if (!install) throw none(broken)

  say.step('Getting Chromium for the end-to-end tests')
  /** @type {readonly (readonly [string, () => Promise<Browser | undefined>])[]} */
  const ways = [
    ["Playwright's download", () => download(broken, say)],
    ['apt-get', () => fromApt(broken, say)],
    ['the npm package', () => packed(broken, say)],
  ]
  for (const [name, way] of ways) {
    try {
      const got = await way()
      if (got) {
        say.done(`Chromium is ready: ${got.origin}`)
        return got
      }
    } catch (error) {
      say.note(`${name}: ${sentence(error)}`)
    }
  }
  throw none(broken)
}

/**
 * Finds the headless shell of the same version beside the system's full Chromium, or installs it. It has no windows, so
 * a page costs half as much CPU.
 * @param {Browser} found
 * @param {string[]} broken
 * @param {Say} say
 * @returns {Promise<Browser | undefined>} none where it cannot be had
 */
async function shellFor({ path }, broken, say) {
  if (path === undefined || basename(path) !== 'chromium' || !canApt()) return undefined
  say.step(`Getting ${SHELL}`)
  const failed = await aptInstall([SHELL])
  if (failed !== '') {
    say.done(`${path} does as well (${SHELL}: ${failed})`)
    return undefined
  }
  say.done()
  return ofSystem(broken)
}

/** @param {readonly string[]} broken */
function none(broken) {
  const tried = broken.length === 0 ? '' : ` (${broken.join('; ')})`
  return new Plain(
    `No Chromium was found that starts${tried}: run "npx playwright install --with-deps --only-shell chromium", install the system's chromium, or name one in ${BROWSER_VARIABLE}.`,
  )
}

/**
 * @param {string} program
 * @returns {Promise<string>} why it does not start, '' when it does
 */
async function whyNot(program) {
  if (!existsSync(program)) return 'there is no such file'
  if (process.platform === 'win32') return '' // chrome.exe does not print its version there
  const ran = await run(program, ['--version', '--no-sandbox'], { timeout: 20_000 })
  return ran.code === 0 && /\d+\.\d+/.test(ran.output) ? '' : lastWords(ran) || 'it says nothing'
}

/**
 * @param {string} program
 * @param {string} origin
 * @param {string[]} broken
 * @returns {Promise<Browser | undefined>}
 */
async function accept(program, origin, broken) {
  const why = await whyNot(program)
  if (why === '') return { path: program, origin }
  broken.push(`${program} does not start: ${why}`)
  return undefined
}

/**
 * Finds the browser where Playwright would install it: the headless shell first, then the full one.
 * @param {string[]} broken
 * @returns {Promise<Browser | undefined>}
 */
async function playwrightsOwn(broken) {
  for (const program of await playwrightPrograms()) {
    if (!existsSync(program)) continue
    const why = await whyNot(program)
    if (why === '') return { path: undefined, origin: "Playwright's own" }
    if (canApt()) {
      await run('npx', ['playwright', 'install-deps', 'chromium'], { cwd: PROJECT, timeout: DOWNLOAD_MS })
      if ((await whyNot(program)) === '') return { path: undefined, origin: "Playwright's own" }
    }
    broken.push(`${program} does not start: ${why}`)
  }
  return undefined
}

/**
 * @returns {Promise<string[]>} where its programs are, or would be; none without Playwright
 */
async function playwrightPrograms() {
  const script = `import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))`
  const ran = await run(process.execPath, ['-e', script], { cwd: PROJECT, timeout: 20_000 })
  const whole = ran.output.trim()
  if (ran.code !== 0 || whole === '') return []
  return [...(await shellsBeside(whole)), whole]
}

/**
 * Lists the headless shells in the folder of Playwright's browsers, of the same build as the full browser.
 * @param {string} whole such as `…/chromium-1234/chrome-linux64/chrome`
 * @returns {Promise<string[]>}
 */
async function shellsBeside(whole) {
  const match = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(whole)
  if (!match) return []
  const dir = join(match[1] ?? '', `chromium_headless_shell-${match[2] ?? ''}`)
  /** @type {string[]} */
  const programs = []
  for (const sub of await readdir(dir).catch(() => []))
    for (const name of ['chrome-headless-shell', 'headless_shell', 'chrome-headless-shell.exe', 'headless_shell.exe']) {
      const program = join(dir, sub, name)
      if (existsSync(program)) programs.push(program)
    }
  return programs
}

/**
 * @param {string[]} broken
 * @returns {Promise<Browser | undefined>}
 */
async function ofSystem(broken) {
  for (const program of systemPrograms()) {
    if (!existsSync(program)) continue
    const got = await accept(program, `the system's ${program}`, broken)
    if (got) return got
  }
  return undefined
}

/**
 * @param {string[]} broken
 * @returns {Promise<Browser | undefined>} what {@link packed} installed earlier
 */
async function cached(broken) {
  const found = await findUnit(PACKED_UNIT)
  return found && accept(join(found.dir, 'chromium'), PACKED, broken)
}

/** @returns {string[]} */
function systemPrograms() {
  if (process.platform === 'darwin')
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ]
  if (process.platform === 'win32')
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) => {
      const base = process.env[variable]
      if (!base) return []
      return [join(base, 'Google/Chrome/Application/chrome.exe'), join(base, 'Microsoft/Edge/Application/msedge.exe')]
    })
  const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
  const folders = [...new Set([...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin'])]
  return names.flatMap((name) => folders.filter((folder) => folder !== '').map((folder) => join(folder, name)))
}

/**
 * @param {string[]} broken
 * @param {Say} say
 * @returns {Promise<Browser | undefined>}
 */
async function download(broken, say) {
  say.note("trying Playwright's download")
  const ran = await run('npx', ['playwright', 'install', '--only-shell', 'chromium'], {
    cwd: PROJECT,
    timeout: DOWNLOAD_MS,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '2000' },
    onLine: (line) => {
      if (/\b\d+0%|downloaded to/.test(line)) say.note(line.trim())
    },
  })
  if (ran.code !== 0)
    throw new Plain(/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|timed? ?out/i.exec(ran.errors)?.[0] ?? lastWords(ran))
  return playwrightsOwn(broken)
}

/**
 * @param {string[]} broken
 * @param {Say} say
 * @returns {Promise<Browser | undefined>}
 */
async function fromApt(broken, say) {
  if (!canApt()) return undefined
  /** @type {string[]} */
  const failures = []
  for (const name of [SHELL, 'chromium']) {
    say.note(`installing ${name} with apt-get`)
    const failed = await aptInstall([name, 'fonts-liberation'])
    const got = failed === '' ? await ofSystem(broken) : undefined
    if (got) return got
    if (failed !== '') failures.push(failed)
  }
  if (failures.length > 0) throw new Plain(failures.join('; '))
  return undefined
}

/**
 * @param {string[]} broken
 * @param {Say} say
 * @returns {Promise<Browser | undefined>}
 */
async function packed(broken, say) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { dir } = await unit(PACKED_UNIT, (aside) => unpack(aside, say), { needs: 600e6 })
  const program = join(dir, 'chromium')
  const got = await accept(program, PACKED, broken)
  if (got || !canApt()) return got
  say.note('installing libraries that it misses with apt-get')
  await aptInstall(['libnss3', 'libnspr4', 'libexpat1', 'libfontconfig1', 'fonts-dejavu-core'])
  return accept(program, PACKED, broken)
}

/** Script that unpacks the browser in the package into the temporary folder. */
const UNPACK = `import('@sparticuz/chromium').then((m) => m.default.executablePath()).then((path) => console.log(path))`

/**
 * @param {string} dir
 * @param {Say} say
 * @returns {Promise<Record<string, string>>}
 */
async function unpack(dir, say) {
  say.note(`installing ${PACKED} with npm`)
  const work = join(dir, 'work')
  const tmp = join(work, 'tmp')
  await mkdir(tmp, { recursive: true })
  const args = [
    'install',
    '--prefix',
    work,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--cache',
    join(work, 'npm'),
    PACKED,
  ]
  const installed = await run('npm', args, { cwd: work, timeout: NPM_MS })
  if (installed.code !== 0) throw new Plain(`npm could not install ${PACKED} (${lastWords(installed)})`)
  // The package unpacks to the temporary folder and would use any file of that name that is already there, so it gets a
  // temporary folder of its own.
  const ran = await run(process.execPath, ['-e', UNPACK], { cwd: work, env: { TMPDIR: tmp }, timeout: NPM_MS })
  if (ran.code !== 0) throw new Plain(`${PACKED} could not be unpacked (${lastWords(ran)})`)
  for (const name of await readdir(tmp)) await rename(join(tmp, name), join(dir, name))
  await rm(work, { recursive: true, force: true })
  return { origin: PACKED }
}
