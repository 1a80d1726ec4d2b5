import type { StackDocument } from '../reading/document.ts'
import { DocumentBuilder } from '../reading/document.ts'
import type { FrameTable } from '../frames.ts'
import type { RawFields } from './thread-info.ts'

/** The document has neither stacks nor threads. */
export class StackWireError extends Error {
  override readonly name = 'StackWireError'
}

/** Keys next to a list of threads. */
export const MACHINE_KEYS = [
  'CpuUsage',
  'ProcessCpuUsage',
  'ActiveCores',
  'ThreadsCount',
  'DedicatedThreadsCount',
] as const

/**
 * Reads one response that is already parsed from JSON, of any of these, and any mixture:
 *
 *     {Results: [{ThreadIds, NativeThreads?, StackTrace}], Threads?}         merged (7.1, exports of the Studio)
 *     {Results: [{OSThreadId, ManagedThreadId, IsNative, ThreadType, StackTrace, StackObjects?}], Threads?}
 *     {Date, CpuUsage, ProcessCpuUsage, ActiveCores, …, List}                a frame of /threads-info/watch
 *     {"Runaway Threads": {Date, …, List}}                                   /admin/debug/threads/runaway
 *     {Results: [{Date, …, List}]}                                           the same with samplesCount > 1
 *
 * Several lists make several documents. Invalid entries are left out and reported in `problems`.
 * Throws `StackWireError` when there is neither a stack nor a thread's list in it.
 */
export function readStackDocuments(value: unknown, frames: FrameTable): StackDocument[] {
  const root = fieldsOf(value)
  if (root === null) throw new StackWireError('Expected an object with Results, Threads or List.')
  const documents: StackDocument[] = []
  const builder = new DocumentBuilder(frames)
  let found = false
  const readList = (info: RawFields): void => {
    found = true
    builder.at(info['Date'], true)
    for (const key of MACHINE_KEYS) builder.machine(key, info[key])
    readThreads(info['List'], builder)
  }
  const metadata = fieldsOf(root['@metadata'])
  const readMetadata = (): void => {
    builder.at(metadata?.['DateTime'], false)
    builder.nodeTag(metadata?.['NodeTag'])
  }
  readMetadata()
  const results = root['Results']
  if (Array.isArray(results)) {
    found = true
    for (const item of results as readonly unknown[]) {
      const entry = fieldsOf(item)
      if (entry === null) builder.problem('An entry is no object.')
      else if (Array.isArray(entry['List'])) {
        readList(entry)
        documents.push(builder.finish())
        readMetadata()
      } else readEntry(entry, builder)
    }
  }
  if (Array.isArray(root['Threads'])) {
    found = true
    readThreads(root['Threads'], builder)
  }
  const runaway = fieldsOf(root['Runaway Threads'])
  if (runaway !== null) readList(runaway)
  if (Array.isArray(root['List'])) readList(root)
  if (!found) throw new StackWireError('Expected an object with Results, Threads or List.')
  if (!builder.isEmpty || documents.length === 0) documents.push(builder.finish())
  return documents
}

function readEntry(entry: RawFields, builder: DocumentBuilder): void {
  builder.beginEntry()
  if (Array.isArray(entry['ThreadIds'])) for (const id of entry['ThreadIds'] as readonly unknown[]) builder.threadId(id)
  if (entry['OSThreadId'] !== undefined) builder.threadId(entry['OSThreadId'])
  for (const key of ['IsNative', 'NativeThreads', 'ManagedThreadId', 'ThreadType'] as const)
    if (entry[key] !== undefined) builder.entryField(key, entry[key])
  const stack = entry['StackTrace']
  if (Array.isArray(stack)) {
    for (const frame of stack as readonly unknown[]) {
      if (typeof frame === 'string') builder.frame(builder.frames.intern(frame))
      else builder.problem('A frame is no text.')
    }
  } else if (stack !== null && stack !== undefined) builder.problem('A stack is no list.')
  if (Array.isArray(entry['StackObjects']))
    for (const object of entry['StackObjects'] as readonly unknown[]) builder.object(object)
  builder.endEntry()
}

function readThreads(list: unknown, builder: DocumentBuilder): void {
  if (!Array.isArray(list)) return
  for (const item of list as readonly unknown[]) {
    const fields = fieldsOf(item)
    if (fields === null) builder.problem('A thread of the list is no object.')
    else builder.thread(fields)
  }
}

const fieldsOf = (value: unknown): RawFields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawFields) : null
