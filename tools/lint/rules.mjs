// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SRC = join(import.meta.dirname, '..', '..', 'src')
/** Folders with a subfolder for each feature: its panel, and its feed. */
const ROOMS = ['features', 'feeds']

/** Folder of a feature by the first part of the names of its requests, parameters and lanes. */
const FOLDERS = new Map([
  ...ROOMS.flatMap((room) => readdirSync(join(SRC, room), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => /** @type {[string, string]} */ ([name, name])),
  ['clusterLog', 'cluster-log'],
  ['threads', 'stacks'],
])

/** @type {Map<string, string>} */
const published = new Map()

/**
 * Reads the text of the files in which a feature publishes its requests, parameters and lanes.
 * @param {string} feature
 */
function publishedBy(feature) {
  const known = published.get(feature)
  if (known !== undefined) return known
  const files = ROOMS.flatMap((room) => {
    const folder = join(SRC, room, feature)
    const parts = join(folder, 'contract')
    const names = existsSync(parts) ? readdirSync(parts).map((name) => join('contract', name)) : []
    return ['contract.ts', 'lanes.ts', 'panel.ts'].concat(names).map((name) => join(folder, name))
  })
  const text = files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  published.set(feature, text)
  return text
}

/**
 * Finds the feature whose request, parameter or lane a text names; null: the text is no such name. Actions and figures
 * of the server have names of the same form, which no feature publishes.
 * @param {unknown} text
 * @returns {string | null}
 */
export function featureOfName(text) {
  if (typeof text !== 'string') return null
  const [, first = '', second = ''] = /^([\w-]+)\.([a-zA-Z][\w-]*)$/.exec(text) ?? []
  const feature = FOLDERS.get(first)
  if (feature === undefined) return null
  const own = publishedBy(feature)
  return own.includes(`'${text}'`) || new RegExp(`readonly ${second}\\??:`).test(own) ? feature : null
}

/**
 * Feature to which a file belongs; null: none.
 * @param {string} file
 */
export const featureOfFile = (file) =>
  /src\/(?:features|feeds)\/([\w-]+)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? null

/**
 * Whether a module is the contract of a feature, or part of it.
 * @param {string} source
 * @param {string} feature
 */
export const isContractOf = (source, feature) =>
  new RegExp(`(^|/)${feature}/(contract\\.ts|contract/[\\w-]+\\.ts)$`).test(source)

const OPENINGS = /^(?:Of|What|One|It|Null:)(?=\s)/
const WORDS = /\b(?:ask(?:s|ed|ing)?|told|guilty|acquit(?:s|ted)?|convict(?:s|ed)?)\b/i
/** Types and names of JSDoc are code: `@param {Promise<Asked>} asked`. */
const NAMES = /(@\w+)\s+\{(?:[^{}]|\{[^{}]*\})*\}(?:\s+\[?[\w.$]+)?/g
/** Quoted text and code, which may contain any word. */
const QUOTED = /`[^`]*`|“[^”]*”|"[^"]*"|_[^_]*_|\*[^*]*\*/g

/**
 * Reason why a comment is refused; null: it is accepted.
 * @param {string} comment without its delimiters
 * @returns {string | null}
 */
export function faultOfComment(comment) {
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, ''))
    .join('\n')
    .trim()
  const opening = OPENINGS.exec(text)?.[0]
  if (opening !== undefined) return `begins with “${opening}”: begin with a noun or a verb that names the thing`
  const word = WORDS.exec(text.replaceAll(NAMES, '').replaceAll(QUOTED, ''))?.[0]
  return word === undefined ? null : `says “${word}”: use request, report, cause or the plain verb`
}
