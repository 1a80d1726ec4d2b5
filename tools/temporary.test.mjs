// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from './temporary.mjs'

let parent = ''
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'temporary-'))))
afterEach(() => rmSync(parent, { recursive: true, force: true }))

/**
 * Starts a process that makes a folder, prints its path and waits for its input.
 * @param {string} name
 */
async function started(name) {
  const module = JSON.stringify(new URL('./temporary.mjs', import.meta.url))
  const code = `const { temporaryFolder } = await import(${module}); process.stdout.write(temporaryFolder(${JSON.stringify(name)}, ${JSON.stringify(parent)})); process.stdin.resume().on('end', () => process.exit(0))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [path] = await once(child.stdout, 'data')
  writeFileSync(join(String(path), 'file'), 'x')
  return { child, path: String(path) }
}

test('a folder is removed when its process ends, and that of a killed process by the next one', async () => {
  const [ended, killed, running] = [await started('ended'), await started('killed'), await started('running')]
  ended.child.stdin.end()
  await once(ended.child, 'exit')
  expect(existsSync(ended.path)).toBe(false)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  expect(existsSync(killed.path)).toBe(true)
  const others = ['rookery-other-a1b2c3', killed.path.slice(parent.length + 1).replace(/\.[0-9a-f]{6}\./, '.000000.')]
  for (const name of others) mkdirSync(join(parent, name))
  const next = temporaryFolder('next', parent)
  const left = new Set(readdirSync(parent).map((name) => join(parent, name)))
  expect(left).toEqual(new Set([running.path, next, ...others.map((name) => join(parent, name))]))
  running.child.stdin.end()
  await once(running.child, 'exit')
})
