import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '..')
const IMPORT = /^import (\w+) from '(\.[^']+\.module\.css)'$/gm

/** Faults of a file: `name.class` where the style sheet that is imported by that name has no such class. */
function missingIn(path: string): string[] {
  const code = readFileSync(path, 'utf8')
  const used = code.replaceAll(/^import .*$/gm, '')
  return Array.from(code.matchAll(IMPORT), ([, name = '', from = '']) => {
    const sheet = readFileSync(resolve(dirname(path), from), 'utf8')
    const classes = new Set(Array.from(sheet.matchAll(/\.([A-Za-z_][\w-]*)/g), ([, each]) => each))
    return Array.from(used.matchAll(new RegExp(String.raw`\b${name}\.([A-Za-z_]\w*)`, 'g')), ([, each = '']) => each)
      .filter((each) => !classes.has(each))
      .map((each) => `${path.slice(SRC.length)}: ${name}.${each}`)
  }).flat()
}

it('every class that a component takes from a style sheet is there: one that moved leaves it without its looks', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap((name) => missingIn(join(SRC, name)))).toEqual([])
})

it('every class that a component takes by name is one of base.css', () => {
  const base = readFileSync(join(SRC, 'ui/theme/base.css'), 'utf8')
  const shared = new Set(Array.from(base.matchAll(/\.([a-z]+)/g), ([, each]) => each))
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx$/.test(name))
  const named = files.flatMap((name) =>
    Array.from(readFileSync(join(SRC, name), 'utf8').matchAll(/className="([^"]*)"|\bcx\('([^']*)'/g)).flatMap(
      ([, alone, first]) => (alone ?? first ?? '').split(' ').map((each) => [name, each] as const),
    ),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(([, each]) => !shared.has(each))).toEqual([])
})
