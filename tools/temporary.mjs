// @ts-check
/** Temporary folders. They are removed at the end of their process, or if that was killed, by the next one that makes any. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { alive } from './children.mjs'

/** Machine, or container, in the name of a folder: process numbers of others say nothing here. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 6)
const OWNED = /^rookery-[a-z]+\.([0-9a-f]{6})\.(\d+)-/

/** @type {Set<string>} folders of this process */
const own = new Set()

/**
 * Creates a folder that is removed when this process exits.
 * @param {string} name of lowercase letters
 * @param {string} [parent]
 * @returns {string} absolute
 */
export function temporaryFolder(name, parent = tmpdir()) {
  removeLeft(parent)
  const folder = mkdtempSync(join(parent, `rookery-${name}.${MACHINE}.${process.pid}-`))
  if (own.size === 0) process.once('exit', removeOwn)
  own.add(folder)
  return folder
}

function removeOwn() {
  for (const folder of own) remove(folder)
  own.clear()
}

/**
 * Removes what dead processes of this machine have left.
 * @param {string} parent
 */
function removeLeft(parent) {
  for (const name of readdirSync(parent)) {
    const [, machine, pid] = OWNED.exec(name) ?? []
    if (machine === MACHINE && !alive(Number(pid))) remove(join(parent, name))
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Another user's, or in use: a later process removes it.
  }
}
