/** Documents as text on a real server of the version that ROOKERY_TEST_SERVER names: what is not changed stays, to the byte. */
import process from 'node:process'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, databasePath } from '../../../tools/ravendb/client.mjs'
import { exactBytes, exactText } from '../../base/text/exact-text.ts'
import { readDocument } from './data/document-text.ts'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
const NAME = 'exact'
const DOCUMENTS = 200

/** Tokens as the server keeps them: half a pair of a string as the bytes that it was stored with. */
const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[1-9][0-9]{${String(least - 1)},${String(most - 1)}}$`))
const number = fc.oneof(
  digits(1, 30),
  digits(1, 30).map((text) => `-${text}`),
  fc.tuple(digits(1, 6), fc.stringMatching(/^[0-9]{1,30}$/)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.tuple(digits(1, 3), fc.nat(200)).map(([whole, power]) => `${whole}.50e-${String(power)}`),
  fc.constantFrom('0', '-0.0', '1E+2', '9223372036854775808', '1.7976931348623157e308', '0.10'),
)
const text = fc.oneof(
  fc.string({ maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"\udced\udca0\udc80"', '"\udcff"', '"\u202e<b>"', '"\\u0000"', '"é😀"'),
)
const word = fc.constantFrom('null', 'true', 'false')
const name = fc.constantFrom('A', 'b', 'Name', 'Longer name', 'ü', '$type', 'with.dot')
const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 4 })
    .map((pairs) => `{${pairs.map(([key, held]) => `${JSON.stringify(key)}:${held}`).join(',')}}`),
  array: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  value: fc.oneof({ maxDepth: 3 }, number, text, word, tie('object'), tie('array')),
}))

describe.runIf(version !== '')(`documents of RavenDB ${version}`, { timeout: 300_000 }, () => {
  const url = inject('serverUrl')
  const place = (id: string): string => `${url}${databasePath(NAME)}/docs?id=${encodeURIComponent(id)}`
  const put = async (id: string, body: string): Promise<void> => {
    const response = await fetch(place(id), { method: 'PUT', body: exactBytes(body) })
    expect(response.status, `${body}\n${await response.text()}`).toBe(201)
  }
  const get = async (id: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(place(id))).arrayBuffer())
  /** Text without the metadata that the server writes at each save. */
  const lasting = (bytes: Uint8Array): string =>
    exactText(bytes).replaceAll(/"@change-vector":"[^"]*"|"@last-modified":"[^"]*"/g, '""')

  beforeAll(() => createDatabase(url, NAME), 300_000)

  it('a save of one changed value leaves every other byte', async () => {
    const drawn = fc.sample(fc.tuple(value, value), {
      numRuns: DOCUMENTS,
      seed: Number(process.env['EXACT_SEED'] ?? 40),
    })
    const changed = await Promise.all(
      drawn.map(async ([before, after], i) => {
        const id = `exact/${String(i)}`
        await put(
          id,
          `{"Before":${before},"Changed":1,"After":${after},"@metadata":{"@collection":"Exact","Own":1.50}}`,
        )
        const stored = await get(id)
        // As the panel reads, edits and saves it.
        const shown = readDocument(stored)?.text ?? ''
        await put(id, shown.replace('"Changed": 1,', '"Changed": 12345678901234567890.10,'))
        const wanted = lasting(stored).replace('"Changed":1,', '"Changed":12345678901234567890.10,')
        return { wanted, found: lasting(await get(id)) }
      }),
    )
    expect(changed).toHaveLength(DOCUMENTS)
    for (const { wanted, found } of changed) expect(found).toBe(wanted)
  })
})
