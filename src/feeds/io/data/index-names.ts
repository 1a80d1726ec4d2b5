/**
 * Maximum length of a folder name before it is cut (RavenDB
 * `IndexDefinitionBaseServerSide.GetIndexNameSafeForFileSystem`).
 */
const CUT_AT = 64

// eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
const WINDOWS_FORBIDS = /[/\0<>|:*?"\\\u0001-\u001f]/g

/**
 * Folder that the server uses for an index, below `Indexes/` and with `/` between parts. It replaces characters that
 * file names must not contain by `_`: on Linux `/` and NUL, on Windows more. Then it treats `\` as a folder separator:
 * on Linux the storage of `Auto/back\slash/ByName` is in `Auto_back/slash_ByName` (seen on 5.4, 6.2 and 7.1).
 */
const folderOf = (indexName: string, isWindows: boolean): string =>
  isWindows ? indexName.replaceAll(WINDOWS_FORBIDS, '_') : indexName.replaceAll(/[/\0]/g, '_').replaceAll('\\', '/')

/**
 * Parts of a path below each folder called `Indexes`, longest first; names of databases and indexes may contain that
 * word.
 */
function belowIndexes(path: string): readonly string[] {
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  return parts.flatMap((part, at) =>
    part.toLowerCase() === 'indexes' && at + 1 < parts.length ? [parts.slice(at + 1).join('/')] : [],
  )
}

/** Folder of an index, used if its name is not known. */
export const indexFolder = (path: string): string => belowIndexes(path).at(-1) ?? lastPart(path)

/**
 * Real name of the index whose environment has that path, chosen from the index names of the database; null if none
 * matches or several do: the server does not allow both `a/b` and `a_b`, but cut names may collide.
 */
export function realIndexName(path: string, indexNames: readonly string[]): string | null {
  // Paths that a server on Linux reports never contain a backslash, because it treated them as separators.
  const isWindows = path.includes('\\')
  const below = belowIndexes(path)
  // An index may be configured to lie anywhere; then only its own folder is known.
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

/** Whether the folder belongs to a long name, which the server cuts and completes with a hash of the whole name. */
const isCutOf = (folder: string, whole: string): boolean => folder.startsWith(`${whole.slice(0, CUT_AT)}.`)

/** Last part of a path, with either kind of separator. */
export const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path

/** Reads the response of `indexes?namesOnly=true`: `{Results: [name, …]}`. Empty for any other response. */
export function readIndexNames(response: unknown): string[] {
  const list = typeof response === 'object' && response !== null && 'Results' in response ? response.Results : null
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}
