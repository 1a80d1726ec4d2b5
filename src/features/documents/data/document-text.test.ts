import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactBytes } from '../../../base/text/exact-text.ts'
import { law } from '../../../testing/law.ts'
import { readDocument } from './document-text.ts'
import { indentJson } from './indent-json.ts'
import { jsonTree, propertiesOf, rawText, skimObject } from './json-text.ts'

const SERVER =
  '"@change-vector":"A:1-x","@flags":"HasAttachments","@id":"x/1","@last-modified":"2026-11-26T22:38:00.2605361Z"'
const response = (document: string): Uint8Array => exactBytes(`{"Results":[${document}],"Includes":{}}`)

/** White space outside of strings removed. */
const compact = (text: string): string => text.replaceAll(/("(?:[^"\\]|\\[^])*")|\s+/g, '$1')

describe('the text of a document', () => {
  it('has every token of the server, and metadata without what the server keeps itself', () => {
    const own = '"Big":12345678901234567890,"P":1.10,"D":0.123456789012345678901234567890,"A":{"A":1,"A":[]},"E":1E+2'
    const read = readDocument(
      response(
        `{${own},"@metadata":{"@attachments":[{"Name":"a/b","Hash":"h=","ContentType":"text/plain","Size":5}],"@collection":"Xs","@counters":["n"],"Own":1.50,${SERVER}}}`,
      ),
    )
    expect(compact(read?.text ?? '')).toBe(`{${own},"@metadata":{"@collection":"Xs","Own":1.50}}`)
    expect(read).toMatchObject({
      id: 'x/1',
      changeVector: 'A:1-x',
      collection: 'Xs',
      flags: ['HasAttachments'],
      attachments: [{ name: 'a/b', contentType: 'text/plain', bytes: 5, hash: 'h=' }],
      counters: ['n'],
      series: [],
    })
  })

  it('has no metadata where all of it is the server’s', () => {
    expect(compact(readDocument(response(`{"A":1,"@metadata":{${SERVER}}}`))?.text ?? '')).toBe('{"A":1}')
    expect(compact(readDocument(response(`{"@metadata":{${SERVER}}}`))?.text ?? '')).toBe('{}')
  })

  it('keeps bytes that are no text', () => {
    const bytes = exactBytes(`{"Results":[{"B":"\udced\udca0\udc80","@metadata":{${SERVER}}}],"Includes":{}}`)
    const text = compact(readDocument(bytes)?.text ?? '')
    expect([...exactBytes(text)]).toEqual([0x7b, 0x22, 0x42, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d])
  })

  it('is none where the server found none, and fails for what is no list', () => {
    expect(readDocument(response('null'))).toBeNull()
    expect(readDocument(response(''))).toBeNull()
    expect(() => readDocument(exactBytes('{"Message":"x"}'))).toThrow('no list of results')
  })
})

law('indenting moves white space only', [fc.json()], (json) => {
  const indented = indentJson(json)
  expect(compact(indented)).toBe(compact(json))
  expect(JSON.parse(indented)).toEqual(JSON.parse(json))
})

law('skimming finds what a parser finds', [fc.dictionary(fc.string(), fc.jsonValue())], (value) => {
  const json = JSON.stringify(value, null, 1)
  const parsed = propertiesOf(json, jsonTree(json)).map(({ key, value: node }) => [key, rawText(json, node)])
  expect(skimObject(json, 0).map(({ key, from, to }) => [key, json.slice(from, to)])).toEqual(parsed)
})

it('keeps the text of a deep document short', () => {
  const deep = `{"D":${'['.repeat(5000)}1.10${']'.repeat(5000)}}`
  expect(indentJson(deep).replaceAll(/\s/g, '')).toBe(deep)
  expect(indentJson(deep).length).toBeLessThan(200 * deep.length)
})
