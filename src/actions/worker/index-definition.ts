import { asArray, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { Detail } from '../../ravendb/databases/database-details.ts'
import type { Params } from '../../ravendb/endpoints.ts'
import { ofLoaded } from '../../ravendb/databases/of-loaded.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { IndexDefinitionText, NamedText } from '../contract.ts'

/** Definition of an index and why it is stale, for a loaded database. Errors: `RavenError`, `ParseError`. */
export const readDefinition = (
  governor: Governor,
  database: string,
  index: string,
  signal: AbortSignal,
): Promise<Detail<IndexDefinitionText>> =>
  ofLoaded(governor, async () => {
    const params: Params = { database, name: index }
    const [definitions, staleness] = await Promise.all([
      governor.json('indexDefinition', params, { signal }),
      // The definition is shown without it.
      governor.json('indexStaleness', params, { signal }).catch(() => ({})),
    ])
    const [first] = asArray(asObject(definitions, '$')['Results'], '$.Results')
    const definition = orNull(asObject, first, '$.Results[0]')
    const reasons = asObject(staleness, '$')
    if (definition === null)
      throw new RavenError({
        kind: 'bad-request',
        endpoint: 'indexes',
        message: 'The index does not exist any more.',
        hint: '',
      })
    return {
      maps: (orNull(asArray, definition['Maps'], '$.Maps') ?? []).map((map) => asString(map, '$.Maps')),
      reduce: orNull(asString, definition['Reduce'], '$.Reduce'),
      fields: namedTexts(definition, 'Fields'),
      settings: namedTexts(definition, 'Configuration'),
      sources: namedTexts(definition, 'AdditionalSources'),
      json: JSON.stringify(definition, null, 2),
      isStale: typeof reasons['IsStale'] === 'boolean' ? reasons['IsStale'] : null,
      stalenessReasons: (orNull(asArray, reasons['StalenessReasons'], '$.StalenessReasons') ?? []).map((reason) =>
        asString(reason, '$.StalenessReasons'),
      ),
    }
  })

/** Members of a dictionary, without options that are not set and members that have none. */
const namedTexts = (definition: JsonObject, field: string): NamedText[] =>
  Object.entries(orNull(asObject, definition[field], `$.${field}`) ?? {}).flatMap(([name, value]) => {
    const text = optionText(value)
    return text === '' ? [] : [{ name, value: text }]
  })

/** `Indexing: Search, Storage: Yes`; empty: no option is set. */
function optionText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.entries(value)
    .flatMap(([name, option]) => {
      if (option === null || option === false) return []
      return [`${name}: ${typeof option === 'object' ? `{ ${optionText(option)} }` : String(option)}`]
    })
    .join(', ')
}
