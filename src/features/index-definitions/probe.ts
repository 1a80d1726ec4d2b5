import { memberOf, membersOf, plainText } from '../../base/json/exact.ts'
import type { DefinitionText, ProbedField } from './contract.ts'
import { mapShapeOf } from './map-fields.ts'

/*
 * Finds the field of a map that fails on a document: the server keeps the error and no place. A test of an index that is
 * not saved computes each field of that document by itself, and has the error of each in place of its value.
 */

const SOURCE = {
  name: 'RookeryProbe.cs',
  text: `using System;
using System.Collections;
using System.Collections.Generic;

namespace RookeryProbes
{
    public static class RookeryProbe
    {
        public static string Try(Func<object> compute)
        {
            try { return "= " + Text(compute()); }
            catch (Exception e) { return "! " + e.GetType().FullName + ": " + e.Message; }
        }

        private static string Text(object value)
        {
            if (value == null) return "null";
            var type = value.GetType().Name;
            if (type == "DynamicNullObject") return "null";
            var list = value as IEnumerable;
            if (list == null || value is string || type.StartsWith("Lazy")) return value.ToString();
            var parts = new List<string>();
            foreach (var item in list) parts.Add(Text(item));
            return "[" + string.Join(", ", parts) + "]";
        }
    }
}
`,
}

const fieldName = (at: number): string => `Field${at}`

interface Probes {
  /** Computes each field of the document. */
  readonly fields: DefinitionText
  /** Has an entry if the server comes to the document at all, whatever the map does with it. */
  readonly reached: DefinitionText
}

/** Definitions that try the fields of a map on a document; null: the map is written in a way that is not known here. */
export function probesOf(definition: DefinitionText, number: number, id: string): Probes | null {
  const map = definition.maps[number] ?? ''
  const shape = mapShapeOf(map)
  if (shape === null) return null
  const { variable, sourceTo, isLambda, from, to, fields } = shape
  // Errors have ids in lower case, as the storage of documents has them.
  const condition = `Id(${variable}).ToString().ToLower() == ${JSON.stringify(id.toLowerCase())}`
  const source = map.slice(0, sourceTo) + (isLambda ? `.Where(${variable} => ${condition})` : `\nwhere ${condition}`)
  const tried = fields.map(
    ({ expression }, at) => ` ${fieldName(at)} = RookeryProbes.RookeryProbe.Try(() => (object)(${expression}\n)),`,
  )
  const common = { reduce: '', options: withoutFields(definition.options) }
  return {
    fields: {
      ...common,
      maps: [`${source}${map.slice(sourceTo, from)}${tried.join('')} ${map.slice(to)}`],
      sources: [...definition.sources, SOURCE],
    },
    reached: {
      ...common,
      maps: [
        isLambda ? `${source}.Select(${variable} => new { Reached = 1 })` : `${source}\nselect new { Reached = 1 }`,
      ],
      sources: definition.sources,
    },
  }
}

/** Options of fields are of fields that the probe does not have. */
const withoutFields = (options: string): string =>
  options.trim() === ''
    ? '{}'
    : `{${membersOf(options)
        .filter(({ key }) => key === 'Configuration' || key === 'AdditionalAssemblies')
        .map(({ key, value }) => `${JSON.stringify(key)}:${value}`)
        .join(',')}}`

/** A map result of the first definition → what became of each field. */
export const probedFields = (definition: DefinitionText, number: number, result: string): readonly ProbedField[] =>
  (mapShapeOf(definition.maps[number] ?? '')?.fields ?? []).map(({ name }, at) => {
    const text = plainText(memberOf(result, fieldName(at)) ?? '""')
    return { name, text: text.slice(2), fails: text.startsWith('!') }
  })
