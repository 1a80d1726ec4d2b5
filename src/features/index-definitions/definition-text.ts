import { errorText } from '../../base/text/error-text.ts'
import {
  compileErrorsIn,
  compileErrorsOf,
  isElsewhere,
  namesIn,
  placeInSource,
  placesOfName,
  scriptPlaceOf,
  type CompileError,
} from '../../base/compile/compile-errors.ts'
import { indented, itemsOf, kindOf, membersOf, plainText } from '../../base/json/exact.ts'
import { offsetOf } from '../../base/rql/shape.ts'
import type { DefinitionFault, DefinitionPart, DefinitionText } from './contract.ts'

/** Members that have an editor or an action of their own, or that the server sets. */
const OWN: ReadonlySet<string> = new Set(['Name', 'Maps', 'Reduce', 'AdditionalSources', 'Type', 'SourceType'])

/** Splits an index definition from `indexes?name=` into its editable parts. Errors: `ExactError`. */
export function definitionText(json: string): DefinitionText {
  const members = membersOf(json)
  const valueOf = (name: string): string => members.findLast(({ key }) => key === name)?.value ?? 'null'
  const [maps, reduce, sources] = [valueOf('Maps'), valueOf('Reduce'), valueOf('AdditionalSources')]
  const rest = members.filter(({ key, value }) => !OWN.has(key) && value !== 'null')
  return {
    maps: kindOf(maps) === 'array' ? itemsOf(maps).map(plainText) : [],
    reduce: kindOf(reduce) === 'string' ? plainText(reduce) : '',
    sources:
      kindOf(sources) === 'object'
        ? membersOf(sources).map(({ key, value }) => ({ name: key, text: plainText(value) }))
        : [],
    options: indented(`{${rest.map(({ key, value }) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  }
}

/** Builds the JSON to send. Options are sent as typed. */
export function definitionJson(name: string, { maps, reduce, sources, options }: DefinitionText): string {
  const rest = membersOf(options.trim() === '' ? '{}' : options)
    .filter(({ key }) => !OWN.has(key))
    .map(({ key, value }) => `${JSON.stringify(key)}:${value}`)
  const extra = sources.map(({ name: source, text }) => `${JSON.stringify(source)}:${JSON.stringify(text)}`)
  return `{${[
    `"Name":${JSON.stringify(name)}`,
    `"Maps":${JSON.stringify(maps)}`,
    `"Reduce":${reduce.trim() === '' ? 'null' : JSON.stringify(reduce)}`,
    `"AdditionalSources":{${extra.join(',')}}`,
    ...rest,
  ].join(',')}}`
}

/** Reason why a definition cannot be sent, as a sentence; null if it can. */
export function definitionProblem(name: string, { maps, sources, options }: DefinitionText): string | null {
  if (name.trim() === '') return 'The index needs a name.'
  if (/^auto\//iu.test(name)) return 'A name that begins with Auto/ is for automatic indexes.'
  if (maps.every((map) => map.trim() === '')) return 'The index needs a map.'
  if (new Set(sources.map(({ name: source }) => source)).size < sources.length)
    return 'Two sources have the same name: the server would keep one of them.'
  try {
    if (options.trim() !== '') JSON.parse(options)
  } catch (error) {
    return `The options are no JSON: ${errorText(error)}`
  }
  return options.trim() === '' || kindOf(options.trim()) === 'object' ? null : 'The options are an object: { … }.'
}

/** Members that separate actions set, or 5.4 itself (`Version`). Definitions in the history lack them. */
const SET_APART: ReadonlySet<string> = new Set(['LockMode', 'Priority', 'State', 'Version'])

/**
 * Returns an earlier definition with the current settings of the index, such as its priority, and with the members in
 * the current order.
 */
export function withSettingsOf(past: DefinitionText, now: DefinitionText): DefinitionText {
  const earlier = new Map(membersOf(past.options).map(({ key, value }) => [key, value]))
  const kept = membersOf(now.options).flatMap(({ key, value }): [string, string][] => {
    const taken = SET_APART.has(key) ? value : earlier.get(key)
    earlier.delete(key)
    return taken === undefined ? [] : [[key, taken]]
  })
  const members = [...kept, ...[...earlier].filter(([key]) => !SET_APART.has(key))]
  return {
    ...past,
    options: indented(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  }
}

/** Definition for a new index, which begins with the server's own settings: a copy of a locked one is not locked. */
export function copyOf(definition: DefinitionText): DefinitionText {
  const options = definition.options.trim() === '' ? '{}' : definition.options
  const kept = membersOf(options).filter(({ key }) => !SET_APART.has(key))
  return {
    ...definition,
    options: indented(`{${kept.map(({ key, value }) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  }
}

/** Whether the maps are JavaScript, which begins with `map(`, `timeSeries.map(` or `counters.map(`. */
export const isScript = ({ maps }: Pick<DefinitionText, 'maps'>): boolean =>
  maps.some((map) => /^\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*|\/\/[^\n]*\n\s*)*(?:\w+\.)?map\s*\(/u.test(map))

/** Parses the compiler's errors, in either of two formats: as the server sent them, or as the activity stores them. */
export function faultsOf(message: string, definition: DefinitionText): readonly DefinitionFault[] {
  const compiled = compileErrorsOf(message)
  const errors = compiled.length > 0 ? compiled : compileErrorsIn(message)
  if (errors.length > 0)
    return errors.map((error): DefinitionFault => {
      const ofSource = isElsewhere(error) ? faultInSource(error, definition) : null
      if (ofSource !== null) return ofSource
      const part = error.part === 'Reduce' ? 'reduce' : error.part === null ? null : error.part - 1
      const source = part === null ? '' : part === 'reduce' ? definition.reduce : (definition.maps[part] ?? '')
      return { part, message: error.message, place: part === null ? null : placeInSource(source, error) }
    })
  const first = message.split(/\r?\n/u)[0] ?? message
  return [{ message: first, ...scriptPlace(first, definition) }]
}

/**
 * Fault of an additional source: the server names neither the source nor a line of its text, so that it is found by the
 * names in the message. Null: it may be in another part.
 */
function faultInSource(error: CompileError, { sources }: DefinitionText): DefinitionFault | null {
  const { message } = error
  const found = namesIn(error).flatMap((name) =>
    sources.flatMap(({ text }, i) => {
      const places = placesOfName(text, name)
      return places.length === 0 ? [] : [{ i, places }]
    }),
  )
  const [first] = found
  if (first !== undefined)
    return { part: `source ${first.i}`, message, place: first.places.length === 1 ? (first.places[0] ?? null) : null }
  return sources.length === 1 && (error.part === null || namesIn(error).length === 0)
    ? { part: 'source 0', message, place: null }
    : null
}

/** Place of an error in a script, whose text is not named: the one with the reported token there. */
function scriptPlace(message: string, definition: DefinitionText): Pick<DefinitionFault, 'part' | 'place'> {
  const place = scriptPlaceOf(message)
  const parts: readonly (readonly [DefinitionPart, string])[] = [
    ...definition.maps.map((text, i) => [i, text] as const),
    ...(definition.reduce === '' ? [] : [['reduce', definition.reduce] as const]),
    ...definition.sources.map(({ text }, i) => [`source ${i}`, text] as const),
  ]
  if (place === null) return { part: null, place: null }
  const token = /Unexpected token '?([^\s'(]+)/u.exec(message)?.[1]
  const [found, ...others] = parts.flatMap(([part, text]) => {
    if (parts.length > 1 && text.split('\n').length < place.line) return []
    const from = offsetOf(text, place.line, place.column)
    const lineEnd = text.indexOf('\n', from)
    const to = lineEnd < 0 ? text.length : Math.max(lineEnd, from)
    const isThere = token === undefined || parts.length === 1 || text.slice(from, to).includes(token)
    return isThere ? [{ part, place: { from, to } }] : []
  })
  return found === undefined || others.length > 0 ? { part: null, place: null } : found
}

/** Joins all parts to one text, for comparison. */
export const wholeText = ({ maps, reduce, sources, options }: DefinitionText): string =>
  [
    ...maps.map((map, i) => `// Map ${i + 1}\n${map}`),
    ...(reduce === '' ? [] : [`// Reduce\n${reduce}`]),
    ...sources.map(({ name, text }) => `// Source ${name}\n${text}`),
    `// Options\n${options}`,
  ].join('\n\n')
