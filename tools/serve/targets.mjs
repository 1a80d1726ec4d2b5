// @ts-check
/** Servers that a command line of `npm start` names, each with its own certificate and trust. */
import { parseArgs } from 'node:util'
import { serverUrl } from '../options.mjs'
import { Plain } from '../say.mjs'
import { allowsChanges } from './changes.mjs'
import { IDENTITY_OPTIONS, readIdentity } from './identity.mjs'
import { nodesOf } from './introduce.mjs'

/**
 * @typedef {Record<string, string | boolean | undefined>} Given
 * @typedef {{ target: URL, identity: import('./identity.mjs').Identity, allowChanges: boolean }} Target
 */

/** @type {ReadonlySet<string>} */
const OF_IDENTITY = new Set(IDENTITY_OPTIONS)

/**
 * Assigns options to servers. Certificate options after a `--server` belong to that server; those before the first one
 * belong to all servers without options of their own. With a single server their position does not matter.
 * @param {string[]} argv checked by `options` before
 * @param {Parameters<typeof import('../options.mjs').options>[0]} specs
 * @returns {{ target: URL, given: Given }[]} empty: none is named
 * @throws {Plain}
 */
export function namedServers(argv, specs) {
  const { tokens } = parseArgs({ args: argv, options: specs, tokens: true, strict: false })
  /** @type {Given} */
  const ofAll = {}
  /** @type {{ target: URL, given: Given }[]} */
  const named = []
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const target = token.name === 'server' ? serverUrl('--server', token.value) : undefined
    if (target !== undefined) named.push({ target, given: {} })
    else if (OF_IDENTITY.has(token.name)) (named.at(-1)?.given ?? ofAll)[token.name] = token.value
  }
  const isOne = named.length === 1
  for (const each of named)
    if (each.target.protocol === 'https:' && (isOne || Object.keys(each.given).length === 0))
      each.given = { ...ofAll, ...each.given }
  const odd = named.find(({ target, given }) => target.protocol !== 'https:' && Object.keys(given).length > 0)
  const [name] = Object.keys(odd?.given ?? (named.some(({ target }) => target.protocol === 'https:') ? {} : ofAll))
  if (name !== undefined) throw new Plain(`--${name} is for a secured server: name it with --server https://….`)
  return named
}

/**
 * @param {{ target: URL, given: Given }[]} named
 * @param {Given} given of all: `--allow-changes`, `--view-only`
 * @param {{ isCluster: boolean }} options the one server stands for all nodes of its cluster
 * @returns {Promise<Target[]>}
 * @throws {Plain}
 */
export async function readTargets(named, given, { isCluster }) {
  const [only, other] = named
  if (isCluster && (only === undefined || other !== undefined))
    throw new Plain('--cluster takes one server of the cluster, which names the others: --server URL --cluster.')
  const targets = await Promise.all(
    named.map(async ({ target, given: own }) => {
      const identity = await readIdentity(own)
      return { target, identity, allowChanges: allowsChanges(given, identity) }
    }),
  )
  const [first] = targets
  if (!isCluster || first === undefined) return targets
  const nodes = await nodesOf(first.target, first.identity)
  const { identity, allowChanges } = first
  return nodes.map((target) => ({ target, identity, allowChanges }))
}
