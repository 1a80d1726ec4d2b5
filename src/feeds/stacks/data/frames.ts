import { categoryOf, CPU_TIME, isPseudo, NATIVE_FRAMES, shortNames, splitFrame } from './frame-text.ts'
import type { FrameCategory, FrameName } from '../contract/frames.ts'
import type { FrameId } from '../contract/ids.ts'

/** Maximum length of a frame's text, UTF-16 units; a longer one is cut and ends with `…`. */
export const MAX_FRAME_UNITS = 4096
/**
 * Maximum number of distinct frames, and of UTF-16 units in all their texts: far more than real programs have, as a
 * limit for hostile ones.
 */
export const MAX_FRAMES = 500_000
const MAX_TEXT_UNITS = 64 << 20

/** Replaces frames beyond `MAX_FRAMES`. */
const UNKEPT = '[Frame not kept]'

interface Frame {
  readonly name: FrameName
  /** Key of the rules: `JournalWriter.Write`. */
  readonly key: string
  readonly typeKey: string
}

export const NATIVE: FrameId = 0
export const CPU: FrameId = 1
export const FOLDED: FrameId = 2
const UNKEPT_ID: FrameId = 3

/** Distinct frames. Ids are dense, from 0. */
export class FrameTable {
  readonly #ids = new Map<string, FrameId>()
  readonly #texts: string[] = []
  readonly #frames: (Frame | undefined)[] = []
  #units = 0

  constructor() {
    for (const text of [NATIVE_FRAMES, CPU_TIME, '…', UNKEPT]) this.intern(text)
  }

  get length(): number {
    return this.#texts.length
  }

  /** Id of a frame's text; creates one if it was never seen. */
  intern(text: string): FrameId {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    if (text.length > MAX_FRAME_UNITS) return this.intern(`${text.slice(0, MAX_FRAME_UNITS - 1)}…`)
    if (this.#texts.length >= MAX_FRAMES || this.#units + text.length > MAX_TEXT_UNITS) return UNKEPT_ID
    const id = this.#texts.length
    this.#ids.set(text, id)
    this.#texts.push(text)
    this.#units += text.length
    return id
  }

  /** Finds a frame by its text; undefined: never seen. */
  find(text: string): FrameId | undefined {
    return this.#ids.get(text)
  }

  text(id: FrameId): string {
    return this.#texts[id] ?? ''
  }

  /** Parsed at first use. */
  frame(id: FrameId): Frame {
    return (this.#frames[id] ??= describe(id, this.text(id)))
  }

  name(id: FrameId): FrameName {
    return this.frame(id).name
  }

  category(id: FrameId): FrameCategory {
    return this.frame(id).name.category
  }

  /** Approximate: texts, their map, and parsed frames. */
  get byteLength(): number {
    return this.#units * 3 + this.#texts.length * 160
  }
}

function describe(id: FrameId, full: string): Frame {
  if (isPseudo(full) || full.startsWith('[') || id === FOLDED)
    return { name: { id, short: full, full, module: '', category: 'pseudo' }, key: full, typeKey: '' }
  const parts = splitFrame(full)
  const { type, method, mark } = shortNames(parts)
  const key = type === '' ? method : `${type}.${method}`
  const text = method === '?' && parts.module !== '' ? `${parts.module} (no name)` : key
  const short = mark === '' ? text : `${text} ${mark}`
  return { name: { id, short, full, module: parts.module, category: categoryOf(parts) }, key, typeKey: type }
}
