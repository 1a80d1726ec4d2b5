import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { walkInPieces } from '../../../../testing/walk-in-pieces.ts'
import { law } from '../../../../testing/law.ts'
import { BatchScratch } from '../batches/batch.ts'
import { DETAIL_FIELDS, DETAIL_GROUPS } from '../details.ts'
import { OperationNames } from '../names.ts'
import { batchReader } from './decode.ts'
import { TreeRuns } from './tree-runs.ts'

const encoder = new TextEncoder()

/** Number texts of JSON, those that a server writes more often than others. */
const durations = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 99_999 }).map((hundredths) => String(hundredths / 100)) },
  fc.constantFrom('0', '-1', '1e3', '12.50', '9007199254740993', '315360000001', 'null', '"7"', '0.12345678901234567'),
)
const names = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('Indexing', 'Map', 'Reduce', 'Corax/Commit', 'Field_Größe', 'Field_a') },
  fc.constantFrom('a "b" \\ {c}: [d]', '', 'x'.repeat(61), 'y'.repeat(62), 'z'.repeat(63), '}', ',"Operations":['),
)
const figures = (group: string) =>
  fc
    .tuple(
      ...DETAIL_FIELDS.filter((field) => field.group === group).map(({ name }) =>
        fc.option(
          fc
            .oneof(
              { weight: 12, arbitrary: fc.nat({ max: 2 ** 30 }).map(String) },
              fc.constantFrom('-1', '1.5', 'null', '"x"', 'true', '{}', '9007199254740993', '12.0'),
            )
            .map((value) => `"${name}":${value}`),
          { freq: 8 },
        ),
      ),
      fc.option(
        fc
          .constantFrom('No more documents', 'It \\"said\\" so, é', '', '},{')
          .map((reason) => `"BatchCompleteReason":"${reason}"`),
      ),
      fc.option(fc.constantFrom('"Trees":{"a":[1]}', '"New":3', '"\\u0041":4', '"Text":"}"'), { freq: 1 }),
    )
    .map((fields) => fields.filter((each) => each !== null))

const group = (name: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.constant('null') },
      {
        weight: 3,
        arbitrary:
          name === 'ReduceDetails'
            ? fc
                .tuple(figures(name), fc.constantFrom('null', '{"NumberOfModifiedLeafs":3}', '{}', '7'))
                .map(([fields, inner]) => `{${[...fields, `"TreesReduceDetails":${inner}`].join(',')}}`)
            : figures(name).map((fields) => `{${fields.join(',')}}`),
      },
      fc.constantFrom('{}', '[]', '7'),
    )
    .map((value) => `"${name}":${value}`)

/** Members of an operation besides its name and its duration; `%` stands for those inside of it. */
const members = fc
  .tuple(
    fc.tuple(...DETAIL_GROUPS.map((name) => fc.option(group(name), { freq: 10 }))),
    fc.nat({ max: DETAIL_GROUPS.length }),
    fc.constantFrom(...Array.from({ length: 8 }, () => ''), ',"Name":"Map"', ',"DurationInMs":3', ',"Neu":null', ' '),
  )
  .map(([groups, at, more]) => {
    const texts = groups.filter((each) => each !== null)
    return `${[...texts.slice(0, at), '"Operations":[%]', ...texts.slice(at)].join(',')}${more}`
  })

const { operation } = fc.letrec<{ operation: string }>((tie) => ({
  operation: fc
    .tuple(
      names,
      durations,
      members,
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant<string[]>([]),
        fc.array(tie('operation'), { maxLength: 4 }),
      ),
      fc.nat({ max: 20 }),
    )
    .map(([name, duration, rest, inside, order]) => {
      const [first, second] = [`"Name":${JSON.stringify(name)}`, `"DurationInMs":${duration}`]
      const head = order === 0 ? [second, first] : [first, second]
      return `{${[...head, rest.replace('%', () => inside.join(','))].join(',')}}`
    }),
}))

/** Trees as they stand in the text: some come again and again, with other durations, as they do on the wire. */
const trees = fc
  .tuple(
    fc.array(operation, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 9999 })), { maxLength: 40 }),
  )
  .map(([shapes, order]) =>
    order.map(([at, duration]) =>
      (shapes[at % shapes.length] ?? '').replace(/"DurationInMs":\d+(?:\.\d+)?/, `"DurationInMs":${duration / 100}`),
    ),
  )

const documentOf = (list: readonly string[]): string =>
  `{"Results":[{"Name":"i","Performance":[${list
    .map((tree, i) => `{"Id":${i},"Started":"2026-11-20T04:00:00.0000000Z","DurationInMs":1,"Details":${tree}}`)
    .join(',')}]}]}`

/** The trees that were handed on, with names in place of numbers. */
function read(text: string, sizes: readonly number[]) {
  const operations = new OperationNames()
  const found: unknown[] = []
  const json = new JsonBytes()
  let problems = 0
  const take = (
    _: string,
    { paths, nodeTicks, nodes, details, reason, reasonIsOfMap, leftOut }: BatchScratch,
  ): void => {
    found.push({
      nodes: Array.from({ length: nodes }, (__, i) => [operations.pathText(paths[i] ?? -1), nodeTicks[i]]),
      details: [...details],
      reason,
      reasonIsOfMap,
      leftOut,
    })
  }
  const walk = new JsonWalk(json, batchReader(operations, take, () => problems++).rule, () => problems++)
  const bytes = encoder.encode(text)
  walkInPieces(json, walk, bytes, sizes)
  return { found, problems }
}

describe('runs of operation trees', () => {
  law(
    'whatever the trees look like and at whichever byte they are split, each is read as it would be alone',
    [trees, fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 5 })],
    { numRuns: 400 },
    (list, sizes) => {
      const alone = list.map((tree) => read(documentOf([tree]), [Infinity]))
      const wanted = {
        found: alone.flatMap(({ found }) => found),
        problems: alone.reduce((sum, { problems }) => sum + problems, 0),
      }
      const text = documentOf(list)
      expect(read(text, sizes)).toEqual(wanted)
      expect(read(text, [Infinity])).toEqual(wanted)
    },
  )

  test('a tree is read as a run once its operations were met, and not where one of them is new', () => {
    const names = new OperationNames()
    const empty = ',"MapDetails":null,"CommitDetails":null,"Operations":['
    const tree = (name: string) =>
      `{"Name":"Indexing","DurationInMs":3.11${empty}{"Name":"Map","DurationInMs":2,"MapDetails":{"BatchCompleteReason":"No more","AllocationBudget":16},"Operations":[]},{"Name":"${name}","DurationInMs":1${empty}],"ReferenceDetails":null}]}`
    const text = `[${[tree('Corax/Commit'), tree('Corax/Commit'), tree('Bloom'), ' '.repeat(1000)].join(',')}`
    const bytes = encoder.encode(text)
    const json = new JsonBytes()
    json.feed(bytes)
    json.pos = 1
    const runs = TreeRuns.create()
    const batch = new BatchScratch()
    expect(runs?.read(json, batch, names)).toBe(false)

    const learn = (parent: number, name: string): number => {
      const at = text.indexOf(`"${name}"`)
      const path = names.path(parent, names.intern(name))
      runs?.learn(names, parent, path, bytes, at, at + name.length + 2)
      return path
    }
    const root = learn(-1, 'Indexing')
    const map = learn(root, 'Map')
    const commit = learn(root, 'Corax/Commit')
    runs?.learnRun(encoder.encode(',"MapDetails":null,"CommitDetails":null'))
    expect(runs?.read(json, batch, names)).toBe(true)
    expect(json.pos).toBe(1 + tree('Corax/Commit').length)
    expect([...batch.paths.subarray(0, batch.nodes)]).toEqual([root, map, commit])
    expect([...batch.nodeTicks.subarray(0, batch.nodes)]).toEqual([31_100, 20_000, 10_000])
    const budget = DETAIL_FIELDS.findIndex((field) => field.group === 'MapDetails' && field.name === 'AllocationBudget')
    expect(batch.details).toEqual([1, budget, 16])
    expect(batch.reason).toBe('No more')

    json.pos++
    batch.clear()
    expect(runs?.read(json, batch, names)).toBe(true)
    json.pos++
    expect(runs?.read(json, batch, names)).toBe(false)
    expect(runs?.read(json, batch, new OperationNames())).toBe(false)
  })

  test('children in another order, as of another index, are followed once they were read so', () => {
    const names = new OperationNames()
    const fields = Array.from({ length: 200 }, (_, i) => `Field_${i}`)
    const tree = (order: readonly string[]) =>
      `{"Name":"Corax/Commit","DurationInMs":3,"Operations":[${order.map((name) => `{"Name":"${name}","DurationInMs":1}`).join(',')}]}`
    const runs = TreeRuns.create()
    const batch = new BatchScratch()
    const learn = (order: readonly string[]): void => {
      runs?.begin()
      const path = (parent: number, name: string): number => {
        const raw = encoder.encode(JSON.stringify(name))
        const id = names.path(parent, names.intern(name))
        runs?.learn(names, parent, id, raw, 0, raw.length)
        return id
      }
      const root = path(-1, 'Corax/Commit')
      for (const name of order) path(root, name)
    }
    const isRead = (order: readonly string[]): boolean => {
      const json = new JsonBytes()
      json.feed(encoder.encode(`${tree(order)},${' '.repeat(1000)}`))
      batch.clear()
      const isIt = runs?.read(json, batch, names) === true
      if (isIt) expect(batch.nodes).toBe(order.length + 1)
      return isIt
    }
    learn(fields)
    expect(isRead(fields)).toBe(true)
    expect(isRead(fields.toReversed())).toBe(false)
    learn(fields.toReversed())
    expect(isRead(fields.toReversed())).toBe(true)
    // The last of one order is not the first of the other.
    expect(isRead(fields)).toBe(false)
  })
})
