/** Views of the engine's memory. Each `_malloc` may grow it, which replaces them. */
export interface Heap {
  readonly HEAPU8: Uint8Array
  readonly HEAPF64: Float64Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (pointer: number) => void
}

interface Argument {
  readonly validityBuffer?: number
  readonly dataBuffer: number
  readonly lengthBuffer: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Text at a key or a path (`$.a.b[0]`) of JSON, as `->>` gives it; null: nothing is there, or null. Numbers keep their
 * digits where the browser tells them.
 */
export function jsonText(json: string, path: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(json, keepDigits as never)
  } catch {
    return null
  }
  const steps = path.startsWith('$')
    ? path
        .split(/[.[\]]+/)
        .slice(1)
        .filter((step) => step !== '')
    : [path]
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value instanceof Digits ? value.text : JSON.stringify(value, writeDigits)
}

class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined ? new Digits(context.source) : value

const writeDigits = (_: string, value: unknown): unknown =>
  value instanceof Digits
    ? ((JSON as { rawJSON?: (text: string) => unknown }).rawJSON?.(value.text) ?? Number(value.text))
    : value

/** Texts of the last call, which the engine copies after it. */
let texts = { at: 0, bytes: 0 }

/**
 * Calls `jsonText` for rows of the engine, in place of `callScalarUDF` of DuckDB-Wasm 1.32.0, which returns texts from
 * address 0. `response`: status, pointer to values, validity and lengths, 0.
 */
export function callJsonText(
  heap: Heap,
  response: number,
  _id: number,
  described: number,
  describedBytes: number,
  pointers: number,
): void {
  const { args, rows } = JSON.parse(decoder.decode(heap.HEAPU8.slice(described, described + describedBytes))) as {
    readonly args: readonly Argument[]
    readonly rows: number
  }
  const pointer = (buffer: number): number => heap.HEAPF64[(pointers >> 3) + buffer] ?? 0
  const read = (arg: Argument | undefined, row: number): string | null => {
    if (arg === undefined) return null
    if (arg.validityBuffer !== undefined && heap.HEAPU8[pointer(arg.validityBuffer) + row] === 0) return null
    const from = heap.HEAPF64[(pointer(arg.dataBuffer) >> 3) + row] ?? 0
    const bytes = heap.HEAPF64[(pointer(arg.lengthBuffer) >> 3) + row] ?? 0
    return decoder.decode(heap.HEAPU8.slice(from, from + bytes))
  }
  const results = Array.from({ length: rows }, (_, row) => {
    const [json, path] = [read(args[0], row), read(args[1], row)]
    const text = json === null || path === null ? null : jsonText(json, path)
    return text === null ? null : encoder.encode(text)
  })
  const bytes = results.reduce((sum, result) => sum + (result?.length ?? 0), 0)
  if (bytes > texts.bytes) {
    if (texts.at !== 0) heap._free(texts.at)
    texts = { at: heap._malloc(2 * bytes), bytes: 2 * bytes }
  }
  const [values, validity, lengths, three] = [rows * 8, rows, rows * 8, 24].map((size) => heap._malloc(size)) as [
    number,
    number,
    number,
    number,
  ]
  let to = texts.at
  for (const [row, result] of results.entries()) {
    heap.HEAPF64[(values >> 3) + row] = to
    heap.HEAPF64[(lengths >> 3) + row] = result?.length ?? 0
    heap.HEAPU8[validity + row] = Number(result !== null)
    if (result === null) continue
    heap.HEAPU8.set(result, to)
    to += result.length
  }
  heap.HEAPF64.set([values, validity, lengths], three >> 3)
  heap.HEAPF64.set([0, three, 0], response >> 3)
}
