/** Longest folder name that is not cut (RavenDB `IndexDefinitionBaseServerSide.GetIndexNameSafeForFileSystem`). */
const CUT_AT = 64

// eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
const WINDOWS_FORBIDS = /[/\0<>|:*?"\\\u0001-\u001f]/g

/**
 * The folder that the server gives the index, below `Indexes/` and with `/` between parts. It writes `_` for what a file
 * name may not hold: on Linux `/` and NUL, on Windows more. Then it takes `\` for a separator of folders: on Linux the
 * storage of `Auto/back\slash/ByName` lies in `Auto_back/slash_ByName` (seen on 5.4, 6.2 and 7.1).
 */
const folderOf = (indexName: string, isWindows: boolean): string =>
  isWindows ? indexName.replaceAll(WINDOWS_FORBIDS, '_') : indexName.replaceAll(/[/\0]/g, '_').replaceAll('\\', '/')

/** Parts of a path below each folder called `Indexes`, longest first; names of databases and indexes may hold it. */
function belowIndexes(path: string): readonly string[] {
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  return parts.flatMap((part, at) =>
    part.toLowerCase() === 'indexes' && at + 1 < parts.length ? [parts.slice(at + 1).join('/')] : [],
  )
}

/** The folder of an index, for where its name is not known. */
export const indexFolder = (path: string): string => belowIndexes(path).at(-1) ?? lastPart(path)

/**
 * The real name of the index whose environment has that path, from the names that the database has; null when none fits
 * or more than one does: `a/b` and `a_b` exclude each other, but cut names may not.
 */
export function realIndexName(path: string, indexNames: readonly string[]): string | null {
  // A path that the server reports on Linux never holds a backslash: it took them for separators.
  const isWindows = path.includes('\\')
  const below = belowIndexes(path)
  // By its configuration an index may lie anywhere: then only its own folder is known.
  for (const place of below.length === 0 ? [lastPart(path)] : below) {
    const wanted = place.toLowerCase()
    const fitting = indexNames.filter((name) => {
      const folder = folderOf(name.toLowerCase(), isWindows)
      return folder === wanted || (folder.length >= CUT_AT && isCutOf(wanted, folder))
    })
    if (fitting.length > 0) return fitting.length === 1 ? (fitting[0] as string) : null
  }
  return null
}

/** A long name is cut, and a hash of the whole put behind. */
const isCutOf = (folder: string, whole: string): boolean => folder.startsWith(`${whole.slice(0, CUT_AT)}.`)

/** Last part of a path of either kind of separator. */
export const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path

/** Response of `indexes?namesOnly=true`: `{Results: [name, …]}`. Anything else names nothing. */
export function readIndexNames(response: unknown): string[] {
  const list = typeof response === 'object' && response !== null && 'Results' in response ? response.Results : null
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}
