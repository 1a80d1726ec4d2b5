// @ts-check
import process from 'node:process'
import { temporaryFolder } from '../temporary.mjs'

/** Variables from which Node, and what tests start, take the folder for temporary files. */
const NAMES = /** @type {const} */ (['TMPDIR', 'TEMP', 'TMP'])
const MARK = 'ROOKERY_TEST_TEMPORARY'

/**
 * `globalSetup` of Vitest: temporary files of all tests of a run lie in one folder, so that those of tests that were killed,
 * or leave some behind, are removed. Each project calls it.
 */
export default function setup() {
  if (process.env[MARK] !== undefined) return
  const folder = temporaryFolder('vitest')
  process.env[MARK] = folder
  for (const name of NAMES) process.env[name] = folder
}
