import type { SourceId } from '../../../../capture/client/state.ts'
import type { IndexKey } from '../../contract/batches.ts'

/** Number of characters to which Linux truncates the name of an unmanaged thread. */
const CUT = 15

/** An index that a thread may belong to. */
export interface ThreadCandidate {
  readonly key: IndexKey
  readonly source: SourceId
  readonly database: string
  readonly name: string
}

export interface ThreadAllocation {
  readonly name: string
  /** Bytes that the thread allocated; null: the server does not know. */
  readonly bytes: number | null
}

export interface JoinedThreads {
  /** Bytes that the thread of each index holds; null: the server does not know. */
  readonly known: ReadonlyMap<IndexKey, number | null>
  /** Indexes for which only a thread name was found that several indexes may have. */
  readonly ambiguous: ReadonlySet<IndexKey>
}

/**
 * Names that a thread of this index may have: the managed name, as in `memory/stats`, and those of 5.4 to 7.1 in
 * `threads-info/watch`.
 */
const namesOf = ({ database, name }: ThreadCandidate): string[] => [
  `Indexing of ${name} of ${database}`,
  `Idx ${database} ${name}`,
]

const isOfAnIndex = (name: string): boolean => name.startsWith('Idx ') || name.startsWith('Indexing of ')

/**
 * Assigns each thread to the index that it is named after. A name that was truncated to 15 characters is assigned only
 * if exactly one index matches. All other threads of indexes are left out, never guessed.
 */
export function joinThreads(
  threads: readonly ThreadAllocation[],
  candidates: readonly ThreadCandidate[],
): JoinedThreads {
  const whole = new Map<string, ThreadCandidate[]>()
  const cut = new Map<string, ThreadCandidate[]>()
  const put = (map: Map<string, ThreadCandidate[]>, name: string, candidate: ThreadCandidate): void => {
    const list = map.get(name)
    if (list === undefined) map.set(name, [candidate])
    else if (!list.includes(candidate)) list.push(candidate)
  }
  for (const candidate of candidates)
    for (const name of namesOf(candidate)) {
      put(whole, name, candidate)
      put(cut, cutName(name), candidate)
    }
  const known = new Map<IndexKey, number | null>()
  const ambiguous = new Set<IndexKey>()
  for (const thread of threads) {
    const name = thread.name.trimEnd()
    if (!isOfAnIndex(name)) continue
    const fits = whole.get(name) ?? (new TextEncoder().encode(name).length === CUT ? cut.get(name) : undefined) ?? []
    const [only] = fits
    if (fits.length === 1 && only !== undefined) {
      const before = known.get(only.key)
      known.set(only.key, before === undefined || before === null ? thread.bytes : before + (thread.bytes ?? 0))
    } else for (const { key } of fits) ambiguous.add(key)
  }
  for (const key of known.keys()) ambiguous.delete(key)
  return { known, ambiguous }
}

function cutName(name: string): string {
  const bytes = new TextEncoder().encode(name)
  return bytes.length <= CUT ? name : new TextDecoder().decode(bytes.subarray(0, CUT)).trimEnd()
}
