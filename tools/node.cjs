// @ts-check
/**
 * Ends with a sentence where Node is too old. A preload (`node -r`), which runs in any Node: modules that import what an old
 * one lacks are not even linked there.
 */
const least = require('../package.json').engines.node.replace(/^\D+/, '')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`\nNode ${process.versions.node} is too old: install Node ${least} or newer.\n`)
  process.exit(1)
}
