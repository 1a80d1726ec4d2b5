import { memberOf, membersOf, plainText } from '../../base/json/exact.ts'
import type { DefinitionText, ProbedField } from './contract.ts'
import { mapShapeOf } from './map-fields.ts'

/*
 * Finds the field of a map that fails for a document, because the server keeps the error without its position. A test
 * of an unsaved index computes each field of that document separately, and returns an error in place of the value of a
 * field that fails.
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
  /** Definition that computes each field of the document. */
  readonly fields: DefinitionText
  /** Definition that creates an entry if the server reaches the document at all, regardless of the map. */
  readonly reached: DefinitionText
}

/** Definitions that probe the fields of a map for a document; null: the map is written in an unsupported way. */
export function probesOf(definition: DefinitionText, number: number, id: string): Probes | null {
  const map = definition.maps[number] ?? ''
  const shape = mapShapeOf(map)
  if (shape === null) return null
  const { variable, sourceTo, isLambda, from, to, fields } = shape
  // Errors contain ids in lower case, as in the document storage.
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

/** Removes options of fields, which the probe does not have. */
const withoutFields = (options: string): string =>
  options.trim() === ''
    ? '{}'
    : `{${membersOf(options)
        .filter(({ key }) => key === 'Configuration' || key === 'AdditionalAssemblies')
        .map(({ key, value }) => `${JSON.stringify(key)}:${value}`)
        .join(',')}}`

/** Reads the result of each field from a map result of the `fields` definition. */
export const probedFields = (definition: DefinitionText, number: number, result: string): readonly ProbedField[] =>
  (mapShapeOf(definition.maps[number] ?? '')?.fields ?? []).map(({ name }, at) => {
    const text = plainText(memberOf(result, fieldName(at)) ?? '""')
    return { name, text: text.slice(2), fails: text.startsWith('!') }
  })
