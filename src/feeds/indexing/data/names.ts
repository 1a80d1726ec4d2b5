import { BytePattern } from '../../../base/json/byte-pattern.ts'
import type { JsonBytes } from '../../../base/json/json-bytes.ts'
import { boundedName } from '../../../base/text/bounded-text.ts'
import { type BatchScratch } from './batches/batch.ts'
import { FURTHER_OPERATIONS } from '../contract/limits.ts'
import type { OperationFamily, OperationName } from '../contract/operations.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Maximum number of different names, more than any server has (one for each field of each index). All further names
 * share one entry.
 */
const MOST_NAMES = 1 << 16
/**
 * Maximum number of paths, so that a document with made-up paths cannot fill the memory. Beyond it, an operation counts
 * as a further operation of its parent.
 */
const MOST_PATHS = 1 << 17
/** Maximum depth of operations that are kept; servers nest them four to six levels deep. */
const MOST_DEPTH = 32
/** Maximum depth to which operations are read. Deeper ones are skipped as a whole. */
export const MOST_NESTED = MOST_DEPTH + 2

/** Families by the beginning or the whole of a name; the first match applies. Rules as data. */
const FAMILIES: readonly (readonly [RegExp, OperationFamily])[] = [
  [/^Indexing$/, 'indexing'],
  [/^Wait\//, 'wait'],
  [/^Collection_/, 'collection'],
  [/^Field_/, 'field'],
  [/^(?:Documents|TimeSeries|Counters|Tombstones?)?Cleanup$/, 'cleanup'],
  [/^References$/, 'references'],
  [/^Map$/, 'map'],
  [/^(?:Reduce|Tree|NestedValues|Aggregation\/.+)$/, 'reduce'],
  [/^(?:Linq|LoadDocument|LoadCompareExchangeValue|LoadAttachments?|Jint|Javascript|JavaScript)$/, 'linq'],
  [/^(?:Storage\/(?:Commit)|(?:Corax|Lucene)\/Commit)$/, 'commit'],
  [/^Storage\/(?:DocumentRead|Read)$/, 'read'],
  [
    /^(?:Storage\/.+|GetMapEntries(?:Tree)?|CreateBlittableJson|StoredValues|TextualValues|IntegerValues|FloatingValues|SpatialValues|VectorValues)$/,
    'store',
  ],
  [/^Lucene\//, 'lucene'],
  [/^(?:Corax\/.+|Bloom)$/, 'corax'],
]

export const familyOf = (name: string): OperationFamily => FAMILIES.find(([rule]) => rule.test(name))?.[1] ?? 'unknown'

interface KnownBytes {
  /** The name as bytes, including its quotes. */
  readonly pattern: BytePattern
  readonly id: number
  readonly next: KnownBytes | null
}

/**
 * Assigns ids to the names of operations and to their paths. Ids are never reused, so they are valid for the lifetime
 * of the store.
 */
export class OperationNames {
  readonly #names: string[] = []
  readonly #families: OperationFamily[] = []
  readonly #ids = new Map<string, number>()
  readonly #bytes = new Map<number, KnownBytes>()
  readonly #children: (Map<number, number> | undefined)[] = []
  readonly #roots = new Map<number, number>()
  /** Columns by path: name, parent (−1: none) and depth (0: root). */
  readonly pathName: number[] = []
  readonly pathParent: number[] = []
  readonly pathDepth: number[] = []

  get length(): number {
    return this.#names.length
  }

  intern(name: string): number {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    if (this.#names.length >= MOST_NAMES - 2 && name !== OVERFLOW && name !== FURTHER_OPERATIONS)
      return this.intern(OVERFLOW)
    const id = this.#names.length
    this.#names.push(boundedName(name))
    this.#families.push(familyOf(name))
    this.#ids.set(name, id)
    return id
  }

  /**
   * Reads the next value as a name; known names are recognised by their bytes. −1: it is not a text; the value is read
   * anyway.
   */
  read(json: JsonBytes): number {
    if (json.peek() !== QUOTE) {
      json.skipSmall()
      return -1
    }
    const { bytes, end } = json
    const start = json.pos + 1
    let hash = 0
    let pos = start
    for (; pos < end; pos++) {
      const byte = bytes[pos] as number
      if (byte === QUOTE || byte === BACKSLASH) break
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    if (pos < end && bytes[pos] === QUOTE)
      for (let known = this.#bytes.get(hash) ?? null; known !== null; known = known.next)
        if (known.pattern.length === pos + 2 - start && known.pattern.standsAt(json.view, json.pos)) {
          json.pos = pos + 1
          return known.id
        }
    const name = json.text()
    const id = this.intern(name)
    if (pos < end && bytes[pos] === QUOTE && pos >= start + 2 && this.#bytes.size < MOST_NAMES) {
      const pattern = new BytePattern(bytes.subarray(start - 1, pos + 1))
      this.#bytes.set(hash, { pattern, id, next: this.#bytes.get(hash) ?? null })
    }
    return id
  }

  name(id: number): string {
    return this.#names[id] ?? ''
  }

  family(id: number): OperationFamily {
    return this.#families[id] ?? 'unknown'
  }

  /**
   * Id of the path of `name` below `parent` (−1: a root). If there are too many paths, the path of the further
   * operations below `parent`. −1: too deep.
   */
  path(parent: number, name: number): number {
    let children = parent === -1 ? this.#roots : this.#children[parent]
    const known = children?.get(name)
    if (known !== undefined) return known
    const depth = parent === -1 ? 0 : (this.pathDepth[parent] as number) + 1
    if (depth >= MOST_DEPTH) return -1
    if (this.pathName.length >= MOST_PATHS) {
      const further = this.intern(FURTHER_OPERATIONS)
      if (name !== further) return this.path(parent, further)
    }
    if (children === undefined) this.#children[parent] = children = new Map()
    const id = this.pathName.length
    this.pathName.push(name)
    this.pathParent.push(parent)
    this.pathDepth.push(depth)
    children.set(name, id)
    return id
  }

  /** Names from below the root, as in `Map › Collection_Orders › Linq`; for a root, its own name. */
  pathText(path: number): string {
    const parts: string[] = []
    for (let at = path; at !== -1 && (this.pathDepth[at] as number) > 0; at = this.pathParent[at] as number)
      parts.unshift(this.name(this.pathName[at] as number))
    return parts.length === 0 ? this.name(this.pathName[path] as number) : parts.join(' › ')
  }

  all(): OperationName[] {
    return this.#names.map((name, nameId) => ({ nameId, name, family: this.family(nameId) }))
  }

  get byteLength(): number {
    return this.#names.length * 96 + this.pathName.length * 64
  }
}

const OVERFLOW = '(further names)'

const TRAINING = 'Corax/DictionaryTraining'

/** Whether the batch only trained the dictionary of its index. */
export function isTraining({ paths, nodes }: BatchScratch, names: OperationNames): boolean {
  let isTrained = false
  for (let node = 0; node < nodes; node++) {
    const path = paths[node] as number
    if (names.pathDepth[path] !== 1) continue
    if (names.name(names.pathName[path] as number) !== TRAINING) return false
    isTrained = true
  }
  return isTrained
}

/** Number of collections of which the batch mapped documents. */
export function collectionsMapped({ paths, nodes }: BatchScratch, names: OperationNames): number {
  let count = 0
  for (let node = 0; node < nodes; node++) {
    const path = paths[node] as number
    const above = names.pathParent[path] as number
    const isCollection = names.family(names.pathName[path] as number) === 'collection'
    if (isCollection && above !== -1 && names.family(names.pathName[above] as number) === 'map') count++
  }
  return count
}
