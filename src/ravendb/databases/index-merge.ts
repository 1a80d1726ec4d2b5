import { asArray, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'

/** Indexes that one index could replace. */
export interface IndexMerge {
  readonly indexes: readonly string[]
  /** Collection of the indexes; null: not reported. */
  readonly collection: string | null
  /** Definition of the replacement: maps and reduce as written, and the whole as indented JSON. */
  readonly maps: readonly string[]
  readonly reduce: string | null
  readonly json: string
}

/** Merges and deletions that the server suggests but does not make. */
export interface IndexMerges {
  readonly merges: readonly IndexMerge[]
  /** Indexes whose work another one covers. */
  readonly covered: readonly { readonly index: string; readonly by: string }[]
  /** Indexes that cannot be merged, with the reasons in the server's words. */
  readonly unmergeable: readonly { readonly index: string; readonly reason: string }[]
}

const MOST_LISTED = 500

/** Reads `indexes/suggest-index-merge`. Errors: `ParseError`. */
export function readIndexMerges(response: unknown): IndexMerges {
  const body = asObject(response, '$')
  const merges: IndexMerge[] = []
  const covered: { index: string; by: string }[] = []
  for (const [i, item] of listOf(body, 'Suggestions', '$').slice(0, MOST_LISTED).entries()) {
    const path = `$.Suggestions[${i}]`
    const suggestion = asObject(item, path)
    const merged = orNull(asObject, suggestion['MergedIndex'], `${path}.MergedIndex`)
    if (merged === null) {
      const by = orNull(asString, suggestion['SurpassingIndex'], `${path}.SurpassingIndex`)
      if (by !== null)
        for (const index of textsOf(suggestion, 'CanDelete', path)) if (index !== by) covered.push({ index, by })
      continue
    }
    merges.push({
      indexes: textsOf(suggestion, 'CanMerge', path),
      collection: orNull(asString, suggestion['Collection'], `${path}.Collection`),
      maps: textsOf(merged, 'Maps', `${path}.MergedIndex`),
      reduce: orNull(asString, merged['Reduce'], `${path}.MergedIndex.Reduce`),
      json: JSON.stringify(merged, null, 2),
    })
  }
  const reasons = Object.entries(orNull(asObject, body['Unmergables'], '$.Unmergables') ?? {})
  const failures = listOf(body, 'Errors', '$').map((item, i): [string, unknown] => {
    const failure = asObject(item, `$.Errors[${i}]`)
    return [asString(failure['IndexName'], `$.Errors[${i}].IndexName`), failure['Message']]
  })
  const unmergeable = [...reasons, ...failures].slice(0, MOST_LISTED).map(([index, reason]) => ({
    index,
    reason: orNull(asString, reason, `$.Unmergables.${index}`) ?? 'The server reports no reason.',
  }))
  return { merges, covered, unmergeable }
}

const listOf = (of: JsonObject, field: string, path: string): readonly unknown[] =>
  orNull(asArray, of[field], `${path}.${field}`) ?? []

const textsOf = (of: JsonObject, field: string, path: string): string[] =>
  listOf(of, field, path).map((item, i) => asString(item, `${path}.${field}[${i}]`))
