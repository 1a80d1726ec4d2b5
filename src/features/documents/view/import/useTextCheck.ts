import { useEffect, useState } from 'react'
import { errorText } from '../../../../base/text/error-text.ts'
import { NOT_UTF8, type Delimiter } from '../../data/csv-preview.ts'
import { CsvShape } from '../../data/csv-shape.ts'

/** Number of bytes that are read and decoded at a time: some milliseconds. */
const SLICE = 1024 * 1024

export interface TextCheck {
  readonly file: File
  readonly delimiter: Delimiter
  /** Share of the file that was read, 0 to 1. */
  readonly share: number
  readonly isDone: boolean
  /** Reason why the file cannot be imported; null if none was found. */
  readonly problem: string | null
}

/**
 * Reads a whole file in slices. Resolves to the reason why it is no text, or why the server would lose a part of it; null if
 * there is none, or when `signal` is aborted.
 * Errors: those of the file, as when it was changed since it was chosen.
 */
export async function textProblem(
  file: Blob,
  delimiter: Delimiter,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const shape = new CsvShape(delimiter)
  for (let at = 0; at < file.size && !signal.aborted; at += SLICE) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer())
    try {
      decoder.decode(bytes, { stream: at + SLICE < file.size })
    } catch {
      return NOT_UTF8
    }
    if (bytes.includes(0)) return NOT_UTF8
    shape.push(bytes)
    if (shape.problem !== null) return shape.problem
    onShare(Math.min(1, (at + SLICE) / file.size))
  }
  if (signal.aborted) return null
  shape.end()
  return shape.problem
}

/** Checks a file until another file or delimiter is chosen. Null: no file. */
export function useTextCheck(file: File | null, delimiter: Delimiter): TextCheck | null {
  const [check, setCheck] = useState<TextCheck | null>(null)
  useEffect(() => {
    if (file === null) return undefined
    const abort = new AbortController()
    const show = (share: number, isDone: boolean, problem: string | null): void => {
      if (!abort.signal.aborted) setCheck({ file, delimiter, share, isDone, problem })
    }
    textProblem(file, delimiter, abort.signal, (share) => show(share, false, null)).then(
      (problem) => show(1, true, problem),
      (error: unknown) => show(1, true, `It cannot be read: ${errorText(error)}`),
    )
    return () => abort.abort()
  }, [file, delimiter])
  if (file === null) return null
  return check?.file === file && check.delimiter === delimiter
    ? check
    : { file, delimiter, share: 0, isDone: false, problem: null }
}
