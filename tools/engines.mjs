// @ts-check
/**
 * Finds the browsers of other engines for the smoke suite, or installs them: Firefox ESR and WebKitGTK, with its driver
 * and a display, from the packages of Debian and its derivatives.
 */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall, canApt } from './apt.mjs'
import { createSay, Plain } from './say.mjs'

/**
 * @typedef {object} Engines
 * @property {string} firefox program
 * @property {string} miniBrowser WebKitGTK's own small browser; `WebKitWebDriver` and `Xvfb` are in the path
 */

const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'fonts-liberation']
const WHAT_TO_DO =
  'install Firefox ESR, WebKitGTK with its driver and Xvfb (on Debian “apt-get install firefox-esr webkit2gtk-driver xvfb”), or leave the suite “engines” out with --only'

/**
 * @param {{ install?: boolean, say?: import('./say.mjs').Say }} [options] `install`: get what is missing
 * @returns {Promise<Engines>}
 * @throws {Plain} when one is missing, with what to do
 */
export async function findEngines({ install = false, say = createSay() } = {}) {
  let failed = ''
  if (install && canApt() && missing().length > 0) {
    say.step('Getting Firefox and WebKitGTK for the smoke suite')
    failed = await aptInstall(PACKAGES)
    if (failed === '') say.done()
  }
  const [firefox, miniBrowser] = [firefoxProgram(), miniBrowserProgram()]
  const gone = missing()
  if (firefox === undefined || miniBrowser === undefined || gone.length > 0)
    throw new Plain(`${gone.join(', ')} not found${failed === '' ? '' : ` (apt-get: ${failed})`}: ${WHAT_TO_DO}.`)
  return { firefox, miniBrowser }
}

/** @returns {string[]} names of what is not there */
function missing() {
  return [
    ...(firefoxProgram() === undefined ? ['Firefox'] : []),
    ...(miniBrowserProgram() === undefined ? ['MiniBrowser of WebKitGTK'] : []),
    ...['WebKitWebDriver', 'Xvfb'].filter((name) => inPath(name) === undefined),
  ]
}

/**
 * @returns {string} program of Firefox
 * @throws {Plain} when there is none
 */
export function findFirefox() {
  const program = firefoxProgram()
  if (program === undefined) throw new Plain(`Firefox not found: ${WHAT_TO_DO}.`)
  return program
}

/** @returns {string | undefined} */
function firefoxProgram() {
  return inPath('firefox-esr') ?? inPath('firefox')
}

/** @returns {string | undefined} beside the processes of the engine, in a folder that has the architecture in its path */
function miniBrowserProgram() {
  for (const dir of list('/usr/lib').filter((name) => name.includes('linux-gnu')))
    for (const sub of list(join('/usr/lib', dir)).filter((name) => /^webkit(2gtk|gtk)-\d/.test(name))) {
      const program = join('/usr/lib', dir, sub, 'MiniBrowser')
      if (existsSync(program)) return program
    }
  return undefined
}

/**
 * @param {string} dir
 * @returns {string[]} names in it, sorted; none when it is not there
 */
function list(dir) {
  return existsSync(dir) ? readdirSync(dir).toSorted() : []
}

/**
 * @param {string} name
 * @returns {string | undefined} path of the program
 */
function inPath(name) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
