/** Longest folder name that is not cut (RavenDB `IndexDefinitionBaseServerSide.GetIndexNameSafeForFileSystem`). */
const CUT_AT = 64

/** What no file name may hold: on Linux `/` and NUL, on Windows these and more. The server writes `_` for each. */
// eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
const FORBIDDEN = [/[/\0]/g, /[/\0<>|:*?"\\\u0001-\u001f]/g]

/** Names that the server may have given the folder of this index, without the hash that a cut name ends with. */
function folderNames(indexName: string): string[] {
  return FORBIDDEN.map((forbidden) => indexName.replaceAll(forbidden, '_'))
}

/**
 * The real name of the index that lives in `folder` (last part of an environment's path), from the names that the
 * database has; null when none fits or more than one does: `a/b` and `a_b` exclude each other, but cut names may not.
 */
export function realIndexName(folder: string, indexNames: readonly string[]): string | null {
  const wanted = folder.toLowerCase()
  const fitting = indexNames.filter((name) =>
    folderNames(name.toLowerCase()).some(
      (safe) => safe === wanted || (safe.length >= CUT_AT && wanted.startsWith(`${safe.slice(0, CUT_AT)}.`)),
    ),
  )
  return fitting.length === 1 ? (fitting[0] as string) : null
}

/** Last part of a path of either kind of separator. */
export const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path

/** Answer of `indexes?namesOnly=true`: `{Results: [name, …]}`. Anything else names nothing. */
export function readIndexNames(answer: unknown): string[] {
  const list = typeof answer === 'object' && answer !== null && 'Results' in answer ? answer.Results : null
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}
