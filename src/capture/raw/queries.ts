import type { ErrorInfo } from '../client/state.ts'

/** Document in the viewer: an opened file (by the id of its `FileState`), or an entry of a package. */
export interface RawRef {
  readonly file: number
  /** Path of the entry; null: the file itself. */
  readonly entry: string | null
}

/** How much of a document is known. All offsets are bytes of the unpacked document. */
export interface RawStatus {
  /** Size of the document; null: it is compressed and not completely unpacked. */
  readonly totalBytes: number | null
  readonly readBytes: number
  /** Number of text rows found so far. */
  readonly rows: number
  readonly isWhole: boolean
  readonly isStopped: boolean
  /** Why the rest cannot be read; null: no error. */
  readonly error: ErrorInfo | null
  /** Number of values in the document: one, or one for each line of newline-delimited JSON. */
  readonly roots: number
  /** Position where it stops being JSON, with expectation and finding; null: JSON as far as it was read. */
  readonly notJson: { readonly at: number; readonly message: string } | null
}

/** A row of the text view: up to a newline, or `ROW_BYTES` if there is none before. */
export interface RawRow {
  readonly at: number
  /** Alternately plain and found text, beginning with plain (maybe empty), without the newline. */
  readonly parts: readonly string[]
  /** Whether it continues in the next row, because it was cut for its length. */
  readonly isCut: boolean
}

export type RawKind = 'object' | 'list' | 'text' | 'number' | 'word' | 'unreadable'

/** A child of an object or a list, or one of several documents. */
export interface RawChild {
  readonly index: number
  /** Key of a member of an object; null in a list. */
  readonly key: string | null
  /** Position of the value, which identifies the node. */
  readonly at: number
  /** Position after the value; null: not known yet, or cut off. */
  readonly end: number | null
  readonly kind: RawKind
  /** Beginning of the value as written, with white space folded. */
  readonly preview: string
  readonly isCut: boolean
  /** Number of children of an object or list found so far. */
  readonly count: number | null
}

export interface RawChildren {
  readonly children: readonly RawChild[]
  /** Number of children found so far; all of them if `isWhole`. */
  readonly count: number
  readonly isWhole: boolean
}

/** Step to the child `index` of the object or list at `parent`. */
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
  /** Number, from 0. */
  readonly number: number
  readonly at: number
  readonly end: number
  /** Row of the text view in which it begins. */
  readonly row: number
}

/** Maximum number of bytes of a value in a response: what a page can show and a clipboard can take. */
export const MAX_VALUE_BYTES = 4 << 20

/** Node of the whole document. */
export const RAW_ROOT = -1

/** Requests of the raw viewer, each with its document. */
export interface RawRequests {
  'raw.status': { readonly params: RawRef; readonly response: RawStatus }
  /** `find`: text whose hits are marked in `parts`; empty for none. */
  'raw.rows': {
    readonly params: RawRef & { readonly first: number; readonly count: number; readonly find: string }
    readonly response: readonly RawRow[]
  }
  'raw.rowOf': { readonly params: RawRef & { readonly at: number }; readonly response: number }
  'raw.children': {
    readonly params: RawRef & { readonly at: number; readonly first: number; readonly count: number }
    readonly response: RawChildren
  }
  /** Steps from the root to the node that contains the byte `at`. */
  'raw.path': { readonly params: RawRef & { readonly at: number }; readonly response: readonly RawStep[] }
  /** A value as written, and decoded if it is a text; cut at `maxBytes`. */
  'raw.value': {
    readonly params: RawRef & { readonly at: number; readonly maxBytes: number }
    readonly response: { readonly written: string; readonly text: string | null; readonly isCut: boolean }
  }
  /** Starts to search for `find`, unless that search is running. */
  'raw.search': { readonly params: RawRef & { readonly find: string }; readonly response: RawSearchStatus }
  /** A hit by its number, or (`from`) the first at or after a byte; null: none (yet). */
  'raw.hit': {
    readonly params: RawRef & { readonly find: string; readonly number: number | null; readonly from: number }
    readonly response: RawHit | null
  }
  /** The view was closed: stops reading and searching, and frees memory. */
  'raw.leave': { readonly params: RawRef; readonly response: null }
  'raw.endSearch': { readonly params: RawRef; readonly response: null }
  /** Stops reading and searching; keeps what was read. */
  'raw.stop': { readonly params: RawRef; readonly response: null }
}
