import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from '../../../../base/json/json-bytes.ts'
import type { Rule } from '../../../../base/json/json-walk.ts'
import { keys } from '../../../../base/json/json-walk.ts'
import { ByteFrames } from './byte-frames.ts'
import type { StackDocument } from './document.ts'
import { DocumentBuilder } from './document.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { FrameTable } from '../frames.ts'
import type { RawFields } from '../live/thread-info.ts'
import { MACHINE_KEYS } from '../live/wire.ts'

export type TakeStacks = (document: StackDocument) => void

const QUOTE = 0x22
const BACKSLASH = 0x5c

const decoder = new TextDecoder()

/**
 * Reads stacks and lists of threads from bytes as they arrive; equal to `readStackDocuments` of the parsed text,
 * without creating that text. Hands on complete documents, also several in a row (frames of the live list).
 */
export function stackReader(
  frames: FrameTable,
  take: TakeStacks,
): { readonly rule: Rule; readonly salvage: () => void } {
  const reader = new Reader(frames, take)
  return { rule: reader.rule, salvage: () => reader.salvage() }
}

class Reader {
  readonly rule: Rule
  readonly #take: TakeStacks
  readonly #builder: DocumentBuilder
  readonly #frames: ByteFrames
  readonly #takeFrame: (frame: FrameId) => void
  #metadata: { at: unknown; nodeTag: unknown } = { at: null, nodeTag: null }
  /** Whether the current entry is a whole list of threads. */
  #isList = false
  #handed = 0

  constructor(frames: FrameTable, take: TakeStacks) {
    this.#take = take
    const builder = (this.#builder = new DocumentBuilder(frames))
    this.#frames = new ByteFrames(frames)
    this.#takeFrame = (frame) => builder.frame(frame)
    const value = (set: (value: unknown) => void): Rule => ({ kind: 'value', take: set })
    const threads = (begun?: () => void): Rule => ({
      kind: 'records',
      any: true,
      read: (json, index) => {
        if (index === 0) begun?.()
        this.#readThread(json)
      },
    })
    /** Rules for a list, whose figures may be before or after it. */
    const list = (begun?: () => void): Record<string, Rule> => ({
      Date: value((at) => builder.at(at, true)),
      ...Object.fromEntries(MACHINE_KEYS.map((key) => [key, value((number) => builder.machine(key, number))])),
      List: threads(begun),
    })
    const entry: Rule = {
      kind: 'object',
      begin: () => {
        this.#isList = false
        builder.beginEntry()
      },
      end: () => {
        if (this.#isList) this.#hand()
        else builder.endEntry()
      },
      keys: keys({
        ThreadIds: { kind: 'records', any: true, read: (json) => builder.threadId(scalarOf(json)) },
        OSThreadId: value((id) => builder.threadId(id)),
        ...Object.fromEntries(
          (['IsNative', 'NativeThreads', 'ManagedThreadId', 'ThreadType'] as const).map((key) => [
            key,
            value((reported) => builder.entryField(key, reported)),
          ]),
        ),
        StackTrace: { kind: 'records', any: true, read: (json) => this.#readFrames(json) },
        StackObjects: { kind: 'records', any: true, read: (json) => builder.object(parsedOf(json)) },
        ...list(() => (this.#isList = true)),
      }),
    }
    this.rule = {
      kind: 'object',
      begin: () => {
        this.#metadata = { at: null, nodeTag: null }
        this.#handed = 0
      },
      end: () => {
        if (!builder.isEmpty || this.#handed === 0) this.#hand()
      },
      keys: keys({
        '@metadata': {
          kind: 'object',
          keys: keys({
            DateTime: value((at) => {
              this.#metadata.at = at
              builder.at(at, false)
            }),
            NodeTag: value((tag) => {
              this.#metadata.nodeTag = tag
              builder.nodeTag(tag)
            }),
          }),
        },
        Results: { kind: 'list', item: entry },
        Threads: threads(),
        'Runaway Threads': { kind: 'object', keys: keys(list()) },
        ...list(),
      }),
    }
  }

  salvage(): void {
    if (this.#builder.isEmpty) return
    this.#builder.problem('The document ends in the middle.')
    this.#hand()
  }

  #hand(): void {
    this.#take(this.#builder.finish())
    this.#handed++
    this.#builder.at(this.#metadata.at, false)
    this.#builder.nodeTag(this.#metadata.nodeTag)
  }

  /** Reads a frame, and the following ones as long as they are known. Returns their number. */
  #readFrames(json: JsonBytes): number {
    if (json.atText) {
      this.#builder.frame(this.#frames.read(json))
      return 1 + this.#frames.readOn(json, this.#takeFrame)
    }
    json.skipSmall()
    this.#builder.problem('A frame is no text.')
    return 1
  }

  /** A thread is far smaller than a page of memory: it is cut out and parsed as a whole. */
  #readThread(json: JsonBytes): void {
    const isObject = json.peek() === OPEN_OBJECT
    const thread = parsedOf(json)
    if (isObject) this.#builder.thread(thread as RawFields)
    else this.#builder.problem('A thread of the list is no object.')
  }
}

/** The next small value, as JSON.parse returns it. */
function parsedOf(json: JsonBytes): unknown {
  json.peek()
  const start = json.pos
  const end = endOfObject(json)
  if (end === -1) json.skipSmall()
  else json.pos = end
  const text = decoder.decode(json.bytes.subarray(start, json.pos))
  try {
    return JSON.parse(text)
  } catch {
    json.pos = start
    return json.fail('a value')
  }
}

/**
 * Position after the object that begins here, found by its brackets alone, without checking its content. −1: not an
 * object, or truncated.
 */
function endOfObject({ bytes, pos, end }: JsonBytes): number {
  if (bytes[pos] !== OPEN_OBJECT) return -1
  let depth = 0
  for (let at = pos; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      for (at++; at < end && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
    } else if (byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_OBJECT && --depth === 0) return at + 1
  }
  return -1
}

/** A text, number, boolean or null; null for a list or an object. */
function scalarOf(json: JsonBytes): unknown {
  if (json.atText) return json.text()
  const first = json.peek()
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY && first !== CLOSE_ARRAY) return json.word()
  json.skipSmall()
  return null
}
