import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { JsonBytes, JsonBytesError, JsonSkip, MORE_BYTES, keyHash } from './json-bytes.ts'

const encoder = new TextEncoder()

const over = (text: string): JsonBytes => {
  const json = new JsonBytes()
  json.feed(encoder.encode(text))
  json.isLast = true
  return json
}

describe('tokens', () => {
  test('law: a number is the double that JSON.parse makes of it', () => {
    const texts = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.tuple(fc.integer(), fc.nat({ max: 99_999_999 })).map(([whole, fraction]) => `${whole}.${fraction}`),
      fc.constantFrom(
        '-0',
        '0.1',
        '1e5',
        '1E+308',
        '123456789012345678',
        '9007199254740993',
        '0.30000000000000004',
        '12.5e-3',
      ),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(over(`${text},`).number()).toBe(JSON.parse(text))
      }),
    )
  })

  law(
    'a text is the one that JSON.parse makes of it, escapes and all',
    [fc.string({ unit: 'binary' }), fc.boolean()],
    (text, escaped) => {
      const written = escaped
        ? `"${Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}${c.length > 1 ? `\\u${c.charCodeAt(1).toString(16)}` : ''}`).join('')}"`
        : JSON.stringify(text)
      expect(over(written).text()).toBe(JSON.parse(written))
    },
  )

  law('a key has the hash of its text, however it is written', [fc.string({ unit: 'binary' })], (text) => {
    expect(over(`${JSON.stringify(text)} : 1`).keyHash()).toBe(keyHash(text))
  })

  test.each(['-', '1.', '.5', '1e', '01x', 'tru', 'nil', 'NaN', '--1', '1..2'])('%s is no value', (text) => {
    expect(() => over(`${text} `).word()).toThrow(JsonBytesError)
  })

  test('errors name what was found, and its byte', () => {
    const json = over('{"a" 1}')
    json.expect(0x7b)
    expect(() => json.keyHash()).toThrow('byte 5: expected ":", got "1}"')
  })

  test('a token that is cut asks for more, and a token without end is refused', () => {
    const json = new JsonBytes()
    json.feed(encoder.encode('"abc'))
    expect(caught(() => json.text())).toBe(MORE_BYTES)
    json.pos = 0
    json.feed(encoder.encode('def"'))
    expect(json.text()).toBe('abcdef')
    const endless = new JsonBytes()
    endless.feed(new Uint8Array(2 << 20).fill(0x61).with(0, 0x22))
    expect(() => endless.text()).toThrow(JsonBytesError)
  })
})

describe('skipping', () => {
  const skipIn = (bytes: Uint8Array, step: number): { pos: number; rest: string } => {
    const json = new JsonBytes()
    const skip = new JsonSkip()
    let done = false
    for (let at = 0; at < bytes.length && !done; at += step) {
      json.feed(bytes.subarray(at, at + step))
      json.isLast = at + step >= bytes.length
      done = skip.run(json)
    }
    return { pos: json.at, rest: done ? '' : 'not over' }
  }

  law(
    'any value is skipped to its last byte, in pieces of any size',
    [fc.jsonValue(), fc.integer({ min: 1, max: 40 })],
    (value, step) => {
      const text = JSON.stringify(value)
      const bytes = encoder.encode(`${text} ,"next"`)
      expect(skipIn(bytes, step)).toEqual({ pos: encoder.encode(text).length, rest: '' })
    },
  )

  test('a hundred thousand levels are counted and not stacked', () => {
    const deep = 100_000
    expect(skipIn(encoder.encode(`${'['.repeat(deep)}${']'.repeat(deep)} `), 4096).pos).toBe(deep * 2)
  })
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (signal) {
    return signal
  }
  return null
}
