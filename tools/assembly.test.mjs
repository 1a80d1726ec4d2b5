// @ts-check
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileAssembly, KEPT } from './assembly.mjs'
import { PROJECT } from './cache.mjs'

/** @type {string} */
let folder
beforeAll(async () => {
  folder = await mkdtemp(join(PROJECT, 'node_modules', '.cache', 'assembly-test-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  for (const name of readdirSync(KEPT)) if (name.startsWith('whole-')) await rm(join(KEPT, name))
})

/** @param {Uint8Array} bytes */
const answerOf = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(bytes))
  return /** @type {() => number} */ (instance.exports['answer'])()
}

// Each compilation takes seconds; the build of the gate compiles what the studio has.
test.skipIf(process.env['ROOKERY_TESTS'] === 'gate')(
  'a source is compiled once, and again when it or what it imports changes',
  async () => {
    const part = join(folder, 'part.ts')
    const whole = join(folder, 'whole.ts')
    await writeFile(part, 'export const PART: i32 = 40')
    await writeFile(whole, "import { PART } from './part'\nexport function answer(): i32 { return PART + 2 }")
    const first = await compileAssembly(whole)
    expect(await answerOf(first)).toBe(42)
    const kept = readdirSync(KEPT).filter((name) => name.startsWith('whole-'))
    expect(kept).toHaveLength(1)
    expect(await compileAssembly(whole)).toEqual(first)
    expect(readdirSync(KEPT).filter((name) => name.startsWith('whole-'))).toEqual(kept)
    await writeFile(part, 'export const PART: i32 = 50')
    expect(await answerOf(await compileAssembly(whole))).toBe(52)
  },
)
