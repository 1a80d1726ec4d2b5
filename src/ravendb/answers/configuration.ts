import { Fields } from '../../base/json/fields.ts'
import { jsonWithoutSecrets, REMOVED } from '../../base/text/secrets.ts'

/** A setting with a value other than its default. */
export interface Setting {
  /** Text of its value, with secrets removed. */
  readonly value: string
  /** A path or name that differs between the nodes of a cluster. */
  readonly isOfNode: boolean
}

/**
 * Settings with values other than their defaults, by key: those of the server, and those of the database whose response
 * it is.
 */
export interface Settings {
  readonly server: ReadonlyMap<string, Setting>
  readonly database: ReadonlyMap<string, Setting>
}

const OF_NODE = /url|tcp|path|dir(?:ectory)?$|certificate|address|hostname|^setup\./i

/** Reads a response about the configuration. Errors: `ParseError`. */
export function readSettings(response: unknown): Settings {
  const server = new Map<string, Setting>()
  const database = new Map<string, Setting>()
  for (const each of new Fields(response).each('Settings')) {
    const about = each.in('Metadata')
    const isPath = about.textOrNull('Type') === 'Path'
    const isSecret = about.isTrue('IsSecured')
    const takeSet = (values: Fields | null, to: Map<string, Setting>): void => {
      for (const key of Object.keys(values?.all ?? {})) {
        const { HasValue: isSet, Value: value } = values?.in(key).all ?? {}
        if (isSet !== true) continue
        to.set(key, { value: isSecret ? REMOVED : shownValue(key, value), isOfNode: isPath || OF_NODE.test(key) })
      }
    }
    takeSet(each.inOrNull('ServerValues'), server)
    takeSet(each.inOrNull('DatabaseValues'), database)
  }
  return { server, database }
}

/** Reads the own settings of a database from its record; null is none. Errors: `ParseError`. */
export function readRecordSettings(record: unknown): { readonly key: string; readonly value: string }[] {
  const own = new Fields(record).inOrNull('Settings')
  return Object.entries(own?.all ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: shownValue(key, value) }],
  )
}

/** Text of a value, without what looks like a secret by its form or its key. */
function shownValue(key: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  const left = JSON.parse(jsonWithoutSecrets(JSON.stringify({ [key]: text }))) as Readonly<Record<string, string>>
  return left[key] ?? REMOVED
}
