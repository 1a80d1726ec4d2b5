/** One `key=value` of a link, decoded. Keys may repeat, order is kept. */
export type UrlPair = readonly [key: string, value: string]

/** Pairs of one version → pairs of the next. */
export type UrlUpgrader = (pairs: readonly UrlPair[]) => readonly UrlPair[]

/** The version that `url.ts` writes and reads. */
export const CURRENT_VERSION = 1

/**
 * From the version that is the key to the one after it. A link lives longer than the code that made it: when the meaning of
 * a key changes, raise `CURRENT_VERSION` and add the step here. Version 1 is the first, so there is none yet.
 */
export const UPGRADERS: ReadonlyMap<number, UrlUpgrader> = new Map()

/**
 * Walks the pairs of a link up to `current`. No `v`: written by hand, read as current. A version from the future, or one
 * without a way up, is read as it is, with a note.
 */
export function upgrade(
  pairs: readonly UrlPair[],
  upgraders: ReadonlyMap<number, UrlUpgrader>,
  notes: string[],
  current = CURRENT_VERSION,
): readonly UrlPair[] {
  const written = pairs.find(([key]) => key === 'v')?.[1]
  const rest = pairs.filter(([key]) => key !== 'v')
  if (written === undefined) return rest
  const version = /^\d{1,6}$/.test(written) ? Number(written) : Number.NaN
  if (Number.isNaN(version)) {
    notes.push(`“${written}” is not a version of a link.`)
    return rest
  }
  if (version > current) notes.push('This link was made by a newer Rookery; what could be read of it is shown.')
  let upgraded: readonly UrlPair[] = rest
  for (let step = version; step < current; step++) {
    const up = upgraders.get(step)
    if (up === undefined) {
      notes.push(`This link is of version ${written}, which cannot be read fully.`)
      return upgraded
    }
    upgraded = up(upgraded)
  }
  return upgraded
}
