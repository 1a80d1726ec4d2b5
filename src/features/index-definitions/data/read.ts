import { asArray, asObject, asString, orNull } from '../../../base/json/check.ts'
import { itemsOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import type { DefinitionText, PastDefinition, SavedDefinition } from '../contract.ts'
import { definitionText } from '../definition-text.ts'

/** Prefix of the name of an index that is built to replace another one. */
const REPLACEMENT_OF = 'ReplacementOf/'

/**
 * Reads a definition and that of its replacement; null: there is no index with that name. The replacement is read first:
 * if it is gone, the definition read after it is the new one. Read the other way round, or at once, a swap in between
 * would leave the previous definition without a replacement, which nothing reads again.
 */
export async function readDefinition(
  governor: Governor,
  database: string,
  name: string,
  signal: AbortSignal,
): Promise<SavedDefinition | null> {
  const replacement = await readJson(governor, database, REPLACEMENT_OF + name, signal)
  const json = await readJson(governor, database, name, signal)
  if (json === null) return null
  // Staleness is optional: the definition is also shown without it.
  const staleness = asObject(
    await governor.json('indexStaleness', { database, name }, { signal, isFresh: true }).catch(() => ({})),
    '$',
  )
  const { IsStale: isStale, StalenessReasons: reasons } = staleness
  return {
    ...definitionText(json),
    json,
    isStale: typeof isStale === 'boolean' ? isStale : null,
    reasons: (orNull(asArray, reasons, '$.StalenessReasons') ?? []).map((reason) => asString(reason, '$')),
    replacement: replacement === null ? null : definitionText(replacement),
  }
}

async function readJson(
  governor: Governor,
  database: string,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  const bytes = await governor
    .bytes('indexDefinition', { database, name }, { signal, isFresh: true })
    .catch((error: unknown) => {
      if (error instanceof RavenError && error.status === 404 && error.kind !== 'database-missing') return null
      throw error
    })
  if (bytes === null) return null
  const [json] = itemsOf(memberOf(new TextDecoder().decode(bytes), 'Results') ?? '[]')
  return json ?? null
}

/** Reads `indexes/history`, newest first. Errors: `RavenError`, `ExactError`. */
export async function readHistory(
  governor: Governor,
  database: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly PastDefinition[]> {
  const bytes = await governor.bytes('indexHistory', { database, name }, { signal, isFresh: true })
  const entries = itemsOf(memberOf(new TextDecoder().decode(bytes), 'History') ?? '[]')
  const past = entries.flatMap((entry): PastDefinition[] => {
    const json = memberOf(entry, 'Definition')
    if (json === null || json === 'null') return []
    const [at, node] = ['CreatedAt', 'Source'].map((key) => memberOf(entry, key) ?? 'null')
    return [{ at: textOf(at), node: textOf(node), definition: definitionText(json) }]
  })
  return past.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

const textOf = (json = 'null'): string => (json === 'null' ? '' : plainText(json))

/** Reads `indexes/auto/convert`. Errors: `RavenError`, `ExactError`. */
export async function convert(
  governor: Governor,
  database: string,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly definition: DefinitionText }> {
  const bytes = await governor.bytes('indexConvert', { database, name }, { signal, isFresh: true })
  const text = new TextDecoder().decode(bytes)
  const [json] = itemsOf(memberOf(text, 'Indexes') ?? '[]')
  if (json === undefined) throw new RavenError({ kind: 'unexpected', endpoint: 'indexes/auto/convert' })
  const named = membersOf(json).findLast(({ key }) => key === 'Name')?.value
  return { name: textOf(named), definition: definitionText(json) }
}
