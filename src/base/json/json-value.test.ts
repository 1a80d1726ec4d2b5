import fc from 'fast-check'
import { expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { JsonBytes, MORE_BYTES } from './json-bytes.ts'
import { readValue } from './json-value.ts'

const read = (text: string, isLast = true): unknown => {
  const json = new JsonBytes()
  json.feed(new TextEncoder().encode(text))
  json.isLast = isLast
  return readValue(json)
}

law('reads what JSON.parse reads', [fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 3 })], (value, indent) => {
  const text = JSON.stringify(value, null, indent)
  expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)))
})

test('a key is a key, and depth has an end', () => {
  const value = read('{"__proto__":{"polluted":1},"a":[{}]}') as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__', 'a'])
  expect('polluted' in {}).toBe(false)
  const deep = `${'['.repeat(200)}1${']'.repeat(200)}`
  expect(JSON.stringify(read(deep))).toBe(`${'['.repeat(64)}null${']'.repeat(64)}`)
})

test('what is not all there asks for more', () => {
  for (const text of ['{"a":', '[1,', '"ab', '{"a":1'])
    expect(() => {
      try {
        read(text, false)
      } catch (signal) {
        throw signal === MORE_BYTES ? new Error('more') : signal
      }
    }).toThrow('more')
})
