import { FOLDED_KIND } from '../../../../feeds/io/contract/limits.ts'
import { KNOWN_KINDS } from '../../../../feeds/io/contract/lanes.ts'

/** Cuts through the marks of a kind, which distinguish it if hue is not enough. */
export type KindPattern = 'solid' | 'one-cut' | 'two-cuts' | 'dotted-cut' | 'hatched'

export interface KindLook {
  /** Title such as `Journal write`; for an unknown kind the server's own name. */
  readonly title: string
  readonly one: string
  readonly many: string
  /** CSS custom property of the hue. */
  readonly token: string
  readonly pattern: KindPattern
  /** Explanation for the legend. */
  readonly meaning: string
  /** Name of the speed (bytes over duration), and what moves at it; null: it is not meaningful. */
  readonly speed: { readonly title: string; readonly of: string } | null
}

const LOOKS: Record<(typeof KNOWN_KINDS)[number] | 'JournalPreparation', KindLook> = {
  JournalWrite: {
    title: 'Journal write',
    one: 'journal write',
    many: 'journal writes',
    token: '--kind-journal-write',
    pattern: 'solid',
    meaning: 'a transaction is written to the journal; its commit waits for this; below 256 KiB its time is latency',
    speed: { title: 'Write speed', of: '' },
  },
  DataFlush: {
    title: 'Data flush',
    one: 'data flush',
    many: 'data flushes',
    token: '--kind-data-flush',
    pattern: 'one-cut',
    meaning: 'pages are copied from scratch into the data file in the page cache: its speed is that of memory',
    speed: { title: 'Copy speed', of: 'page cache' },
  },
  DataSync: {
    title: 'Data sync',
    one: 'data sync',
    many: 'data syncs',
    token: '--kind-data-sync',
    pattern: 'two-cuts',
    meaning: 'fsync of the data file; its size is what was flushed since the last sync, so it has no speed',
    speed: null,
  },
  Compression: {
    title: 'Compression',
    one: 'compression',
    many: 'compressions',
    token: '--kind-compression',
    pattern: 'dotted-cut',
    meaning: 'LZ4 of a large transaction before its journal write: its speed is that of the CPU',
    speed: { title: 'LZ4 speed', of: 'CPU' },
  },
  JournalPreparation: {
    title: 'Journal preparation',
    one: 'journal preparation',
    many: 'journal preparations',
    token: '--kind-journal-write',
    pattern: 'hatched',
    meaning: 'a recycled journal file is zeroed for its next use; no commit waits for this',
    speed: null,
  },
}

const isLooked = (kind: string): kind is keyof typeof LOOKS => Object.hasOwn(LOOKS, kind)

export const kindLook = (kind: string): KindLook =>
  isLooked(kind)
    ? LOOKS[kind]
    : {
        title: kind,
        one: kind,
        many: `${kind} events`,
        token: '--kind-unknown',
        pattern: 'hatched',
        meaning:
          kind === FOLDED_KIND ? 'kinds beyond those that are kept apart' : 'a kind that this studio does not know',
        speed: null,
      }

/** 0…3 for known kinds; 4: unknown. */
export function kindIndex(kind: string): number {
  const at = (KNOWN_KINDS as readonly string[]).indexOf(kind)
  return at < 0 ? KNOWN_KINDS.length : at
}

/** Orders known kinds in their fixed order, then unknown ones by name. */
export const compareKinds = (a: string, b: string): number => kindIndex(a) - kindIndex(b) || a.localeCompare(b)

/** Kinds to show: always the four known ones, and others if they have events. */
export function kindsOf(kinds: readonly { readonly kind: string }[]): string[] {
  const all = new Set<string>(KNOWN_KINDS)
  for (const { kind } of kinds) all.add(kind)
  return [...all].toSorted(compareKinds)
}
