import type { ErrorInfo } from '../client/state.ts'

/** Document in view: an opened file (by the id of its `FileState`), or an entry of the package that it is. */
export interface RawRef {
  readonly file: number
  /** Path of the entry; null: the file itself. */
  readonly entry: string | null
}

/** How far a document is known. All offsets are bytes of the document as it is unpacked. */
export interface RawStatus {
  /** Size of the document; null: it is packed, and has not been unpacked to its end. */
  readonly totalBytes: number | null
  readonly readBytes: number
  /** Rows of text found so far. */
  readonly rows: number
  readonly isWhole: boolean
  readonly isStopped: boolean
  /** Why the rest cannot be read; null: nothing is wrong with it. */
  readonly error: ErrorInfo | null
  /** The values that the document consists of: one, or one for each line of newline-delimited JSON. */
  readonly roots: number
  /** Where it stops being JSON, with what was expected and found; null: it is JSON as far as it was read. */
  readonly notJson: { readonly at: number; readonly message: string } | null
}

/** A row of the text view: up to a newline, or to `ROW_BYTES` where none comes before. */
export interface RawRow {
  readonly at: number
  /** Plain and found text in turns, the first plain (maybe empty); the newline is left out. */
  readonly parts: readonly string[]
  /** Continues in the next row: it was cut for its length and not at a newline. */
  readonly isCut: boolean
}

export type RawKind = 'object' | 'list' | 'text' | 'number' | 'word' | 'unreadable'

/** A child of an object or a list, or one of several documents. */
export interface RawChild {
  readonly index: number
  /** Null in a list. */
  readonly key: string | null
  /** Where its value begins: what names the node. */
  readonly at: number
  /** Behind its value; null: not known yet, or never (cut off). */
  readonly end: number | null
  readonly kind: RawKind
  /** The beginning of the value as it is written, white space folded. */
  readonly preview: string
  readonly isCut: boolean
  /** Children of an object or list, as far as known. */
  readonly count: number | null
}

export interface RawChildren {
  readonly children: readonly RawChild[]
  /** Children found so far; all of them when `isWhole`. */
  readonly count: number
  readonly isWhole: boolean
}

/** Step down: the child `index` of the object or list at `parent`. */
export interface RawStep {
  readonly parent: number
  readonly child: RawChild
}

export interface RawSearchStatus {
  readonly count: number
  readonly readBytes: number
  readonly isWhole: boolean
}

export interface RawHit {
  /** From 0. */
  readonly number: number
  readonly at: number
  readonly end: number
  /** Row of the text view that it begins in. */
  readonly row: number
}

/** Bytes of a value that are handed out at once: what a page can show, and a clipboard take. */
export const MAX_VALUE_BYTES = 4 << 20

/** The node that represents the whole document. */
export const RAW_ROOT = -1

/** Queries of the raw viewer; each also names its document. */
export interface RawRequests {
  'raw.status': { readonly params: RawRef; readonly response: RawStatus }
  /** `find`: the text whose hits are marked in `parts`, empty for none. */
  'raw.rows': {
    readonly params: RawRef & { readonly first: number; readonly count: number; readonly find: string }
    readonly response: readonly RawRow[]
  }
  'raw.rowOf': { readonly params: RawRef & { readonly at: number }; readonly response: number }
  'raw.children': {
    readonly params: RawRef & { readonly at: number; readonly first: number; readonly count: number }
    readonly response: RawChildren
  }
  /** The steps from the root to the node in which the byte `at` lies. */
  'raw.path': { readonly params: RawRef & { readonly at: number }; readonly response: readonly RawStep[] }
  /** A value as it is written, and its text when it is one; cut at `maxBytes`. */
  'raw.value': {
    readonly params: RawRef & { readonly at: number; readonly maxBytes: number }
    readonly response: { readonly written: string; readonly text: string | null; readonly isCut: boolean }
  }
  /** Begins to look for `find` where that is not what is looked for already. */
  'raw.search': { readonly params: RawRef & { readonly find: string }; readonly response: RawSearchStatus }
  /** The hit by number, or (`from`) the first at or behind a byte; null: there is none (yet). */
  'raw.hit': {
    readonly params: RawRef & { readonly find: string; readonly number: number | null; readonly from: number }
    readonly response: RawHit | null
  }
  /** The view was closed: reading and searching end, and what was held is released. */
  'raw.leave': { readonly params: RawRef; readonly response: null }
  'raw.endSearch': { readonly params: RawRef; readonly response: null }
  /** Ends reading and searching; what was read stays. */
  'raw.stop': { readonly params: RawRef; readonly response: null }
}
