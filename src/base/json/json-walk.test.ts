import { expect, test } from 'vitest'
import { JsonBytes } from './json-bytes.ts'
import { JsonWalk, keys, type Rule } from './json-walk.ts'

/** Values taken of a text, in pieces of `size` bytes, and the problems that are reported. */
function walk(text: string, size: number) {
  const taken: string[] = []
  const reported: string[] = []
  const value = (name: string): Rule => ({ kind: 'value', take: (read) => taken.push(`${name}=${String(read)}`) })
  const item: Rule = { kind: 'object', keys: keys({ n: value('n') }) }
  const rule: Rule = {
    kind: 'object',
    end: () => taken.push('end'),
    keys: keys({ Name: value('Name'), List: { kind: 'list', item }, Other: item }),
  }
  const json = new JsonBytes()
  const walker = new JsonWalk(json, rule, (at, expected) => reported.push(`${at}: ${expected}`))
  const bytes = new TextEncoder().encode(text)
  for (let from = 0; from < bytes.length; from += size) {
    json.feed(bytes.slice(from, from + size))
    json.isLast = from + size >= bytes.length
    walker.run()
  }
  return { taken, reported }
}

const AGAIN = 'a key that its object does not have already'

test.each([1, 3, 1000])('of a value that comes again the last counts, in pieces of %i bytes', (size) => {
  expect(walk('{"Name":"a","Name":"b","x":1,"x":[2]}', size)).toEqual({
    taken: ['Name=a', 'Name=b', 'end'],
    reported: [],
  })
})

test.each([1, 3, 1000])('values handed on already stay, and later ones are reported, in pieces of %i bytes', (size) => {
  const text = '{"Name":"a","List":[{"n":1}],"List":[{"n":2}],"Name":"b","Other":{"n":3}}'
  const reported = [text.indexOf('"List"', 20), text.indexOf('"Name"', 10)]
  expect(walk(text, size)).toEqual({
    taken: ['Name=a', 'n=1', 'n=3', 'end'],
    reported: reported.map((at) => `${at}: ${AGAIN}`),
  })
})

test('null is nothing yet, and other objects have keys of their own', () => {
  expect(walk('{"List":null,"List":[{"n":1},{"n":2}]}\n{"List":[{"n":3}]}', 1000)).toEqual({
    taken: ['n=1', 'n=2', 'end', 'n=3', 'end'],
    reported: [],
  })
})
