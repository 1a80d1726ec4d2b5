/** Decoded pair `key=value` of a link. Keys may repeat; their order is kept. */
export type UrlPair = readonly [key: string, value: string]

/** Parts of a link: its panel, and its pairs without `v`. */
export interface UrlLink {
  readonly panel: string
  readonly pairs: readonly UrlPair[]
}

/** Converts a link to the next version. `isDated`: it names its version; a hand-written one has today's defaults. */
export type UrlUpgrader = (link: UrlLink, isDated: boolean) => UrlLink

/** Version that `url.ts` reads and writes. */
export const CURRENT_VERSION = 2

/**
 * Version 2 gave the page of a database (`databases.open`, now the database in scope) and the cluster (a view of the
 * server) panels of their own. Activity opens on what is running; in version 1 it opened on what was done from this
 * browser.
 */
function toVersion2({ panel, pairs }: UrlLink, isDated: boolean): UrlLink {
  const opened = pairs.findLast(([key]) => key === 'databases.open')?.[1] ?? ''
  const isCluster = (pair: UrlPair): boolean => pair[0] === 'server.view' && pair[1] === 'cluster'
  const rest = pairs.filter((pair) => pair[0] !== 'databases.open' && !isCluster(pair))
  if (panel === 'server' && pairs.some(isCluster)) return { panel: 'cluster', pairs: rest }
  if (panel === 'activity' && isDated && !pairs.some(([key]) => key === 'activity.view'))
    return { panel, pairs: [...rest, ['activity.view', 'done']] }
  return panel === 'databases' && opened !== ''
    ? { panel: 'database', pairs: [...rest, ['db', opened]] }
    : { panel, pairs: rest }
}

/**
 * Conversions by the version they start from. A link lives longer than the code that made it: when the meaning of a key
 * changes, raise `CURRENT_VERSION` and add a step here. A step changes only keys of its version.
 */
export const UPGRADERS: ReadonlyMap<number, UrlUpgrader> = new Map([[1, toVersion2]])

/**
 * Converts a link to `current`. A link without `v` is hand-written, with keys of any version, and takes every step. A
 * later version, or one without a conversion, is read as it is, with a note.
 */
export function upgrade(
  link: UrlLink,
  upgraders: ReadonlyMap<number, UrlUpgrader>,
  notes: string[],
  current = CURRENT_VERSION,
): UrlLink {
  const dated = link.pairs.find(([key]) => key === 'v')?.[1]
  const written = dated ?? '1'
  let upgraded: UrlLink = { panel: link.panel, pairs: link.pairs.filter(([key]) => key !== 'v') }
  const version = /^\d{1,6}$/.test(written) ? Number(written) : Number.NaN
  if (Number.isNaN(version)) {
    notes.push(`“${written}” is not a version of a link.`)
    return upgraded
  }
  if (version > current) notes.push('This link was made by a newer Rookery; what could be read of it is shown.')
  for (let step = version; step < current; step++) {
    const up = upgraders.get(step)
    if (up === undefined) {
      notes.push(`This link is of version ${written}, which cannot be read fully.`)
      return upgraded
    }
    upgraded = up(upgraded, dated !== undefined)
  }
  return upgraded
}
