import { JsonBytes, JsonBytesError } from './json-bytes.ts'
import { JsonWalk, type OnMismatch, type Rule } from './json-walk.ts'

/** Problems in one document, by part. */
export interface ReadProblems {
  /** Number of values that were left out; null: unknown, because the document is cut off or has another format. */
  readonly count: number | null
  /** The first problem: position, expected and actual value. Null: there is none. */
  readonly first: string | null
}

/** Reads a document that is completely in memory. `salvage` hands on what is complete before a cut. */
export function readWhole(
  bytes: Uint8Array,
  readerFor: (problem: OnMismatch) => { readonly rule: Rule; readonly salvage: () => void },
): ReadProblems {
  const problems: string[] = []
  const problem: OnMismatch = (at, expected) =>
    void problems.push(at < 0 ? `expected ${expected}` : `byte ${at}: expected ${expected}`)
  const { rule, salvage } = readerFor(problem)
  const json = new JsonBytes()
  const walk = new JsonWalk(json, rule, problem)
  json.look(bytes)
  json.isLast = true
  try {
    walk.run()
    if (walk.isOpen || walk.documents === 0)
      throw new JsonBytesError(bytes.length, walk.isOpen ? 'the rest of the document' : 'a document', 'the end')
    return { count: problems.length, first: problems[0] ?? null }
  } catch (error) {
    if (!(error instanceof JsonBytesError)) throw error
    return { count: null, first: problems[0] ?? error.message }
  } finally {
    salvage()
  }
}
