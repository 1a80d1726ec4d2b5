import { expect, it } from 'vitest'
import { indentingJson, indentJson } from './indent-json.ts'
import { EDITED_LENGTH } from './windows.ts'

it.each([
  [
    '{"a":1,"b":[1.10, "x,:{}\\"",{}],"c":{}}',
    '{\n    "a": 1,\n    "b": [\n        1.10,\n        "x,:{}\\"",\n        {}\n    ],\n    "c": {}\n}',
  ],
  ['[]', '[]'],
  [' 1e400 ', '1e400'],
  ['{"a" : [ [ ] , null ]}', '{\n    "a": [\n        [],\n        null\n    ]\n}'],
  ['{"a":nul,}', '{\n    "a": nul,\n    \n}'],
  ['"open', '"open'],
])('indents %j', (text, wanted) => {
  expect(indentJson(text)).toBe(wanted)
})

const lines = (count: number): string =>
  `[${Array.from({ length: count }, (_, i) => `{"Id":${String(i)},"Tags":["a","b",null,true]}`).join(',')}]`

it('indents a long text so far that it can be edited', () => {
  const text = lines(150_000)
  expect(text.length).toBeLessThan(EDITED_LENGTH / 2)
  const indented = indentJson(text)
  expect(indented.length).toBeLessThanOrEqual(EDITED_LENGTH)
  expect(indented.startsWith('[\n  {\n    "Id": 0,\n    "Tags": [\n      "a"')).toBe(true)
  expect(indented.replaceAll(/\s/g, '')).toBe(text)
})

it('lets other work run while it indents', () => {
  const steps = indentingJson(lines(100_000))
  let count = 0
  while (steps.next().done !== true) count++
  expect(count).toBeGreaterThan(10)
})
