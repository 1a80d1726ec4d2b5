import { describe, expect, it } from 'vitest'
import { mapShapeOf, pathsOf, valueAt } from './map-fields.ts'
import { probedFields, probesOf } from './probe.ts'

const fieldsOf = (map: string) => mapShapeOf(map)?.fields.map(({ name, expression }) => [name, expression])

describe('fields of a map', () => {
  it.each([
    [
      'from t in docs.Things\nselect new { Share = 6 / (t.N - 1), t.Company.Name }',
      [
        ['Share', '6 / (t.N - 1)'],
        ['Name', 't.Company.Name'],
      ],
    ],
    ['from o in docs["A B"] let x = o.A where x > 1 select new { X = x, };', [['X', 'x']]],
    [
      'from o in docs.Orders select new { A = new[] { 1, 2 }, B = o.F(",", \'}\'), /* c, */ C = "a, {b" }',
      [
        ['A', 'new[] { 1, 2 }'],
        ['B', 'o.F(",", \'}\')'],
        ['C', '"a, {b"'],
      ],
    ],
    [
      'docs.Orders.Select(o => new { L = o.Lines.Select(l => new { l.P, l.Q }), o.N })',
      [
        ['L', 'o.Lines.Select(l => new { l.P, l.Q })'],
        ['N', 'o.N'],
      ],
    ],
    ['from o in docs.Orders from l in o.Lines select new { Is = l.A == 1 }', [['Is', 'l.A == 1']]],
  ])('%s', (map, fields) => expect(fieldsOf(map)).toEqual(fields))

  it('has the place of each in the map', () => {
    const map = 'from t in docs.Things select new { A = t.B , t.C }'
    const places = mapShapeOf(map)?.fields.map(({ from, to }) => map.slice(from, to))
    expect(places).toEqual(['t.B', 't.C'])
  })

  it.each([
    'map("Orders", o => ({ N: o.N }))',
    'from o in docs.Orders select new {',
    'from o in docs.Orders select o',
    '',
  ])('leaves what it does not know: %s', (map) => expect(mapShapeOf(map)).toBeNull())
})

it('finds what an expression reads, and its value in a document digit for digit', () => {
  expect(pathsOf('6 / (t.N - t.Company.Name.Length) + int.Parse(t.Text.Trim()) + "t.Not"', 't')).toEqual([
    'N',
    'Company.Name.Length',
    'Text',
  ])
  expect(valueAt('{"A":{"B":1.10}}', 'A.B')).toBe('1.10')
  expect(valueAt('{"A":1}', 'A.B')).toBeNull()
})

const OF = { reduce: '', sources: [], options: '{"Fields":{"A":{"Storage":"Yes"}},"Configuration":{"X":"1"}}' }

it('tries each field by itself, on that document alone', () => {
  const definition = { ...OF, maps: ['from t in docs.Things\nlet n = t.N\nselect new { A = 6 / n, t.B }'] }
  const probes = probesOf(definition, 0, 'Things/"1"')
  expect(probes?.fields.maps).toEqual([
    'from t in docs.Things\nwhere Id(t).ToString().ToLower() == "things/\\"1\\""\nlet n = t.N\nselect new { ' +
      'Field0 = RookeryProbes.RookeryProbe.Try(() => (object)(6 / n\n)), ' +
      'Field1 = RookeryProbes.RookeryProbe.Try(() => (object)(t.B\n)), }',
  ])
  expect(probes?.reached.maps).toEqual([
    'from t in docs.Things\nwhere Id(t).ToString().ToLower() == "things/\\"1\\""\nselect new { Reached = 1 }',
  ])
  expect(probes?.fields.options).toBe('{"Configuration":{"X":"1"}}')
  expect(probedFields(definition, 0, '{"Field0":"! System.X: no","Field1":"= 1.10"}')).toEqual([
    { name: 'A', text: 'System.X: no', fails: true },
    { name: 'B', text: '1.10', fails: false },
  ])
})
